package form

import (
	"maps"
	"slices"
	"strings"

	"regroup/actions/connect"

	"regroup/tui/label"
	"regroup/tui/ui"
)

// line is one of the list of settings: a heading, a setting, or what is wrong with the one above it.
type line struct {
	heading string
	key     string
	fault   string
}

// block is a heading with its settings.
type block struct {
	heading string
	keys    []string
}

// blocks are all settings in the order of the list: what a connector is called and made of, what has to be given, then the
// plugin's groups in its own order, and at the end what it does not know.
func (f *Form) blocks() []block {
	first := block{}
	placed := map[string]bool{}
	put := func(b *block, key string) {
		if !placed[key] {
			placed[key] = true
			b.keys = append(b.keys, key)
		}
	}
	if !f.Plain {
		if !f.fixed(keyName) {
			put(&first, keyName)
		}
		put(&first, keyClass)
	}
	placed[keyName] = !f.Plain
	var out []block
	if f.look != nil {
		at := map[string]int{} // where in out each heading is
		for i := range f.look.Settings {
			if s := &f.look.Settings[i]; s.Required {
				put(&first, s.Key)
			}
		}
		for i := range f.look.Settings {
			s := &f.look.Settings[i]
			heading := headingOf(s, f.look.Class)
			k, ok := at[heading]
			if !ok {
				k, out = len(out), append(out, block{heading: heading})
				at[heading] = k
			}
			put(&out[k], s.Key)
		}
	}
	further := block{heading: "Not known to the plugin"}
	if f.look == nil {
		further.heading = "Settings"
	}
	for _, key := range slices.Sorted(maps.Keys(f.values())) {
		put(&further, key)
	}
	for _, key := range slices.Sorted(maps.Keys(f.met)) {
		put(&further, key)
	}
	out = append([]block{first}, append(out, further)...)
	return slices.DeleteFunc(out, func(b block) bool { return len(b.keys) == 0 })
}

// headingOf is a setting's group. Plugins often give their own settings none, and workers none to those of a converter.
func headingOf(s *connect.Setting, class string) string {
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
func (f *Form) listed(key string) bool {
	s := f.setting(key)
	if f.find != nil && f.find.String() != "" {
		want := f.find.String()
		return ui.Matches(want, key) || s != nil && ui.Matches(want, s.Doc)
	}
	if _, ok := f.given(key); ok || f.all || f.met[key] || s == nil || key == keyName || key == keyClass {
		return true
	}
	return !s.Hidden && (s.Required || s.Importance == "high" || len(f.faults(key)) > 0) || f.Plain
}

// toFound puts the cursor on the setting that fits best what is typed to find one: by its name before what it does.
func (f *Form) toFound() {
	want, best := strings.ToLower(f.find.String()), -1
	for _, key := range f.keys() {
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
			best, f.at = fit, key
		}
	}
	f.layRows()
}

// layRows makes the rows, and puts the cursor on one of them.
func (f *Form) layRows() {
	f.rows = f.rows[:0]
	var keys []string
	for _, b := range f.blocks() {
		headed := b.heading == ""
		for _, key := range b.keys {
			if !f.listed(key) {
				continue
			}
			if !headed {
				headed = true
				f.rows = append(f.rows, line{heading: b.heading})
			}
			f.rows = append(f.rows, line{key: key})
			keys = append(keys, key)
			if wrong := f.faults(key); len(wrong) > 0 {
				f.rows = append(f.rows, line{fault: strings.Replace(wrong[0], " for configuration "+key, "", 1)})
			}
		}
	}
	if !slices.Contains(keys, f.at) {
		f.at = ""
		if len(keys) > 0 {
			f.at = keys[0]
		}
	}
	for i, row := range f.rows {
		if row.key == f.at && f.at != "" {
			f.list.Cursor = i
		}
	}
}

// airRows puts an empty row before each heading, where that many fit.
func (f *Form) airRows(height int) {
	var out []line
	for i, row := range f.rows {
		if row.heading != "" && i > 0 {
			out = append(out, line{})
		}
		out = append(out, row)
	}
	if len(out) > height {
		return
	}
	f.rows = out
	f.list.Cursor = max(slices.IndexFunc(out, func(row line) bool { return row.key != "" && row.key == f.at }), 0)
}

// keys are the settings in the list.
func (f *Form) keys() []string {
	f.layRows()
	var out []string
	for _, row := range f.rows {
		if row.key != "" {
			out = append(out, row.key)
		}
	}
	return out
}

// move goes by settings. What the cursor was on stays in the list.
func (f *Form) move(by int) {
	keys := f.keys()
	if len(keys) == 0 {
		return
	}
	i := slices.Index(keys, f.at)
	f.to(keys[min(max(i+by, 0), len(keys)-1)])
}

func (f *Form) to(key string) {
	f.at = key
	if e := f.typed[key]; e != nil {
		e.ToEnd()
	}
}

// total is how many settings there are.
func (f *Form) total() int {
	n := 0
	for _, b := range f.blocks() {
		n += len(b.keys)
	}
	return n
}
