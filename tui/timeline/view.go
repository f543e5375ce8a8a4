package timeline

import (
	"strings"
	"time"

	"regroup/internal/words"
	"regroup/tui/keys"
	"regroup/tui/lanes"
	"regroup/tui/parts"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
)

// View shows what ran where over time: a lane a worker, or a lane a unit.
type View struct {
	scene.Common
	Time lanes.Zoom
	memo *lanes.Memo
}

// New is the view as the program begins with it.
func New() *View {
	return &View{Common: scene.NewCommon(scene.PaneTimeline), memo: &lanes.Memo{}}
}

// Copied implements scene.View.
func (v *View) Copied() scene.View { return &View{v.Common.Copied(), v.Time, v.memo} }

// Open implements scene.View.
func (*View) Open(*scene.Scene) scene.Action { return scene.OpenView{keys.Round} }

// Sheet implements scene.View.
func (v *View) Sheet(s *scene.Scene) *scene.Sheet { return parts.UnitSheet(s, v.Filter.String(), 1) }

// Press implements scene.View.
func (v *View) Press(s *scene.Scene, what keys.ID) scene.Action {
	switch {
	case s.Live == nil:
	case what == keys.DoZoomIn:
		v.Time.Zoom(+1, v.anchor(s))
	case what == keys.DoZoomOut:
		v.Time.Zoom(-1, v.anchor(s))
	case what == keys.DoEarlier:
		v.Time.Pan(-1, s.Live.Now)
	case what == keys.DoLater:
		v.Time.Pan(+1, s.Live.Now)
	}
	return nil
}

// anchor is what stays where it is when columns become longer or shorter: the round stood on, else the middle, else now.
func (v *View) anchor(s *scene.Scene) time.Time {
	if r := s.State.Round(); s.State.Past && r != nil {
		return r.At
	}
	if !v.Time.End.IsZero() {
		return v.Time.Drawn.Start(v.Time.Drawn.Width / 2)
	}
	return s.Live.Now
}

// Draw implements scene.View.
func (v *View) Draw(s *scene.Scene, r cell.Rect) {
	focused := s.Panes.Pane(scene.PaneTimeline)
	if s.Live == nil || len(s.Live.Rounds) == 0 {
		s.Title(r, "Timeline", "", "", focused)
		l := s.Line(r, 1)
		l.Text(ui.Muted, "No round is known yet.")
		return
	}
	t := lanes.New(s, v.memo, &v.Time, r.W, s.Panes.Less)
	kind := "a lane a worker, as high as the units it holds"
	if t.Units {
		kind = "a lane a unit"
	}
	rest := r.Rows(lanes.TimeHeads, r.H)
	legendH := 0
	if rest.H >= 8 {
		legendH = 1
		t.Legend(rest.Rows(rest.H-1, 1))
		rest = rest.Rows(0, rest.H-2)
	}
	if all, fit := t.Count(rest.H); all > fit {
		list := s.Panes.List(scene.PaneTimeline)
		list.Window(all, fit)
		kind, _, _ = strings.Cut(kind, ",")
		kind += ", " + words.Thousands(list.Top+1) + "-" + words.Thousands(list.Top+fit) + " of " + words.Thousands(all)
	}
	t.Title(r, kind, focused)
	t.Heads(r, 1)
	lanesH := t.Wanted(rest.H)
	story := t.Story(r.W)
	if left := rest.H - lanesH; left >= len(story)+2 && len(story) > 0 {
		t.DrawStory(rest.Rows(rest.H-len(story)-1, len(story)+1), story)
		rest = rest.Rows(0, rest.H-len(story)-2)
	}
	t.Lanes(rest)
	t.Cursor(r.Rows(1, r.H-1-legendH-1), lanes.TimeHeads-1+lanesH)
}
