package decode_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"regroup/decode"
)

// The scripts in testdata say what each parser makes of which bytes. Bytes are written as hex digits and quoted text, with
// spaces and line ends anywhere, and comments behind a #. `go test -rewrite` writes the answers anew.

func TestConnectScripts(t *testing.T) {
	for _, name := range []string{"subscription", "assignment", "fields"} {
		t.Run(name, func(t *testing.T) {
			datadriven.RunTest(t, "testdata/"+name, func(t *testing.T, d *datadriven.TestData) string {
				t.Helper()
				b := scriptBytes(t, d)
				switch d.Cmd {
				case "subscription":
					s, err := decode.ParseSubscription(b)
					return answer(err, func(p *printer) { p.subscription(s) })
				case "assignment":
					a, err := decode.ParseAssignment(b)
					return answer(err, func(p *printer) { p.assignment(a) })
				case "subscription-fields":
					return fieldTable(decode.SubscriptionFields(b))
				case "assignment-fields":
					return fieldTable(decode.AssignmentFields(b))
				}
				t.Fatalf("no command %q", d.Cmd)
				return ""
			})
		})
	}
}

func TestGroupScript(t *testing.T) {
	datadriven.RunTest(t, "testdata/group", func(t *testing.T, d *datadriven.TestData) string {
		t.Helper()
		switch d.Cmd {
		case "partition":
			var n int
			d.ScanArgs(t, "of", &n)
			return strconv.Itoa(int(decode.GroupPartition(d.Input, int32(n))))
		case "group-key":
			group, ours, err := decode.ParseGroupKey(scriptBytes(t, d))
			return answer(err, func(p *printer) { p.line("group %q, ours %t", group, ours) })
		case "group-record":
			g, err := decode.ParseGroupRecord(scriptBytes(t, d))
			return answer(err, func(p *printer) { p.group(g) })
		}
		t.Fatalf("no command %q", d.Cmd)
		return ""
	})
}

// scriptBytes reads a directive's bytes, or takes them from a capture: file=lifecycle offset=14 [member=worker-1].
func scriptBytes(t *testing.T, d *datadriven.TestData) []byte {
	t.Helper()
	if !d.HasArg("file") {
		return parseBytes(t, d.Input)
	}
	var file, client string
	var offset int64
	d.ScanArgs(t, "file", &file)
	d.ScanArgs(t, "offset", &offset)
	d.MaybeScanArgs(t, "member", &client)
	for _, c := range captures(t) {
		if c.File != file+"-4.3.1.jsonl" || !c.ofGroup() || c.Offset != offset {
			continue
		}
		if client == "" {
			return c.Value
		}
		g, err := decode.ParseGroupRecord(c.Value)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range g.Members {
			if m.Client == client && strings.HasPrefix(d.Cmd, "subscription") {
				return m.Subscription
			} else if m.Client == client {
				return m.Assignment
			}
		}
	}
	t.Fatalf("%s: no such record or member", d.Pos)
	return nil
}

func parseBytes(t *testing.T, text string) []byte {
	t.Helper()
	out := []byte{}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
			if line[0] == '"' {
				quoted, err := strconv.QuotedPrefix(line)
				if err != nil {
					t.Fatalf("%q: %v", line, err)
				}
				s, _ := strconv.Unquote(quoted)
				out, line = append(out, s...), line[len(quoted):]
				continue
			}
			word, rest, _ := strings.Cut(line, " ")
			b, err := hex.DecodeString(word)
			if err != nil {
				t.Fatalf("%q: %v", word, err)
			}
			out, line = append(out, b...), rest
		}
	}
	return out
}

func answer(err error, show func(*printer)) string {
	if err != nil {
		var e *decode.Error
		if !errors.As(err, &e) {
			return "an error without a field: " + err.Error()
		}
		return "error: " + err.Error()
	}
	var p printer
	show(&p)
	return p.String()
}

// printer writes values one field a line; what has its default and is not there is left out.
type printer struct {
	strings.Builder
	indent string
}

func (p *printer) line(format string, args ...any) {
	fmt.Fprintf(p, p.indent+format+"\n", args...)
}

func (p *printer) subscription(s decode.Subscription) {
	p.line("version %d, url %q, config offset %d", s.Version, s.URL, s.ConfigOffset)
	if s.Allocation == nil {
		p.line("no allocation")
	} else {
		p.line("allocation")
		in := printer{indent: p.indent + "  "}
		in.assignment(s.Allocation)
		p.WriteString(in.String())
	}
	p.trailing(s.Trailing)
}

func (p *printer) assignment(a *decode.Assignment) {
	if a == nil {
		p.line("none")
		return
	}
	p.line("version %d, error %d, leader %q, leader url %q, config offset %d", a.Version, a.Error, a.Leader, a.LeaderURL, a.ConfigOffset)
	p.line("assigned %s", shares(a.Assigned))
	p.line("revoked %s", shares(a.Revoked))
	p.line("delay %d ms", a.DelayMs)
	p.trailing(a.Trailing)
}

func (p *printer) trailing(n int) {
	if n > 0 {
		p.line("%d trailing", n)
	}
}

func shares(list []decode.Share) string {
	if list == nil {
		return "nil"
	}
	var out []string
	for _, s := range list {
		out = append(out, fmt.Sprintf("%q %v", s.Connector, s.Tasks))
	}
	return strings.Join(out, ", ")
}

func (p *printer) group(g *decode.GroupRecord) {
	p.line("version %d, type %q, generation %d, protocol %q, leader %q", g.Version, g.ProtocolType, g.Generation, g.Protocol, g.Leader)
	if g.StateAt.IsZero() {
		p.line("no time")
	} else {
		p.line("at %s", g.StateAt.Format(time.RFC3339Nano))
	}
	for _, m := range g.Members {
		p.line("member %q, instance %q, client %q, host %q", m.ID, m.InstanceID, m.Client, m.Host)
		p.line("  rebalance %v, session %v, subscription %d bytes, assignment %d bytes",
			m.RebalanceTimeout, m.SessionTimeout, len(m.Subscription), len(m.Assignment))
	}
	p.trailing(g.Trailing)
}

func fieldTable(fields []decode.Field, err error) string {
	var b strings.Builder
	for _, f := range fields {
		fmt.Fprintf(&b, "%4d %3d  %s%-14s %s\n", f.Offset, f.Length, strings.Repeat("  ", f.Depth), f.Name, decode.Printable(f.Value))
	}
	if err != nil {
		fmt.Fprintf(&b, "error: %v\n", err)
	}
	if b.Len() == 0 {
		return "nothing"
	}
	return b.String()
}
