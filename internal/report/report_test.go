package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"regroup/decode"
	"regroup/group"
	"regroup/group/doctor"
	"regroup/internal/observe/observetest"
	"regroup/internal/report"
	"regroup/tui/label"
	"regroup/tui/parts"
	"regroup/tui/ui/theme"
)

var rewrite = flag.Bool("rewrite", false, "write testdata anew")

func state(t *testing.T, capture, at string) *group.State {
	t.Helper()
	return observetest.File(t, filepath.Join("..", "..", "testdata", "captures", capture+"-4.3.1.jsonl"), at)
}

func page(t *testing.T, s *group.State, kind theme.Kind) []byte {
	t.Helper()
	found := doctor.Examine(s, doctor.Options{Passed: true})
	out, err := report.HTML(s, report.Options{Theme: kind, Location: time.UTC, Findings: &found, Why: label.LongWhy, Cost: parts.CostText, Version: "1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what it was: look at it, then run with -rewrite", path)
	}
}

// TestGoldens: open these files in a browser to review them.
func TestGoldens(t *testing.T) {
	golden(t, "lifecycle-22.light.svg", report.Timeline(state(t, "lifecycle", "22+2s"), report.TimelineOptions{Theme: theme.Light}))
	golden(t, "lifecycle.dark.svg", report.Timeline(state(t, "lifecycle", ""), report.TimelineOptions{Theme: theme.Dark}))
	golden(t, "lifecycle-22.html", page(t, state(t, "lifecycle", "22+2s"), theme.Auto))
}

// outside is a reference to something that is not in the document.
var outside = regexp.MustCompile(`(?i)<script|<link|<img|@import|src=|href=|url\((?:[^#])`)

// TestDocumentsAreWellFormed in every theme and for every capture, and stand alone.
func TestDocumentsAreWellFormed(t *testing.T) {
	for _, capture := range []string{"lifecycle", "eager-rolling", "clash"} {
		s := state(t, capture, "")
		for _, kind := range theme.Kinds {
			wellFormed(t, report.Timeline(s, report.TimelineOptions{Theme: kind}))
			if text := page(t, s, kind); outside.Match(text) {
				t.Errorf("%s: the report refers to something outside: %q", capture, outside.Find(text))
			}
		}
	}
}

func wellFormed(t *testing.T, svg []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
	}
}

// TestTheSameStateGivesTheSameBytes, however often.
func TestTheSameStateGivesTheSameBytes(t *testing.T) {
	if !bytes.Equal(page(t, state(t, "lifecycle", "22"), theme.Dark), page(t, state(t, "lifecycle", "22"), theme.Dark)) {
		t.Error("two reports of one State differ")
	}
}

// TestNamesAreText: a name that looks like markup, or holds control characters, is shown and nothing else.
func TestNamesAreText(t *testing.T) {
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	m := group.New(group.Options{Group: "<b>\x1b[31mgroup</b>"})
	name := "<script>alert(1)</script>\x1b]0;x\x07\u202e"
	a := decode.Assignment{Version: 2, Leader: "m", LeaderURL: "http://w:1/", Assigned: []decode.Share{{Connector: name, Tasks: []int32{decode.Instance, 0}}}}
	m.Apply(group.LogRecord{At: now, Record: &decode.GroupRecord{
		ProtocolType: decode.ProtocolType, Generation: 1, Protocol: decode.ProtocolSessioned, Leader: "m", StateAt: now,
		Members: []decode.Member{{
			ID: "m", Client: name, Subscription: decode.AppendSubscription(nil, decode.Subscription{Version: 2, URL: "http://w:1/"}),
			Assignment: decode.AppendAssignment(nil, a),
		}},
	}}, now)
	s := m.State(now.Add(time.Minute))
	svg := report.Timeline(s, report.TimelineOptions{})
	wellFormed(t, svg)
	for what, text := range map[string]string{"picture": string(svg), "report": string(page(t, s, theme.Light))} {
		if strings.Contains(text, "<script") || strings.Contains(text, "<b>") || strings.ContainsAny(text, "\x1b\x07\u202e") {
			t.Errorf("the %s has a name's markup or control characters", what)
		}
		if !strings.Contains(text, "alert(1)") {
			t.Errorf("the %s does not name the connector", what)
		}
	}
}

// TestAnEmptyStateGivesDocuments: there is always something to attach to a ticket.
func TestAnEmptyStateGivesDocuments(t *testing.T) {
	s := &group.State{Group: "g", Now: time.Unix(0, 0), At: -1}
	wellFormed(t, report.Timeline(s, report.TimelineOptions{}))
	page(t, s, theme.Auto)
}
