package form

import (
	"maps"
	"slices"

	"regroup/actions/connect"

	"regroup/actions"
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/scene"
	"regroup/tui/ui"
)

// The keys that every connector has, and that stand before all groups.
const (
	keyName  = "name"
	keyClass = "connector.class"
)

// Form is one that somebody writes on.
type Form struct {
	*actions.ConnectorForm
	Around
	base  map[string]*string // what stands there, but for what is typed
	typed map[string]*ui.Input
	met   map[string]bool // settings that the cursor has been on, or that were named: they stay in sight
	at    string          // the setting under the cursor
	rows  []line          // as they were laid out last
	list  ui.List

	look    *connect.Inspection // the newest answer; nil: none came yet
	lookAt  map[string]*string  // what was looked at
	indexed *connect.Inspection // what index is of
	index   map[string]int      // where in it each setting is
	lookErr string              // why the newest question has none
	looking bool
	round   *group.Round // the newest when it was asked last
	wait    scene.Request

	all    bool // every setting is listed
	whole  bool // what will be sent is shown instead
	top    int  // of that
	tried  bool // somebody wanted to send it: everything that is wrong is said
	find   *ui.Input
	load   *ui.Input
	choose *pluginPicker

	making  bool // the action is being made ready
	failed  string
	sent    bool // what was agreed to is under way
	leaving bool // esc was pressed once
	direct  bool // it is edited in an editor alone: what comes out of that is made ready
}

// Around is what a form asks of the screen around it.
type Around struct {
	Run    scene.Runner
	Newest func() *group.Round // nil: there is none
}

// New is a form, nothing written on it yet.
func New(a Around, s *actions.ConnectorForm) *Form {
	f := &Form{ConnectorForm: s, Around: a, base: maps.Clone(s.Values), typed: map[string]*ui.Input{}, met: map[string]bool{}}
	if f.base == nil {
		f.base = map[string]*string{}
	}
	if len(s.Plugins) > 0 && f.base[keyClass] == nil {
		f.choose = newPluginPicker(s.Plugins)
	}
	return f
}

// stands is what a setting would be sent as, and whether it would be sent at all.
func (f *Form) stands(key string) (*string, bool) {
	if e := f.typed[key]; e != nil && e.Edited() {
		v := e.String()
		return &v, v != ""
	}
	v, ok := f.base[key]
	return v, ok
}

// values are the settings as they would be sent.
func (f *Form) values() map[string]*string {
	out := maps.Clone(f.base)
	for key := range f.typed {
		if v, ok := f.stands(key); ok {
			out[key] = v
		} else {
			delete(out, key)
		}
	}
	return out
}

// given is the text that stands at a setting, and whether anything does.
func (f *Form) given(key string) (string, bool) {
	v, ok := f.stands(key)
	if v == nil {
		return "", ok
	}
	return *v, ok
}

// changed says whether a setting differs from what is there.
func (f *Form) changed(key string) bool {
	was, had := f.Values[key]
	now, has := f.stands(key)
	return had != has || had && !sameText(was, now)
}

func sameText(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

// touched says whether anything differs from what is there.
func (f *Form) touched() bool {
	now := f.values()
	return !maps.EqualFunc(f.Values, now, sameText)
}

// setting is what the plugin says of a key; nil: it knows none of that name, or was not asked yet.
func (f *Form) setting(key string) *connect.Setting {
	if f.look == nil {
		return nil
	}
	if f.indexed != f.look { // some plugins have thousands, and each row asks
		f.indexed, f.index = f.look, make(map[string]int, len(f.look.Settings))
		for i := range f.look.Settings {
			if _, twice := f.index[f.look.Settings[i].Key]; !twice {
				f.index[f.look.Settings[i].Key] = i
			}
		}
	}
	if i, ok := f.index[key]; ok {
		return &f.look.Settings[i]
	}
	return nil
}

// things counts what is listed.
func (f *Form) things(n int) string {
	if f.Plain {
		return words.Plural(n, "partition")
	}
	return words.Plural(n, "setting")
}

func (f *Form) fixed(key string) bool { return slices.Contains(f.Fixed, key) }

// secret says whether what stands at a setting must not be shown.
func (f *Form) secret(key string) bool {
	if s := f.setting(key); s != nil && s.Secret {
		return true
	}
	v, _ := f.given(key)
	return connect.Secrets{}.Secret(key, v)
}

// choices are what is usual at a setting.
func (f *Form) choices(key string) []string {
	if key == keyClass && len(f.Plugins) > 0 {
		out := make([]string, len(f.Plugins))
		for i, p := range f.Plugins {
			out[i] = p.Class
		}
		return out
	}
	if s := f.setting(key); s != nil {
		return s.Choices
	}
	return nil
}

// input is where a setting is typed. One that is masked begins empty: nobody can go on writing at what is not seen.
func (f *Form) input(key string) *ui.Input {
	if e := f.typed[key]; e != nil {
		return e
	}
	v, _ := f.given(key)
	if v == connect.Mask {
		v = ""
	}
	e := ui.NewInput(v)
	f.typed[key], f.met[key] = &e, true
	return &e
}

// faults are what is wrong with a setting, as far as it is time to say so: what nobody has filled in yet is not wrong.
func (f *Form) faults(key string) []string {
	s := f.setting(key)
	if s == nil {
		return nil
	}
	if _, ok := f.given(key); !ok && !f.tried && (f.typed[key] == nil || !f.typed[key].Edited()) {
		return nil
	}
	return f.known(s)
}

// known are a worker's faults with a setting, unless it has changed since.
func (f *Form) known(s *connect.Setting) []string {
	was, had := f.lookAt[s.Key]
	now, has := f.stands(s.Key)
	if had != has || had && !sameText(was, now) {
		return nil
	}
	return s.Faults
}

// counts are how many settings are wrong, and how many are still to be filled in.
func (f *Form) counts() (wrong, missing int) {
	if f.look == nil {
		return 0, 0
	}
	for i := range f.look.Settings {
		switch s := &f.look.Settings[i]; {
		case len(f.known(s)) == 0:
		case len(f.faults(s.Key)) > 0:
			wrong++
		default:
			missing++
		}
	}
	return wrong, missing
}

// off says why it cannot be sent; "": it can, as far as is known.
func (f *Form) off() string { return or(f.barred(), f.faulty()) }

// barred is why it cannot be sent whatever a worker says of it.
func (f *Form) barred() string {
	switch {
	case f.making:
		return "it is being looked at"
	case f.DisabledReason != "":
		return f.DisabledReason
	case !f.New && !f.touched():
		return "nothing has changed"
	}
	return ""
}

// faulty is what a worker finds wrong.
func (f *Form) faulty() string {
	if key := f.firstFault(); key != "" && f.lookErr == "" {
		if _, ok := f.given(key); !ok {
			return ui.Printable(key) + " is missing"
		}
		return ui.Printable(key) + " is not valid"
	}
	return ""
}

// firstFault is the first setting that something is wrong with, in the order of the list; "": there is none.
func (f *Form) firstFault() string {
	if f.look == nil {
		return ""
	}
	for _, b := range f.blocks() {
		for _, key := range b.keys {
			if s := f.setting(key); s != nil && len(f.known(s)) > 0 {
				return key
			}
		}
	}
	return ""
}
