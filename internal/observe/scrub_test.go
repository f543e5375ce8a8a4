package observe

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"regroup/decode"
	"regroup/group"
)

// secretOf makes a value that nobody could guess and nothing else contains: short or long, plain or with signs in it.
func secretOf(random *rand.Rand) string {
	const letters, signs = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", `!$%#+/=~*.-_` // any of them may be in a password
	out := []byte("Zq")                                                                                     // no word begins so
	for range 4 + random.IntN(30) {
		out = append(out, letters[random.IntN(len(letters))])
	}
	for range random.IntN(4) {
		at := 2 + random.IntN(len(out)-2)
		out[at] = signs[random.IntN(len(signs))]
	}
	return string(out)
}

// secretProperties say how a secret stands in a property, and how a worker may repeat it when something fails.
var secretProperties = []struct{ name, value, trace string }{
	{"database.password", "%s", "org.apache.kafka.connect.errors.ConnectException: login with %s was refused"},
	{"connection.url", "jdbc:postgresql://shop:%s@db:5432/orders", "java.sql.SQLException: jdbc:postgresql://shop:%s@db:5432/orders: down"},
	{"aws.secret.access.key", "%s", "The request signature we calculated does not match: %s"},
	{
		"producer.override.sasl.jaas.config", `org.apache.kafka.common.security.plain.PlainLoginModule required username="shop" password="%s";`,
		"javax.security.auth.login.LoginException: shop/%s",
	},
	{"value.converter.basic.auth.user.info", "shop:%s", "401 for basic.auth.user.info=shop:%s"},
	{"http.headers", "Authorization: Bearer %s", "403 Forbidden, sent Authorization: Bearer %s"},
	{"consumer.override.ssl.key", "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----", "bad key -----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----"},
	{"internal.thing.9", "x1:%s:y", "Invalid value x1:%s:y for configuration internal.thing.9: no"},
	{"topics", "https://shop:%s@host/", "https://shop:%s@host/ is no topic"}, // in a public one by mistake
}

// Whatever a secret stands in, and wherever a worker repeats it, a recording does not hold it.
func TestNoSecretSurvives(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 4))
		var secrets []string
		properties := map[string]string{"connector.class": "org.shop.Sink", "name": "orders", "tasks.max": "2"}
		var traces []string
		for _, p := range secretProperties {
			secret := secretOf(random)
			secrets = append(secrets, secret)
			properties[p.name] = fmt.Sprintf(p.value, secret)
			traces = append(traces, fmt.Sprintf(p.trace, secret))
		}
		session := secretOf(random)
		secrets = append(secrets, session)
		records := []entry{
			// The status first: sources are read beside each other.
			{source: group.SourceStatus, raw: recordOf("st", "status-task-orders-0", map[string]any{
				"state": "FAILED", "trace": strings.Join(traces, "\nCaused by: "), "worker_id": "w:8083", "generation": 3, "more": session,
			})},
			{source: group.SourceConfig, raw: recordOf("cf", "session-key", map[string]any{
				"key": session, "algorithm": "HmacSHA256", "creation-timestamp": 1795973809062,
			})},
			{source: group.SourceConfig, raw: recordOf("cf", "connector-orders", map[string]any{"properties": properties, "unheard-of": session})},
			{source: group.SourceConfig, raw: recordOf("cf", "task-orders-0", map[string]any{"properties": properties})},
			{source: group.SourceConfig, raw: recordOf("cf", "something-new", map[string]any{"properties": properties})},
			{source: group.SourceConfig, raw: Raw{Topic: "cf", Key: []byte("connector-torn"), Value: []byte(`{"properties":{"password":"` + session)}},
			{source: group.SourceStatus, raw: recordOf("st", "status-new", map[string]any{"trace": session})},
			{fact: group.RESTReport{URL: "http://w", Root: traces[1], Herder: traces[0], Statuses: []group.RESTStatus{{Trace: strings.Join(traces, "\n")}}}},
			{fact: group.SourceReport{Source: group.SourceLog, Detail: traces[3]}},
			{fact: group.Action{Verb: "apply", Target: "orders", Answer: strings.Join(traces, " ")}},
		}
		var out bytes.Buffer
		w := NewRecorder(&out, Header{Group: "g"})
		w.queue = records
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		text := legible(t, out.String())
		for i, secret := range secrets {
			if strings.Contains(text, secret) {
				t.Fatalf("seed %d: secret %d, %s, is in\n%s", seed, i, secret, text)
			}
		}
		for _, kept := range append(keys(properties), "org.shop.Sink", `"tasks.max":"2"`, "HmacSHA256", "1795973809062", `"algorithm"`) {
			if !strings.Contains(text, kept) {
				t.Fatalf("%s is no secret, and is not in\n%s", kept, text)
			}
		}
	}
}

func keys(m map[string]string) (out []string) {
	for k := range maps.Keys(m) {
		out = append(out, k)
	}
	return out
}

func recordOf(topic, key string, value any) Raw {
	b, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return Raw{Topic: topic, At: time.UnixMilli(1795973809062), Key: []byte(key), Value: b}
}

// legible is a recording with what its records hold: a secret in base64 is no better hidden.
func legible(t *testing.T, recording string) string {
	t.Helper()
	out := recording
	for l := range strings.Lines(recording) {
		var record struct{ Key, Value any }
		if err := json.Unmarshal([]byte(l), &record); err != nil {
			t.Fatal(err)
		}
		for _, v := range []any{record.Key, record.Value} {
			if s, ok := v.(string); ok {
				b, err := base64.StdEncoding.DecodeString(s)
				if err != nil {
					t.Fatal(err)
				}
				out += string(b) + "\n"
			}
		}
	}
	return strings.ReplaceAll(out, `\n`, "\n")
}

// A recording of a capture tells the same as the capture: rounds, units and all.
func TestScrubbedFoldsToTheSame(t *testing.T) {
	for _, name := range []string{"lifecycle-4.3.1", "eager-rolling-4.3.1", "clash-4.3.1"} {
		whole, err := os.ReadFile("../../testdata/captures/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		var recording bytes.Buffer
		header, n, err := Rerecord(&recording, bytes.NewReader(whole), "")
		if err != nil {
			t.Fatal(err)
		}
		if want := bytes.Count(whole, []byte("\n")); n != want || header.ConfigTopic == "" || header.StatusTopic == "" {
			t.Errorf("%s: %d lines of %d, header %+v", name, n, want, header)
		}
		if got, want := story(t, recording.Bytes()), story(t, whole); got != want {
			t.Errorf("%s: another story:\n%s\nwas\n%s", name, got, want)
		}
	}
}

func story(t *testing.T, file []byte) string {
	t.Helper()
	s, err := Read(bytes.NewReader(file), "", Stop{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for i := range s.Rounds {
		b, err := json.Marshal(s.Detail(i))
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(b, '\n'))
	}
	for _, u := range s.Units {
		fmt.Fprintf(&out, "%v %v on %d since %v\n", u.Unit, u.State, u.Worker, u.Since)
	}
	return out.String()
}

// A change of a value shows, and that nothing changed does too; equal values elsewhere do not.
func TestChangesStillShow(t *testing.T) {
	s := NewScrubber()
	value := func(s *Scrubber, connector, password string) string {
		r := s.Record(group.SourceConfig, recordOf("cf", "connector-"+connector, map[string]any{
			"properties": map[string]string{"connector.class": "org.shop.Sink", "db.password": password, "other": password},
		}))
		record, err := decode.ParseConfig(r.Key, r.Value)
		if err != nil {
			t.Fatal(err)
		}
		if record.Properties["other"] == record.Properties["db.password"] {
			t.Error("two properties of one value look the same")
		}
		return record.Properties["db.password"]
	}
	if first := value(s, "a", "one"); first != value(s, "a", "one") {
		t.Error("the same value looks changed")
	}
	if value(s, "a", "one") == value(s, "a", "two") {
		t.Error("a changed value looks the same")
	}
	if value(s, "a", "one") == value(s, "b", "one") {
		t.Error("two connectors' equal values look the same")
	}
	if value(s, "a", "one") == value(NewScrubber(), "a", "one") {
		t.Error("two recordings' digests can be compared")
	}
}

// FuzzScrub: a record that can be read can be read when scrubbed, and means the same but for values and traces; one that
// cannot be read still cannot.
func FuzzScrub(f *testing.F) {
	for _, key := range []string{"connector-a", "task-a-0", "commit-a", "target-state-a", "session-key", "restart-connector-a", "tasks-fencing-a", "status-task-a-0", "status-topic-t:connector-a"} {
		f.Add(key, []byte(`{"properties":{"a":"b","n":null},"tasks":1,"task-count":2,"state":"PAUSED","state.v2":"STOPPED","key":"k","algorithm":"x","creation-timestamp":5,"include-tasks":true,"only-failed":true,"trace":"t","worker_id":"w:1","generation":1,"topic":{"task":1}}`))
		f.Add(key, []byte(`{"Properties":{}}`))
		f.Add(key, []byte(`{"properties":[`))
	}
	f.Fuzz(func(t *testing.T, key string, value []byte) {
		s, r := NewScrubber(), Raw{Topic: "t", Key: []byte(key), Value: value}
		config, err := decode.ParseConfig(r.Key, r.Value)
		again := s.Record(group.SourceConfig, r)
		scrubbed, err2 := decode.ParseConfig(again.Key, again.Value)
		if (err == nil) != (err2 == nil) {
			t.Fatalf("config %q %q: %v, scrubbed %q: %v", key, value, err, again.Value, err2)
		}
		if len(config.Properties) != len(scrubbed.Properties) || (config.Properties == nil) != (scrubbed.Properties == nil) {
			t.Fatalf("config %q: properties %v, were %v", key, scrubbed.Properties, config.Properties)
		}
		config.Properties, scrubbed.Properties = nil, nil
		if got, want := fmt.Sprintf("%+v", scrubbed), fmt.Sprintf("%+v", config); got != want {
			t.Fatalf("config %q: %s, was %s", key, got, want)
		}
		status, err := decode.ParseStatus(r.Key, r.Value)
		again = s.Record(group.SourceStatus, r)
		said, err2 := decode.ParseStatus(again.Key, again.Value)
		if (err == nil) != (err2 == nil) {
			t.Fatalf("status %q %q: %v, scrubbed %q: %v", key, value, err, again.Value, err2)
		}
		status.Trace, said.Trace = "", ""
		if got, want := fmt.Sprintf("%+v", said), fmt.Sprintf("%+v", status); got != want {
			t.Fatalf("status %q: %s, was %s", key, got, want)
		}
	})
}
