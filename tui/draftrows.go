package tui

import (
	"maps"
	"slices"
	"strings"

	"regroup/actions"
	"regroup/tui/label"
	"regroup/tui/ui"
)

// draftRow is a line of the list of settings: a heading, a setting, or what is wrong with the one above it.
type draftRow struct {
	heading string
	key     string
	fault   string
}

// draftBlock is a heading with its settings.
type draftBlock struct {
	heading string
	keys    []string
}

// blocks are all settings in the order of the list: what a connector is called and made of, what has to be given, then the
// plugin's groups in its own order, and at the end what it does not know.
func (dr *draft) blocks() []draftBlock {
	first := draftBlock{}
	placed := map[string]bool{}
	put := func(b *draftBlock, key string) {
		if !placed[key] {
			placed[key] = true
			b.keys = append(b.keys, key)
		}
	}
	if !dr.Plain {
		if !dr.fixed(keyName) {
			put(&first, keyName)
		}
		put(&first, keyClass)
	}
	placed[keyName] = !dr.Plain
	var out []draftBlock
	if dr.look != nil {
		at := map[string]int{} // where in out each heading is
		for i := range dr.look.Settings {
			if s := &dr.look.Settings[i]; s.Required {
				put(&first, s.Key)
			}
		}
		for i := range dr.look.Settings {
			s := &dr.look.Settings[i]
			heading := headingOf(s, dr.look.Class)
			k, ok := at[heading]
			if !ok {
				k, out = len(out), append(out, draftBlock{heading: heading})
				at[heading] = k
			}
			put(&out[k], s.Key)
		}
	}
	further := draftBlock{heading: "Not known to the plugin"}
	if dr.look == nil {
		further.heading = "Settings"
	}
	for _, key := range slices.Sorted(maps.Keys(dr.values())) {
		put(&further, key)
	}
	for _, key := range slices.Sorted(maps.Keys(dr.met)) {
		put(&further, key)
	}
	out = append([]draftBlock{first}, append(out, further)...)
	return slices.DeleteFunc(out, func(b draftBlock) bool { return len(b.keys) == 0 })
}

// headingOf is a setting's group. Plugins often give their own settings none, and workers none to those of a converter.
func headingOf(s *actions.Setting, class string) string {
	for _, kind := range []string{"key.converter", "value.converter", "header.converter"} {
		if s.Group == "" && strings.HasPrefix(s.Key, kind+".") {
			return kind
		}
	}
	if s.Group == "" {
		return label.ShortClass(class)
	}
	return s.Group
}

// listed says whether a setting is in the list: what has to be given, matters much, is given, or was met; all of them on
// demand, and those that what is typed into the filter finds.
func (dr *draft) listed(key string) bool {
	s := dr.setting(key)
	if dr.find != nil && len(dr.find.runes) > 0 {
		f := ui.Filter{Text: dr.find.String()}
		return f.Matches(key) || s != nil && f.Matches(s.Doc)
	}
	if _, ok := dr.given(key); ok || dr.all || dr.met[key] || s == nil || key == keyName || key == keyClass {
		return true
	}
	return !s.Hidden && (s.Required || s.Importance == "high" || len(dr.faults(key)) > 0) || dr.Plain
}

// toFound puts the cursor on the setting that fits best what is typed to find one: by its name before what it does.
func (dr *draft) toFound() {
	want, best := strings.ToLower(dr.find.String()), -1
	for _, key := range dr.keys() {
		name, fit := strings.ToLower(key), 0
		switch {
		case name == want:
			fit = 3
		case strings.HasPrefix(name, want):
			fit = 2
		case strings.Contains(name, want):
			fit = 1
		}
		if fit > best {
			best, dr.at = fit, key
		}
	}
	dr.layRows()
}

// layRows makes the rows, and puts the cursor on one of them.
func (dr *draft) layRows() {
	dr.rows = dr.rows[:0]
	var keys []string
	for _, b := range dr.blocks() {
		headed := b.heading == ""
		for _, key := range b.keys {
			if !dr.listed(key) {
				continue
			}
			if !headed {
				headed = true
				dr.rows = append(dr.rows, draftRow{heading: b.heading})
			}
			dr.rows = append(dr.rows, draftRow{key: key})
			keys = append(keys, key)
			if f := dr.faults(key); len(f) > 0 {
				dr.rows = append(dr.rows, draftRow{fault: strings.Replace(f[0], " for configuration "+key, "", 1)})
			}
		}
	}
	if !slices.Contains(keys, dr.at) {
		dr.at = ""
		if len(keys) > 0 {
			dr.at = keys[0]
		}
	}
	for i, row := range dr.rows {
		if row.key == dr.at && dr.at != "" {
			dr.list.Cursor = i
		}
	}
}

// airRows puts an empty row before each heading, where that many fit.
func (dr *draft) airRows(height int) {
	var out []draftRow
	for i, row := range dr.rows {
		if row.heading != "" && i > 0 {
			out = append(out, draftRow{})
		}
		out = append(out, row)
	}
	if len(out) > height {
		return
	}
	dr.rows = out
	dr.list.Cursor = max(slices.IndexFunc(out, func(row draftRow) bool { return row.key != "" && row.key == dr.at }), 0)
}

// keys are the settings in the list.
func (dr *draft) keys() []string {
	dr.layRows()
	var out []string
	for _, row := range dr.rows {
		if row.key != "" {
			out = append(out, row.key)
		}
	}
	return out
}

// move goes by settings. What the cursor was on stays in the list.
func (dr *draft) move(by int) {
	keys := dr.keys()
	if len(keys) == 0 {
		return
	}
	i := slices.Index(keys, dr.at)
	dr.to(keys[min(max(i+by, 0), len(keys)-1)])
}

func (dr *draft) to(key string) {
	dr.at = key
	if e := dr.typed[key]; e != nil {
		e.at = len(e.runes)
	}
}

// total is how many settings there are.
func (dr *draft) total() int {
	n := 0
	for _, b := range dr.blocks() {
		n += len(b.keys)
	}
	return n
}
