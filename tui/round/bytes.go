package round

import (
	"encoding/hex"
	"strconv"
	"strings"

	"regroup/decode"
	"regroup/internal/words"
	"regroup/tui/label"
	"regroup/tui/scene"
	"regroup/tui/ui"
	"regroup/tui/ui/cell"
	"regroup/tui/ui/theme"
)

// fieldColumn is how wide a column of named bytes is: offset, bytes, name, value.
const fieldColumn = 58

// rowsForBytes is how many rows the round view needs to have the bytes below its table.
const rowsForBytes = 22

// nextBytes turns from what workers were told to what they reported. On a low screen the bytes take turns with the table.
func (v *View) nextBytes(s *scene.Scene) {
	switch {
	case s.Lay.Body.H >= rowsForBytes:
		v.reports = !v.reports
	case !v.onlyBytes:
		v.onlyBytes, v.reports = true, false
	case !v.reports:
		v.reports = true
	default:
		v.onlyBytes, v.reports, v.Focus = false, false, scene.PaneFlow
	}
}

// drawBytes shows what one worker said or was told, byte by byte.
func (v *View) drawBytes(s *scene.Scene, r cell.Rect) {
	what, other := "assignment", "subscription"
	if v.reports {
		what, other = other, what
		if r.H == s.Lay.Body.H { // they have the table's place, and give it back
			other = "table"
		}
	}
	b := s.Bytes
	focused := s.Panes.Pane(scene.PaneBytes)
	if b.Record == nil {
		s.Title(r, "Bytes", what, "b "+other, focused)
		l := s.Line(r, 1)
		l.Gap(2).Sentence(ui.Muted, whyNoBytes(b))
		return
	}
	w := v.bytesWorker(s)
	m := memberOf(b.Record, w)
	round, _ := s.Round()
	where := "offset " + strconv.FormatInt(round.Offset, 10)
	if s.Lay.Class >= scene.Wide {
		where = "__consumer_offsets-" + strconv.Itoa(int(round.Partition)) + " " + where
	}
	keys := "b " + other + " · w next worker"
	if where += " · " + keys; s.Lay.Class <= scene.Slim { // it would find no place
		where = keys
	}
	if m == nil {
		s.Title(r, "Bytes", what, where, focused)
		l := s.Line(r, 1)
		l.Gap(2).Sentence(ui.Muted, "the record has no member that this round had")
		return
	}
	raw, name := m.Assignment, decode.AssignmentFields
	if v.reports {
		raw, name = m.Subscription, decode.SubscriptionFields
	}
	fields, err := name(raw)
	s.Title(r, "Bytes", what+" of "+cell.Middle(nameOfMember(s, m), 20)+", "+words.Plural(len(raw), "byte"), where, focused)
	drawFields(s, r.Rows(1, r.H), raw, fields, err)
}

func whyNoBytes(b scene.BytesState) string {
	switch {
	case b.Off != "":
		return b.Off
	case b.Err != nil:
		return "not to be had: " + decode.Printable(b.Err.Error())
	}
	return "fetching …"
}

// bytesWorker is whose bytes are shown: w goes to the next, those that the round told something first.
func (v *View) bytesWorker(s *scene.Scene) string {
	var ids []string
	for _, told := range []bool{true, false} {
		for i := range s.State.Workers {
			if w := &s.State.Workers[i]; !w.Gone && (w.Assigned+w.Revoked > 0) == told {
				ids = append(ids, w.ID)
			}
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return ids[v.worker%len(ids)]
}

func memberOf(rec *decode.GroupRecord, id string) *decode.Member {
	for i := range rec.Members {
		if rec.Members[i].ID == id {
			return &rec.Members[i]
		}
	}
	return nil
}

func nameOfMember(s *scene.Scene, m *decode.Member) string {
	if name := label.WorkerNames(s.State)[m.ID]; name != "" {
		return name
	}
	return m.Client
}

// drawFields lays named bytes out in columns, down first. What finds no place is counted.
func drawFields(s *scene.Scene, r cell.Rect, raw []byte, fields []decode.Field, err error) {
	if len(raw) == 0 {
		l := s.Line(r, 0)
		l.Gap(2).Sentence(ui.Muted, "no bytes: the leader gave it nothing")
		return
	}
	columns := max(min((r.W+2)/fieldColumn, (len(fields)+max(r.H, 1)-1)/max(r.H, 1)), 1)
	width := (r.W - 2*(columns-1)) / columns
	rows := r.H
	list := s.Panes.List(scene.PaneBytes)
	list.Window(len(fields), rows*columns)
	name := 8
	for _, f := range fields {
		name = max(name, 2*f.Depth+len(f.Name)+1)
	}
	seen := fields[list.Top:min(list.Top+list.Height, len(fields))]
	for i := range seen {
		column := r.Columns(i/rows*(width+2), width)
		l := s.Line(column, i%rows)
		if hidden := len(fields) - list.Top - len(seen); hidden > 0 && i == len(seen)-1 {
			l.Gap(2).Sentence(ui.Muted, "… "+words.Plural(hidden+1, "more field"))
			return
		}
		drawField(&l, raw, seen[i], name)
	}
	if err != nil {
		l := s.Line(r, min(len(seen), rows-1))
		l.Gap(2).Sentence(theme.Wrong.Plain(), decode.Printable(err.Error()))
	}
}

func drawField(l *cell.Line, raw []byte, f decode.Field, name int) {
	l.Number(ui.Muted, strconv.Itoa(f.Offset), 4).Gap(2)
	l.Words(ui.Muted, hexBytes(raw, f), 24)
	l.Words(ui.Text, strings.Repeat("  ", f.Depth)+f.Name, name)
	style := ui.Strong
	switch f.Value {
	case "0 connectors", "null", "0 ms":
		style = ui.Faint
	}
	l.Sentence(style, decode.Printable(f.Value))
}

// hexBytes are the first bytes of a field.
func hexBytes(raw []byte, f decode.Field) string {
	const most = 8
	end := min(f.Offset+f.Length, len(raw))
	if f.Offset >= end {
		return ""
	}
	b, more := raw[f.Offset:end], ""
	if len(b) > most {
		b, more = b[:most-1], "…"
	}
	var out strings.Builder
	for i, c := range b {
		if i > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(hex.EncodeToString([]byte{c}))
	}
	if more != "" {
		out.WriteString(" " + more)
	}
	return out.String()
}
