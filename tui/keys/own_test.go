package keys

import "testing"

// A person's own keys reach every place: views, dialogs, forms, the palette and a comparison. Where text is typed, a letter stays a
// letter; and a key given to one thing is taken from others only where both are in force.
func TestOwnKeysReachEveryPlace(t *testing.T) {
	own := map[string][]string{
		"open":           {"o"},
		"find a setting": {"ctrl+g"},
		"complete":       {"ctrl+n"},
		"close":          {"x"},
		"another delay":  {"z"},
		"eager":          {"ctrl+e", "w"},
		"round before":   {"d"},
	}
	if err := Check(own); err != nil {
		t.Fatal(err)
	}
	table := Merge(own)
	for _, c := range []struct {
		in   View
		key  string
		want ID
	}{
		{Live, "o", DoOpen},
		{Live, "enter", ""},
		{Menu, "o", DoOpen},
		{Fields, "enter", DoOpen}, // o is a letter there
		{Fields, "o", ""},
		{Form, "ctrl+g", DoFind},
		{Form, "ctrl+f", ""},
		{Form, "ctrl+e", DoEditor}, // eager is not in a form
		{Palette, "ctrl+n", DoComplete},
		{Palette, "tab", ""},
		{Menu, "x", DoClose},
		{Menu, "q", ""},
		{Live, "q", DoQuit},
		{Question, "ctrl+e", DoEager},
		{Compare, "z", DoDelay},
		{Compare, "d", DoBefore},
		{Timeline, "z", DoLess}, // and a comparison's delay is not in a view
		{Doctor, "d", DoBefore},
	} {
		got := ID("")
		if b := Lookup(table, c.in, c.key, func(*Binding) bool { return true }); b != nil {
			got = b.Do
		}
		if got != c.want {
			t.Errorf("%s in %s does %q, want %q", c.key, c.in, got, c.want)
		}
	}
	if got := Shown(table, Form, DoFind); got != "ctrl+g" {
		t.Errorf("a form says that %s finds a setting", got)
	}
}
