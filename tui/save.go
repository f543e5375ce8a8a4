package tui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"regroup/group/doctor"
	"regroup/internal/report"
	"regroup/tui/keys"
	"regroup/tui/label"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/timeline"
	"regroup/tui/ui"
)

// savedMsg says where something was saved, or why it was not.
type savedMsg struct {
	path, what string
	err        error
}

func nothingToSave(m *model) string {
	if m.view != keys.Fleet && m.shown() == nil {
		return "nothing is known yet"
	}
	return ""
}

// save writes what is seen to a file. Without a name it makes one in the folder that the program was started in; the name's
// ending says how: the timeline is a picture unless it is asked for otherwise, all else is a table.
func (m *model) save(name string) tea.Cmd {
	kind := strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
	if name != "" && !slices.Contains([]string{"csv", "json", "svg", "txt", "html"}, kind) {
		m.ui.message = "save: " + ui.Printable(name) + " needs the ending .csv, .json, .svg, .txt or .html."
		return nil
	}
	if kind == "html" {
		return m.saveReport(name)
	}
	if kind == "" {
		kind = "csv"
		if m.view == keys.Timeline {
			kind = "svg"
		}
	}
	var content []byte
	var err error
	what := string(m.view)
	switch kind {
	case "svg":
		if content, what = m.timelinePicture(), "timeline"; content == nil {
			m.ui.message = "save: there is no round to draw yet."
			return nil
		}
	case "txt":
		content = []byte(m.plainScreen())
	default:
		t := m.sheet()
		if t == nil {
			m.ui.message = "save: there is nothing to save yet."
			return nil
		}
		what = t.Name
		content, err = t.As(kind)
	}
	if err != nil {
		m.ui.message = "save: " + ui.Printable(err.Error()) + "."
		return nil
	}
	return m.write(name, what, kind, content)
}

// sheet is the table of the view that is open; nil: nothing is known yet.
func (m *model) sheet() *scene.Sheet {
	if m.view != keys.Fleet && m.shown() == nil {
		return nil
	}
	return m.views[m.view].Sheet(m.scene())
}

// write writes a file off the screen's goroutine. A name that was made gets a number if there is such a file; one that was
// given is never written over.
func (m *model) write(name, what, kind string, content []byte) tea.Cmd {
	made := name == ""
	if made {
		name = m.fileName(what, kind)
	}
	return func() tea.Msg {
		path, err := writeNew(name, made, content)
		return savedMsg{path: path, what: what, err: err}
	}
}

func (m *model) fileName(what, kind string) string {
	var at time.Time
	parts := []string{"regroup"}
	switch s := m.shown(); {
	case m.view == keys.Fleet && m.fleet != nil:
		at = m.fleet.Now
	case s != nil:
		at, parts = s.Now, append(parts, fileSafe(s.Group))
	}
	return strings.Join(append(parts, what, at.In(m.loc).Format("20060102-150405")), "-") + "." + kind
}

// fileSafe leaves of a name what no shell and no file system minds.
func fileSafe(name string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '_'
	}, name)
	return strings.TrimLeft(safe[:min(len(safe), 60)], ".-")
}

func writeNew(name string, numbered bool, content []byte) (string, error) {
	for n := 1; ; n++ {
		path := name
		if n > 1 {
			ext := filepath.Ext(name)
			path = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
		}
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644) //nolint:gosec // what is saved is for others to read
		if errors.Is(err, os.ErrExist) && numbered && n < 100 {
			continue
		}
		if err != nil {
			return path, err
		}
		_, err = f.Write(content)
		return path, errors.Join(err, f.Close())
	}
}

func (m *model) onSaved(msg savedMsg) {
	m.stale = true
	var pe *os.PathError
	switch {
	case errors.As(msg.err, &pe):
		m.ui.message = "save: " + ui.Printable(msg.path) + ": " + ui.Printable(pe.Err.Error()) + "."
	case msg.err != nil:
		m.ui.message = "save: " + ui.Printable(msg.err.Error()) + "."
	default:
		m.ui.message = "saved: the " + msg.what + " in " + ui.Printable(msg.path)
		if strings.HasSuffix(msg.path, ".csv") {
			m.ui.message += "; :save FILE.json for JSON"
		}
	}
}

// timelinePicture is the timeline as SVG: what the timeline shows, or all of it from another view.
func (m *model) timelinePicture() []byte {
	if m.live == nil || len(m.live.Rounds) == 0 {
		return nil
	}
	o := report.TimelineOptions{Theme: m.shownKind(), Location: m.loc}
	if w := m.views[keys.Timeline].(*timeline.View).Time.Drawn; m.view == keys.Timeline && w.Per > 0 {
		o.From, o.To = w.From, w.To()
		if o.To.After(m.live.Now) {
			o.To = m.live.Now
		}
	}
	return report.Timeline(m.live, o)
}

func (m *model) saveReport(name string) tea.Cmd {
	s := m.shown()
	if s == nil {
		return nil
	}
	found := doctor.Examine(s, doctor.Options{Passed: m.recorded()})
	text, err := report.HTML(s, report.Options{Location: m.loc, Findings: &found, Why: label.LongWhy, Cost: parts.CostText, Version: m.opt.Version})
	if err != nil {
		m.ui.message = "report: " + ui.Printable(err.Error()) + "."
		return nil
	}
	return m.write(name, "report", "html", text)
}
