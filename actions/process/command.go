package process

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"text/template"
	"time"
	"unicode"
	"unicode/utf8"

	"regroup/decode"
	"regroup/group"
)

// Command is a command of a context's, with fields such as {{.Host}} in it: "ssh {{.Host}} sudo systemctl stop connect".
type Command string

// Fields are what a Command can name.
type Fields struct {
	Group  string
	Member string // id in the group
	Client string // client id
	URL    string // as advertised
	Host   string // of URL
	Port   string // of URL
	Peer   string // the address that the broker sees it come from
	Signal string // TERM, KILL, STOP, CONT
}

// FieldsOf are those of a worker.
func FieldsOf(name string, w group.Worker) Fields {
	f := Fields{Group: name, Member: w.ID, Client: w.Client, URL: w.URL, Peer: strings.TrimPrefix(w.Host, "/")}
	if u, err := url.Parse(w.URL); err == nil {
		f.Host, f.Port = u.Hostname(), u.Port()
	}
	return f
}

// args splits the command and fills in the fields afterwards, so that what a field holds stays in its word. Names come from
// outside, and the command may hand its words to a shell elsewhere (ssh does), so only plain ones are let in.
func (c Command) args(f Fields) ([]string, error) {
	for name, value := range map[string]string{
		"Group": f.Group, "Member": f.Member, "Client": f.Client, "URL": f.URL, "Host": f.Host,
		"Port": f.Port, "Peer": f.Peer,
	} {
		if strings.Contains(string(c), "."+name) && !plain(value) {
			return nil, fmt.Errorf("command: {{.%s}} is %q, which is not safe in a command", name, decode.Printable(value))
		}
	}
	line, err := splitLine(spaced.ReplaceAllString(string(c), "{{$1}}"))
	if err == nil && len(line) == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return nil, fmt.Errorf("command %q: %w", string(c), err)
	}
	for i, w := range line {
		t, err := template.New("command").Option("missingkey=error").Parse(w)
		if err != nil {
			return nil, fmt.Errorf("command %q: %w", string(c), err)
		}
		var b strings.Builder
		if err := t.Execute(&b, f); err != nil {
			return nil, fmt.Errorf("command %q: %w", string(c), err)
		}
		line[i] = b.String()
	}
	return line, nil
}

// plain says whether a value has nothing that a shell, or a program's options, would take for something else.
func plain(s string) bool {
	if s == "" || s[0] == '-' {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-:/@[]", r))
	})
}

// spaced is a field with blanks in its braces, at which its word must not be split.
var spaced = regexp.MustCompile(`\{\{\s*(\.\w+)\s*\}\}`)

// commandTime bounds how long a command may run.
const commandTime = 2 * time.Minute

// run runs the command to its end. Where it fails, the last of what it said is the reason.
func (c Command) run(ctx context.Context, f Fields) error {
	args, err := c.args(f)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.SysProcAttr = ownSession()
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return fmt.Errorf("command %s: %w: %s", args[0], err, cmp.Or(lastLine(out.String()), "it said nothing"))
	}
	return nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return decode.Printable(lines[len(lines)-1])
}

// Commands reach processes through a context's commands. Add, given a worker's fields, starts it again.
type Commands struct{ Kill, Add Command }

// Reach implements Reacher.
func (c Commands) Reach(_ context.Context, s *group.State, w group.Worker) (Process, error) {
	if c.Kill == "" {
		return nil, fmt.Errorf("worker %s: the context has no kill command", decode.Printable(w.Name))
	}
	p := commanded{c.Kill, c.Add, FieldsOf(s.Group, w)}
	if _, err := c.Kill.args(p.fields); err != nil {
		return nil, fmt.Errorf("worker %s: %w", decode.Printable(w.Name), err)
	}
	return p, nil
}

type commanded struct {
	command, again Command
	fields         Fields
}

func (p commanded) String() string {
	p.fields.Signal = "TERM"
	args, err := p.command.args(p.fields)
	if err != nil {
		return err.Error()
	}
	return decode.Printable("what `" + strings.Join(args, " ") + "` ends")
}

func (p commanded) Terminate(ctx context.Context) error { return p.signal(ctx, "TERM") }

func (p commanded) Kill(ctx context.Context) error { return p.signal(ctx, "KILL") }

func (p commanded) signal(ctx context.Context, name string) error {
	if name != "TERM" && !strings.Contains(string(p.command), ".Signal") {
		return fmt.Errorf("the kill command has no {{.Signal}}: it can end a worker in its own way alone: %w", errors.ErrUnsupported)
	}
	p.fields.Signal = name
	return p.command.run(ctx, p.fields)
}

func (p commanded) Again(ctx context.Context) error {
	if p.again == "" {
		return fmt.Errorf("worker %s: the context has no add command to start it again with: %w", decode.Printable(p.fields.Client), errors.ErrUnsupported)
	}
	return p.again.run(ctx, p.fields)
}

func (p commanded) Freeze(ctx context.Context) (thaw func() error, err error) {
	if err := p.signal(ctx, "STOP"); err != nil {
		return nil, err
	}
	return func() error {
		// On every way out: also when ctx has ended.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commandTime)
		defer cancel()
		return p.signal(ctx, "CONT")
	}, nil
}

// splitLine splits a command line as a shell would, with quotes and backslashes and nothing else: no variables, no pipes, for no
// shell will see it.
func splitLine(line string) ([]string, error) {
	if !utf8.ValidString(line) {
		return nil, errors.New("it is no UTF-8")
	}
	var out []string
	var word strings.Builder
	in, quote, escaped := false, rune(0), false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, in = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, in = r, true
		case unicode.IsSpace(r):
			if in {
				out = append(out, word.String())
				word.Reset()
			}
			in = false
		default:
			word.WriteRune(r)
			in = true
		}
	}
	if quote != 0 || escaped {
		return nil, errors.New("a quote or a backslash is left open")
	}
	if in {
		out = append(out, word.String())
	}
	return out, nil
}
