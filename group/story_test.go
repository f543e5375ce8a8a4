package group_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"regroup/decode"
	"regroup/group"
)

// TestStories plays the stories in testdata/rounds: records with real bytes go in, and after each the rounds that are new,
// or not what they were, come out. The lines of a story:
//
//	worker w2 id=w2-2 client=connect-1 url=http://b:8083/    what a worker is called; else it is called by its name
//	options ring=300 since=10s                               before anything else
//	config, then lines as "0: connector a", "1: commit a 2"  records of the config topic, by offset
//	round 3 sessioned leader=w1 config=2 delay=20s error=1   a record of the coordinator's log
//	w1 config=2: has a c 0; starts a 1; stops b 0            … and its workers, in the order on the wire
//	described Stable sessioned leader=w1 config=2            a round as DescribeGroups tells it
//	tombstone                                                the group was deleted
//	status, then lines as "w1 a 0 RUNNING 3"                 records of the status topic: worker, unit, state, generation;
//	                                                         "w1 a 0 gone 3" is a tombstone; "null:-1 a 0 RUNNING 3"
//	                                                         has a worker id as it is written
//	source config denied                                     health of a source; its detail is the line below
//	rest w1 ok                                               what a worker's REST interface says: ok, closed, silent
//	progress config 7                                        everything below that offset was read
//	wait 3s                                                  nothing comes
//	rounds, json, units, workers                             print all rounds, the last one's JSON, its units, its workers
//	gaps                                                     print when units did not run, and because of which round
//	verdict                                                  print the verdict, and why the group is not settled
//
// Time begins at noon and goes on by a second with every command, or to where t= says.
func TestStories(t *testing.T) {
	datadriven.Walk(t, "testdata/rounds", func(t *testing.T, path string) {
		s := &stage{t: t, cast: cast{}, now: noon, printed: map[int]string{}, log: 100}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			s.t = t
			return s.play(d)
		})
	})
}

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// stage is where one story plays.
type stage struct {
	t       *testing.T
	cast    cast
	options group.Options
	model   *group.Model
	now     time.Time
	log     int64 // next offset of the log
	status  int64
	printed map[int]string // rounds as they were last shown, by Seq
}

func (s *stage) play(d *datadriven.TestData) string {
	s.t.Helper()
	commands := map[string]func(*datadriven.TestData) string{
		"worker": s.worker, "options": s.setOptions, "config": s.configRecords, "round": s.round, "described": s.described,
		"tombstone": s.tombstone, "status": s.statusRecords, "source": s.source, "progress": s.progress, "wait": s.wait,
		"rest": s.rest, "verdict": s.verdict, "rounds": s.allRounds, "json": s.lastJSON, "units": s.units, "workers": s.workers,
		"gaps": s.gaps,
	}
	command := commands[d.Cmd]
	if command == nil {
		d.Fatalf(s.t, "unknown command %s", d.Cmd)
	}
	if s.model == nil && d.Cmd != "options" {
		s.options.Group = "g"
		s.model = group.New(s.options)
	}
	switch d.Cmd {
	case "worker", "options", "rounds", "gaps", "json", "units", "workers", "wait", "verdict":
	default:
		s.now = s.now.Add(time.Second)
	}
	if d.HasArg("t") {
		s.now = noon.Add(duration(s.t, d, "t"))
	}
	return command(d)
}

func duration(t *testing.T, d *datadriven.TestData, key string) time.Duration {
	var text string
	d.MaybeScanArgs(t, key, &text)
	if text == "" {
		return 0
	}
	v, err := time.ParseDuration(text)
	if err != nil {
		d.Fatalf(t, "%s: %v", key, err)
	}
	return v
}

func (s *stage) apply(f group.Fact) { s.model.Apply(f, s.now) }

// news shows the rounds that are new, or not what they were.
func (s *stage) news() string {
	state := s.model.State(s.now)
	checkState(s.t, state)
	var b strings.Builder
	for i, r := range state.Rounds {
		text := roundText(state.Detail(i))
		if s.printed[r.Seq] != text {
			if s.printed[r.Seq] != "" {
				b.WriteString("again, ")
			}
			b.WriteString(text)
			s.printed[r.Seq] = text
		}
	}
	if b.Len() == 0 {
		return "no round\n"
	}
	return b.String()
}

func (s *stage) worker(d *datadriven.TestData) string {
	name := d.CmdArgs[0].Key
	p := *s.cast.of(name)
	d.MaybeScanArgs(s.t, "id", &p.id)
	d.MaybeScanArgs(s.t, "client", &p.client)
	if d.HasArg("url") {
		p.url = ""
		for _, a := range d.CmdArgs {
			if a.Key == "url" && len(a.Vals) > 0 {
				p.url = a.Vals[0]
			}
		}
	}
	s.cast[name] = &p
	return ""
}

func (s *stage) setOptions(d *datadriven.TestData) string {
	d.MaybeScanArgs(s.t, "ring", &s.options.Ring)
	if since := duration(s.t, d, "since"); since > 0 {
		s.options.Since = noon.Add(since)
	}
	return ""
}

func (s *stage) configRecords(d *datadriven.TestData) string {
	for line := range strings.SplitSeq(d.Input, "\n") {
		offset, text, ok := strings.Cut(line, ":")
		n, err := strconv.ParseInt(strings.TrimSpace(offset), 10, 64)
		if !ok || err != nil {
			d.Fatalf(s.t, "%q: want OFFSET: record", line)
		}
		key, value, err := configBytes(text)
		if err != nil {
			d.Fatalf(s.t, "%v", err)
		}
		record, err := decode.ParseConfig(key, value)
		s.apply(group.ConfigRecord{At: s.now, Topic: "configs", Offset: n, Record: record, Err: err})
	}
	return s.news()
}

func (s *stage) take(d *datadriven.TestData) *take {
	t := &take{protocol: decode.ProtocolSessioned, at: s.now, delay: duration(s.t, d, "delay"), config: -1, leader: &player{}}
	for _, a := range d.CmdArgs {
		if _, ok := versions[a.Key]; ok {
			t.protocol = a.Key
		}
	}
	var leader string
	var code int
	d.MaybeScanArgs(s.t, "leader", &leader)
	d.MaybeScanArgs(s.t, "config", &t.config)
	d.MaybeScanArgs(s.t, "error", &code)
	t.err = int16(code)
	if leader != "" {
		t.leader = s.cast.of(leader)
	}
	return t
}

func (s *stage) members(d *datadriven.TestData, t *take) []decode.Member {
	var out []decode.Member
	for line := range strings.SplitSeq(d.Input, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		one, err := s.cast.readScene(line, t.config)
		if err != nil {
			d.Fatalf(s.t, "%v", err)
		}
		out = append(out, t.member(one))
	}
	return out
}

func (s *stage) round(d *datadriven.TestData) string {
	n, err := strconv.ParseInt(d.CmdArgs[0].Key, 10, 32)
	if err != nil {
		d.Fatalf(s.t, "round GENERATION: %v", err)
	}
	t := s.take(d)
	record := decode.GroupRecord{
		ProtocolType: decode.ProtocolType, Generation: int32(n), Protocol: t.protocol, Leader: t.leader.id,
		StateAt: t.at, Members: s.members(d, t),
	}
	if len(record.Members) == 0 {
		record.Protocol = ""
	}
	value := decode.AppendGroupRecord(nil, record)
	read, err := decode.ParseGroupRecord(value)
	s.apply(group.LogRecord{At: s.now, Partition: 7, Offset: s.log, Record: read, Bytes: len(value), Err: err})
	s.log++
	return s.news()
}

func (s *stage) described(d *datadriven.TestData) string {
	t := s.take(d)
	f := group.Description{At: s.now, State: d.CmdArgs[0].Key, Protocol: t.protocol, Members: s.members(d, t)}
	if len(f.Members) == 0 {
		f.Protocol = ""
	}
	s.apply(f)
	return s.news()
}

func (s *stage) tombstone(*datadriven.TestData) string {
	s.apply(group.LogRecord{At: s.now, Partition: 7, Offset: s.log})
	s.log++
	return s.news()
}

func (s *stage) statusRecords(d *datadriven.TestData) string {
	for line := range strings.SplitSeq(d.Input, "\n") {
		words := strings.Fields(line)
		if len(words) < 5 {
			d.Fatalf(s.t, "%q: want WORKER CONNECTOR c|TASK STATE GENERATION", line)
		}
		key := "status-connector-" + words[1]
		if words[2] != "c" {
			key = "status-task-" + words[1] + "-" + words[2]
		}
		id := words[0]
		if !strings.ContainsAny(id, ":/>") {
			id = strings.TrimSuffix(strings.TrimPrefix(s.cast.of(id).url, "http://"), "/")
		}
		value := fmt.Sprintf(`{"state":%q,"worker_id":%q,"generation":%s,"trace":%q}`, words[3], id, words[4], strings.Join(words[5:], " "))
		raw := []byte(value)
		if words[3] == "gone" {
			raw = nil
		}
		record, err := decode.ParseStatus([]byte(key), raw)
		s.apply(group.StatusRecord{At: s.now, Topic: "statuses", Offset: s.status, Record: record, Err: err})
		s.status++
	}
	return ""
}

func (s *stage) source(d *datadriven.TestData) string {
	words := make([]string, 0, len(d.CmdArgs))
	for _, a := range d.CmdArgs[1:] {
		if a.Key != "t" {
			words = append(words, a.Key)
		}
	}
	s.apply(group.SourceReport{At: s.now, Source: group.Source(d.CmdArgs[0].Key), Health: group.Health(strings.Join(words, " ")), Detail: d.Input})
	return s.news()
}

func (s *stage) rest(d *datadriven.TestData) string {
	f := group.RESTReport{At: s.now, URL: s.cast.of(d.CmdArgs[0].Key).url}
	switch word := d.CmdArgs[1].Key; word {
	case "ok":
		f.Root = "ok"
	case "closed":
		f.Root, f.Closed = "nothing listens there", true
	case "silent":
		f.Root = "no answer within 5s"
	default:
		d.Fatalf(s.t, "a worker's REST is ok, closed or silent, not %s", word)
	}
	s.apply(f)
	return ""
}

// gaps are those that are known at this moment, in seconds since noon.
func (s *stage) gaps(*datadriven.TestData) string {
	since := func(t time.Time) string { return fmt.Sprintf("%.1f", t.Sub(noon).Seconds()) }
	between := func(low, high time.Time) string {
		if low.Equal(high) {
			return since(low)
		}
		return since(low) + "-" + since(high)
	}
	state := s.model.State(s.now)
	var out strings.Builder
	for _, g := range state.Outages() {
		fmt.Fprintf(&out, "%s: from %s to ", g.Unit, between(g.From, g.Latest))
		if g.Ended {
			out.WriteString(between(g.Began, g.To))
		} else {
			out.WriteString("now")
		}
		fmt.Fprintf(&out, ", round %d", state.Rounds[g.Seq-state.Rounds[0].Seq].Generation)
		if g.Crash {
			out.WriteString(", crash")
		}
		if g.Open {
			out.WriteString(", perhaps from earlier")
		}
		out.WriteString("\n")
	}
	if out.Len() == 0 {
		return "none"
	}
	return out.String()
}

// verdict is the band of the screen at this moment, and what `wait` and exercises wait for.
func (s *stage) verdict(*datadriven.TestData) string {
	state := s.model.State(s.now)
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s: %s\n", s.now.Format("15:04:05"), state.Verdict.Word, state.Verdict.Sentence)
	for _, why := range state.Unsettled() {
		fmt.Fprintf(&b, "  %s\n", why)
	}
	for _, u := range state.Unanswered() {
		if u.Last.IsZero() {
			fmt.Fprintf(&b, "  never answered: %s\n", state.UnansweredText(u))
		}
	}
	for _, m := range state.MissingSince(s.now.Add(-5 * time.Minute)) {
		fmt.Fprintf(&b, "  missing: %s since %s\n", m.Name, m.Left.Format("15:04:05"))
	}
	return b.String()
}

func (s *stage) progress(d *datadriven.TestData) string {
	n, err := strconv.ParseInt(d.CmdArgs[1].Key, 10, 64)
	if err != nil {
		d.Fatalf(s.t, "progress SOURCE OFFSET: %v", err)
	}
	f := group.Progress{At: s.now, Source: group.Source(d.CmdArgs[0].Key), UpTo: n, CaughtUp: true}
	s.apply(f)
	return s.news()
}

func (s *stage) wait(d *datadriven.TestData) string {
	v, err := time.ParseDuration(d.CmdArgs[0].Key)
	if err != nil {
		d.Fatalf(s.t, "wait: %v", err)
	}
	s.now = s.now.Add(v)
	return s.news()
}
