package assign

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"regroup/decode"
)

// TestStories plays the scripts under testdata/stories. Each is one short story of a group:
//
//	group rules=… delay=… protocol=…    a group of nobody; its connectors and how many tasks each has, a line each
//	join w1 w2                          new processes; with input: what they claim to hold, "w2 A:c,0"
//	leave w2                            it is gone, with all it had; when it led, the first of the others leads
//	lead w3                             another one leads
//	configure                           connectors and tasks, as in group; "A -" deletes
//	wait 100s | wait                    time goes by; until the delay is over
//	protocol eager                      what the group speaks from now on
//	miss w1                             it does not get what the next round tells it
//	round                               what each worker holds then, what it started (+) and stopped (-)
//	forecast                            the rounds that would come by themselves after one now
//	mind                                what the leader remembers
func TestStories(t *testing.T) {
	datadriven.Walk(t, "testdata/stories", func(t *testing.T, path string) {
		var g *group
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "group" {
				g = groupOf(t, d)
				return ""
			}
			g.t = t
			if said := strings.TrimRight(g.tell(d), "\n"); said != "" {
				return said + "\n"
			}
			return ""
		})
	})
}

func groupOf(t *testing.T, d *datadriven.TestData) *group {
	rules, delay, protocol := "released", "300s", decode.ProtocolSessioned
	d.MaybeScanArgs(t, "rules", &rules)
	d.MaybeScanArgs(t, "delay", &delay)
	d.MaybeScanArgs(t, "protocol", &protocol)
	ms, err := time.ParseDuration(delay)
	if err != nil {
		t.Fatal(err)
	}
	g := newGroup(t, AssignorVersion(slices.Index(assignorNames[:], rules)), int32(ms.Milliseconds()))
	if g.rules < 0 {
		t.Fatalf("no rules %q", rules)
	}
	g.protocol = protocolsByName[protocol]
	g.configureAll(d.Input)
	return g
}

func (g *group) configureAll(input string) {
	for line := range strings.Lines(input) {
		var name, tasks string
		if _, err := fmt.Sscan(line, &name, &tasks); err != nil {
			g.t.Fatalf("%q: %v", line, err)
		}
		n := -1
		if tasks != "-" {
			var err error
			if n, err = strconv.Atoi(tasks); err != nil {
				g.t.Fatalf("%q: %v", line, err)
			}
		}
		g.configure(name, n)
	}
}

func (g *group) tell(d *datadriven.TestData) string {
	switch d.Cmd {
	case "configure":
		g.configureAll(d.Input)
	case "join":
		for _, a := range d.CmdArgs {
			g.join(a.Key)
		}
		for line := range strings.Lines(d.Input) {
			id, units, _ := strings.Cut(strings.TrimSpace(line), " ")
			w := g.worker(id)
			w.reported, w.nothing = parseShares(g.t, units), false
		}
	case "leave":
		for _, a := range d.CmdArgs {
			g.leave(a.Key)
		}
	case "lead":
		g.leader = g.worker(d.CmdArgs[0].Key)
	case "protocol":
		g.protocol = protocolsByName[d.CmdArgs[0].Key]
	case "miss":
		for _, a := range d.CmdArgs {
			g.worker(a.Key).misses = true
		}
	case "wait":
		return g.wait(d.CmdArgs)
	case "round":
		return g.describe(g.round(), g.workers)
	case "forecast":
		return g.forecast()
	case "mind":
		return g.describeMind()
	default:
		g.t.Fatalf("no command %q", d.Cmd)
	}
	return ""
}

func (g *group) wait(args []datadriven.CmdArg) string {
	if len(args) == 0 {
		g.now = max(g.now, g.rejoin)
		return ""
	}
	d, err := time.ParseDuration(args[0].Key)
	if err != nil {
		g.t.Fatal(err)
	}
	g.now += d.Milliseconds()
	return ""
}

// describe says what a round did, and how many units of each kind the workers hold then, least first.
func (g *group) describe(d Decision, workers []*worker) string {
	var b strings.Builder
	var counts [kinds][]int
	for i, w := range workers {
		a := d.Assignments[i]
		fmt.Fprintf(&b, "%s  %s", w.id, printShares(w.reported))
		if len(a.Assigned) > 0 {
			fmt.Fprintf(&b, "   + %s", printShares(a.Assigned))
		}
		if len(a.Revoked) > 0 {
			fmt.Fprintf(&b, "   - %s", printShares(a.Revoked))
		}
		b.WriteString("\n")
		var n [kinds]int
		for _, u := range decode.Units(w.reported) {
			if u.IsInstance() {
				n[connectors]++
			} else {
				n[tasks]++
			}
		}
		for k := range n {
			counts[k] = append(counts[k], n[k])
		}
	}
	slices.Sort(counts[connectors])
	slices.Sort(counts[tasks])
	fmt.Fprintf(&b, "connectors %s, tasks %s", join(counts[connectors]), join(counts[tasks]))
	a := d.Assignments[0]
	if a.DelayMs > 0 {
		fmt.Fprintf(&b, ", delay %s", time.Duration(a.DelayMs)*time.Millisecond)
	}
	if a.Error != decode.NoError {
		b.WriteString(", config mismatch")
	}
	if d.Again {
		b.WriteString(", everyone rejoins at once")
	}
	return b.String()
}

func (g *group) forecast() string {
	steps, err := Run(g.leader.state, g.request(), 10)
	if err != nil {
		g.t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "%s after %s\n", s.Why, time.Duration(s.At-g.now)*time.Millisecond)
		for i, a := range s.Decision.Assignments {
			if len(a.Assigned)+len(a.Revoked) == 0 {
				continue
			}
			fmt.Fprintf(&b, "  %s", s.Request.Members[i].ID)
			if len(a.Assigned) > 0 {
				fmt.Fprintf(&b, "  + %s", printShares(a.Assigned))
			}
			if len(a.Revoked) > 0 {
				fmt.Fprintf(&b, "  - %s", printShares(a.Revoked))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func (g *group) describeMind() string {
	m := g.leader.state
	until := "nothing waits"
	if m.Scheduled() > 0 {
		until = fmt.Sprintf("waits %s", time.Duration(m.Scheduled()-g.now)*time.Millisecond)
	}
	return fmt.Sprintf("%s; candidates %s; streak %d", until, dash(strings.Join(m.Candidates(), " ")), m.Streak())
}

// printShares writes "A:c,0,1 B:0", sorted, so that a story reads the same however its names hash.
func printShares(shares []decode.Share) string {
	by := map[string][]string{}
	for _, u := range decode.SortUnits(decode.Units(shares)) {
		name := "c"
		if !u.IsInstance() {
			name = fmt.Sprint(u.Task)
		}
		by[u.Connector] = append(by[u.Connector], name)
	}
	var out []string
	for _, c := range slices.Sorted(maps.Keys(by)) {
		out = append(out, c+":"+strings.Join(by[c], ","))
	}
	return dash(strings.Join(out, " "))
}

func parseShares(t testing.TB, s string) []decode.Share {
	t.Helper()
	var names []string
	var units []decode.Unit
	for _, part := range strings.Fields(s) {
		name, list, _ := strings.Cut(part, ":")
		for _, n := range strings.Split(list, ",") {
			if n == "c" {
				names = append(names, name)
				continue
			}
			u := decode.Unit{Connector: name}
			if _, err := fmt.Sscan(n, &u.Task); err != nil {
				t.Fatalf("%q: %v", part, err)
			}
			units = append(units, u)
		}
	}
	return Java17.Shares(names, units)
}

func join(n []int) string { return strings.Trim(fmt.Sprint(n), "[]") }

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
