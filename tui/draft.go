package tui

import (
	"context"
	"maps"
	"slices"

	"regroup/actions"
	"regroup/group"
	"regroup/internal/words"
	"regroup/tui/ui"
)

// The keys that every connector has, and that stand before all groups.
const (
	keyName  = "name"
	keyClass = "connector.class"
)

// draft is a form that somebody writes on.
type draft struct {
	*actions.ConnectorForm
	base  map[string]*string // what stands there, but for what is typed
	typed map[string]*entry
	met   map[string]bool // settings that the cursor has been on, or that were named: they stay in sight
	at    string          // the setting under the cursor
	rows  []draftRow      // as they were laid out last
	list  ui.List

	look    *actions.Inspection // the newest answer; nil: none came yet
	lookAt  map[string]*string  // what was looked at
	indexed *actions.Inspection // what index is of
	index   map[string]int      // where in it each setting is
	lookErr string              // why the newest question has none
	looking bool
	round   *group.Round // the newest when it was asked last
	number  int          // of the answer that is waited for
	end     context.CancelFunc

	all    bool // every setting is listed
	whole  bool // what will be sent is shown instead
	top    int  // of that
	tried  bool // somebody wanted to send it: everything that is wrong is said
	find   *entry
	load   *entry
	choose *chooser

	making  bool // the action is being made ready
	failed  string
	sent    int  // number of the action that was agreed to
	leaving bool // esc was pressed once
	direct  bool // it is edited in an editor alone: what comes out of that is made ready
}

func newDraft(s *actions.ConnectorForm) *draft {
	dr := &draft{ConnectorForm: s, base: maps.Clone(s.Values), typed: map[string]*entry{}, met: map[string]bool{}}
	if dr.base == nil {
		dr.base = map[string]*string{}
	}
	if len(s.Plugins) > 0 && dr.base[keyClass] == nil {
		dr.choose = newChooser(s.Plugins)
	}
	return dr
}

// stands is what a setting would be sent as, and whether it would be sent at all.
func (dr *draft) stands(key string) (*string, bool) {
	if e := dr.typed[key]; e != nil && e.edited {
		v := e.String()
		return &v, v != ""
	}
	v, ok := dr.base[key]
	return v, ok
}

// values are the settings as they would be sent.
func (dr *draft) values() map[string]*string {
	out := maps.Clone(dr.base)
	for key := range dr.typed {
		if v, ok := dr.stands(key); ok {
			out[key] = v
		} else {
			delete(out, key)
		}
	}
	return out
}

// given is the text that stands at a setting, and whether anything does.
func (dr *draft) given(key string) (string, bool) {
	v, ok := dr.stands(key)
	if v == nil {
		return "", ok
	}
	return *v, ok
}

// changed says whether a setting differs from what is there.
func (dr *draft) changed(key string) bool {
	was, had := dr.Values[key]
	now, has := dr.stands(key)
	return had != has || had && !sameText(was, now)
}

func sameText(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

// touched says whether anything differs from what is there.
func (dr *draft) touched() bool {
	now := dr.values()
	return !maps.EqualFunc(dr.Values, now, sameText)
}

// setting is what the plugin says of a key; nil: it knows none of that name, or was not asked yet.
func (dr *draft) setting(key string) *actions.Setting {
	if dr.look == nil {
		return nil
	}
	if dr.indexed != dr.look { // some plugins have thousands, and each row asks
		dr.indexed, dr.index = dr.look, make(map[string]int, len(dr.look.Settings))
		for i := range dr.look.Settings {
			if _, twice := dr.index[dr.look.Settings[i].Key]; !twice {
				dr.index[dr.look.Settings[i].Key] = i
			}
		}
	}
	if i, ok := dr.index[key]; ok {
		return &dr.look.Settings[i]
	}
	return nil
}

// things counts what is listed.
func (dr *draft) things(n int) string {
	if dr.Plain {
		return words.Plural(n, "partition")
	}
	return words.Plural(n, "setting")
}

func (dr *draft) fixed(key string) bool { return slices.Contains(dr.Fixed, key) }

// secret says whether what stands at a setting must not be shown.
func (dr *draft) secret(key string) bool {
	if s := dr.setting(key); s != nil && s.Secret {
		return true
	}
	v, _ := dr.given(key)
	return actions.Secrets{}.Secret(key, v)
}

// choices are what is usual at a setting.
func (dr *draft) choices(key string) []string {
	if key == keyClass && len(dr.Plugins) > 0 {
		out := make([]string, len(dr.Plugins))
		for i, p := range dr.Plugins {
			out[i] = p.Class
		}
		return out
	}
	if s := dr.setting(key); s != nil {
		return s.Choices
	}
	return nil
}

// entryOf is where a setting is typed. One that is masked begins empty: nobody can go on writing at what is not seen.
func (dr *draft) entryOf(key string) *entry {
	if e := dr.typed[key]; e != nil {
		return e
	}
	v, _ := dr.given(key)
	if v == actions.Mask {
		v = ""
	}
	e := newEntry(v)
	dr.typed[key], dr.met[key] = e, true
	return e
}

// faults are what is wrong with a setting, as far as it is time to say so: what nobody has filled in yet is not wrong.
func (dr *draft) faults(key string) []string {
	s := dr.setting(key)
	if s == nil {
		return nil
	}
	if _, ok := dr.given(key); !ok && !dr.tried && (dr.typed[key] == nil || !dr.typed[key].edited) {
		return nil
	}
	return dr.known(s)
}

// known are a worker's faults with a setting, unless it has changed since.
func (dr *draft) known(s *actions.Setting) []string {
	was, had := dr.lookAt[s.Key]
	now, has := dr.stands(s.Key)
	if had != has || had && !sameText(was, now) {
		return nil
	}
	return s.Faults
}

// counts are how many settings are wrong, and how many are still to be filled in.
func (dr *draft) counts() (wrong, missing int) {
	if dr.look == nil {
		return 0, 0
	}
	for i := range dr.look.Settings {
		switch s := &dr.look.Settings[i]; {
		case len(dr.known(s)) == 0:
		case len(dr.faults(s.Key)) > 0:
			wrong++
		default:
			missing++
		}
	}
	return wrong, missing
}

// off says why it cannot be sent; "": it can, as far as is known.
func (dr *draft) off() string { return or(dr.barred(), dr.faulty()) }

// barred is why it cannot be sent whatever a worker says of it.
func (dr *draft) barred() string {
	switch {
	case dr.making:
		return "it is being looked at"
	case dr.DisabledReason != "":
		return dr.DisabledReason
	case !dr.New && !dr.touched():
		return "nothing has changed"
	}
	return ""
}

// faulty is what a worker finds wrong.
func (dr *draft) faulty() string {
	if key := dr.firstFault(); key != "" && dr.lookErr == "" {
		if _, ok := dr.given(key); !ok {
			return ui.Printable(key) + " is missing"
		}
		return ui.Printable(key) + " is not valid"
	}
	return ""
}

// firstFault is the first setting that something is wrong with, in the order of the list; "": there is none.
func (dr *draft) firstFault() string {
	if dr.look == nil {
		return ""
	}
	for _, b := range dr.blocks() {
		for _, key := range b.keys {
			if s := dr.setting(key); s != nil && len(dr.known(s)) > 0 {
				return key
			}
		}
	}
	return ""
}
