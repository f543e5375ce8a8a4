package doctor_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"regroup/decode"
	"regroup/group"
	"regroup/group/doctor"
)

// TestRules plays the stories in testdata/rules, one file a rule: first a group that is ill, then, after "new", its healthy
// twin. The lines of a story:
//
//	worker w2 id=w2-2 client=connect-1 url=http://b:8083/ host=/10.0.0.2
//	config, then lines as "0: connector a class=X", "1: commit a 2", "2: target a STOPPED", "delete connector a"
//	round 3 sessioned leader=w1 config=2 delay=20s error=1   a record of the coordinator's log
//	w1 config=2: has a c 0; starts a 1; stops b 0            … and its workers, in the order on the wire
//	status, then lines as "w1 a 0 RUNNING 3 trace"           worker or worker id, unit, state ("deleted": a tombstone), generation, first line of its trace
//	described Stable                                         a poll of the group's state
//	settings config partitions=3 policy=delete max=1000000   of an internal topic
//	rest w1 version=3.5.1 root=refused plugins=A,B           what a worker's REST interface said, its herder on the next line;
//	rest w1 status=404                                       … that it answered with an error
//	source log denied                                        health of a source, the detail on the next line
//	group blue                                               another group on the same topics, its workers on the next line
//	action evict w1                                          done with this program
//	wait 3s                                                  nothing comes
//	doctor [rule]                                            what is found; of one rule, all that is known
//	watch                                                    look, and remember; watched prints what that came to
//
// Time begins at noon and goes on by a second with every command, or to where t= says.
func TestRules(t *testing.T) {
	datadriven.Walk(t, "testdata/rules", func(t *testing.T, path string) { play(t, path) })
}

// TestWatch plays the stories of what was wrong for a while.
func TestWatch(t *testing.T) { play(t, "testdata/watch.txt") }

func play(t *testing.T, path string) {
	t.Helper()
	s := newStage(t)
	datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd == "new" {
			s = newStage(t)
			return ""
		}
		s.t = t
		return s.play(d)
	})
}

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// stage is where one story plays.
type stage struct {
	t     testing.TB
	cast  map[string]*player
	model *group.Model
	now   time.Time
	log   int64 // next offsets
	said  int64
	watch doctor.Watch
}

type player struct{ id, client, url, host string }

func newStage(t testing.TB) *stage {
	s := &stage{t: t, cast: map[string]*player{}, model: group.New(group.Options{Group: "g"}), now: noon}
	s.model.Apply(group.SourceReport{At: noon, Source: group.SourceLog, Health: group.HealthOK}, noon)
	return s
}

func (s *stage) of(name string) *player {
	if s.cast[name] == nil {
		s.cast[name] = &player{id: name + "-1", client: name, url: "http://" + name + ":8083/", host: "/10.0.0.1"}
	}
	return s.cast[name]
}

func (s *stage) play(d *datadriven.TestData) string {
	switch d.Cmd {
	case "doctor":
		return s.examine(d)
	case "watch":
		return brief(s.watch.See(s.model.State(s.now), doctor.Options{}))
	case "watched":
		return brief(s.watch.Report())
	}
	commands := map[string]func(*datadriven.TestData) error{
		"worker": s.worker, "config": s.config, "round": s.round, "status": s.status,
		"described": s.described, "settings": s.settings, "rest": s.rest, "source": s.source, "group": s.group, "action": s.action, "wait": s.wait,
	}
	command := commands[d.Cmd]
	if command == nil {
		d.Fatalf(s.t, "unknown command %s", d.Cmd)
	}
	if d.Cmd != "worker" && d.Cmd != "wait" {
		s.now = s.now.Add(time.Second)
	}
	if at := arg(d, "t"); at != "" {
		v, err := time.ParseDuration(at)
		if err != nil {
			d.Fatalf(s.t, "%v", err)
		}
		s.now = noon.Add(v)
	}
	if err := command(d); err != nil {
		d.Fatalf(s.t, "%v", err)
	}
	return ""
}

// arg is the value of name=value; "" where it is not given.
func arg(d *datadriven.TestData, name string) string {
	for _, a := range d.CmdArgs {
		if a.Key == name {
			return strings.Join(a.Vals, ",")
		}
	}
	return ""
}

func (s *stage) apply(f group.Fact) error {
	s.model.Apply(f, s.now)
	return nil
}

func (s *stage) examine(d *datadriven.TestData) string {
	r := doctor.Examine(s.model.State(s.now), doctor.Options{Passed: d.HasArg("recorded")})
	if len(d.CmdArgs) == 0 {
		return brief(r)
	}
	var b strings.Builder
	for _, f := range r.Findings {
		if f.ID == d.CmdArgs[0].Key {
			b.WriteString(told(f))
		}
	}
	for _, k := range r.Blanks {
		if k.ID == d.CmdArgs[0].Key {
			b.WriteString("cannot tell: " + k.Missing + "\n")
		}
	}
	if b.Len() == 0 {
		return "nothing\n"
	}
	return b.String()
}

func (s *stage) worker(d *datadriven.TestData) error {
	p := *s.of(d.CmdArgs[0].Key)
	for _, a := range d.CmdArgs[1:] {
		fields := map[string]*string{"id": &p.id, "client": &p.client, "url": &p.url, "host": &p.host}
		if fields[a.Key] == nil {
			return fmt.Errorf("a worker has no %s", a.Key)
		}
		*fields[a.Key] = strings.Join(a.Vals, ",")
	}
	s.cast[d.CmdArgs[0].Key] = &p
	return nil
}

func (s *stage) round(d *datadriven.TestData) error {
	protocol := decode.ProtocolSessioned
	for _, a := range d.CmdArgs {
		if _, ok := versions[a.Key]; ok {
			protocol = a.Key
		}
	}
	record := decode.GroupRecord{ProtocolType: decode.ProtocolType, Protocol: protocol, StateAt: s.now}
	n, err := strconv.ParseInt(d.CmdArgs[0].Key, 10, 32)
	if err != nil {
		return err
	}
	record.Generation = int32(n)
	offset := int64(-1)
	if text := arg(d, "config"); text != "" {
		if offset, err = strconv.ParseInt(text, 10, 64); err != nil {
			return err
		}
	}
	told := decode.Assignment{Version: versions[protocol], ConfigOffset: offset}
	if arg(d, "error") != "" {
		told.Error = 1
	}
	if text := arg(d, "delay"); text != "" {
		delay, err := time.ParseDuration(text)
		if err != nil {
			return err
		}
		told.DelayMs = int32(delay.Milliseconds())
	}
	if leader := arg(d, "leader"); leader != "" {
		told.Leader, told.LeaderURL = s.of(leader).id, s.of(leader).url
		record.Leader = told.Leader
	}
	for line := range strings.Lines(d.Input) {
		m, err := s.member(strings.TrimSpace(line), told)
		if err != nil {
			return err
		}
		record.Members = append(record.Members, m)
	}
	if len(record.Members) == 0 {
		record.Protocol = ""
	}
	value := decode.AppendGroupRecord(nil, record)
	read, err := decode.ParseGroupRecord(value)
	f := group.LogRecord{At: s.now, Partition: 7, Offset: s.log, Record: read, Bytes: len(value), Err: err}
	if text := arg(d, "bytes"); text != "" {
		if f.Bytes, err = strconv.Atoi(text); err != nil {
			return err
		}
	}
	s.log++
	return s.apply(f)
}

func (s *stage) config(d *datadriven.TestData) error {
	for line := range strings.Lines(d.Input) {
		offset, text, _ := strings.Cut(line, ":")
		n, err := strconv.ParseInt(strings.TrimSpace(offset), 10, 64)
		if err != nil {
			return fmt.Errorf("%q: want OFFSET: record", line)
		}
		key, value, err := configBytes(text)
		if err != nil {
			return err
		}
		record, err := decode.ParseConfig(key, value)
		if err := s.apply(group.ConfigRecord{At: s.now, Topic: "configs", Offset: n, Record: record, Err: err}); err != nil {
			return err
		}
	}
	return nil
}

func (s *stage) status(d *datadriven.TestData) error {
	for line := range strings.Lines(d.Input) {
		words := strings.Fields(line)
		if len(words) < 5 {
			return fmt.Errorf("%q: want WORKER CONNECTOR c|TASK STATE GENERATION", line)
		}
		key := "status-task-" + words[1] + "-" + words[2]
		if words[2] == "c" {
			key = "status-connector-" + words[1]
		}
		id := words[0]
		if !strings.ContainsAny(id, ":/>") {
			id = strings.TrimSuffix(strings.TrimPrefix(s.of(id).url, "http://"), "/")
		}
		value := fmt.Sprintf(`{"state":%q,"worker_id":%q,"generation":%s,"trace":%q}`, words[3], id, words[4], strings.Join(words[5:], " "))
		record, err := decode.ParseStatus([]byte(key), []byte(value))
		if words[3] == "deleted" {
			record, err = decode.ParseStatus([]byte(key), nil)
		}
		if err := s.apply(group.StatusRecord{At: s.now, Topic: "statuses", Offset: s.said, Record: record, Err: err}); err != nil {
			return err
		}
		s.said++
	}
	return nil
}

func (s *stage) described(d *datadriven.TestData) error {
	return s.apply(group.Description{At: s.now, State: d.CmdArgs[0].Key})
}

func (s *stage) settings(d *datadriven.TestData) error {
	f := group.TopicSettings{At: s.now, Role: d.CmdArgs[0].Key, Topic: "connect-" + d.CmdArgs[0].Key, Partitions: 1, Replication: 3, CleanupPolicy: "compact"}
	for name, to := range map[string]*int{"partitions": &f.Partitions, "max": &f.MaxMessageBytes} {
		if text := arg(d, name); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil {
				return err
			}
			*to = n
		}
	}
	if policy := arg(d, "policy"); policy != "" {
		f.CleanupPolicy = policy
	}
	if d.HasArg("hidden") {
		f.CleanupPolicy, f.Hidden = "", true
	}
	return s.apply(f)
}

func (s *stage) rest(d *datadriven.TestData) error {
	f := group.RESTReport{At: s.now, URL: s.of(d.CmdArgs[0].Key).url, Version: arg(d, "version"), Root: "ok", Herder: "ok"}
	if root := arg(d, "root"); root != "" {
		f.Root, f.Herder = root, ""
	}
	switch status := arg(d, "status"); {
	case status != "":
		f.Root, f.Herder = fmt.Sprintf("GET %s: %s HTTP %s", f.URL, status, status), ""
	case d.Input != "":
		f.Herder = d.Input
	}
	if plugins := arg(d, "plugins"); plugins != "" {
		f.Plugins = strings.Split(plugins, ",")
	}
	return s.apply(f)
}

func (s *stage) source(d *datadriven.TestData) error {
	return s.apply(group.SourceReport{At: s.now, Source: group.Source(d.CmdArgs[0].Key), Health: group.Health(strings.ReplaceAll(d.CmdArgs[1].Key, "-", " ")), Detail: d.Input})
}

// group is another group that uses the same topics.
func (s *stage) group(d *datadriven.TestData) error {
	f := group.OtherGroup{At: s.now, Group: d.CmdArgs[0].Key, State: "Stable"}
	for _, name := range strings.Fields(d.Input) {
		f.Workers = append(f.Workers, strings.TrimSuffix(strings.TrimPrefix(s.of(name).url, "http://"), "/"))
	}
	return s.apply(f)
}

func (s *stage) action(d *datadriven.TestData) error {
	return s.apply(group.Action{At: s.now, ID: s.now.String(), Who: "somebody", Verb: d.CmdArgs[0].Key, Target: d.CmdArgs[1].Key, Answer: "ok"})
}

func (s *stage) wait(d *datadriven.TestData) error {
	v, err := time.ParseDuration(d.CmdArgs[0].Key)
	s.now = s.now.Add(v)
	return err
}
