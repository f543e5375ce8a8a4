package form

import (
	"strconv"
	"testing"

	"regroup/actions/connect"

	"regroup/actions"
)

// A setting is found in the newest answer, wherever it stands in it, and by its first line where a plugin names it twice.
func TestSettingOfTheNewestAnswer(t *testing.T) {
	f := New(Around{}, &actions.ConnectorForm{})
	look := func(keys ...string) {
		f.look = &connect.Inspection{}
		for i, key := range keys {
			f.look.Settings = append(f.look.Settings, connect.Setting{Key: key, Doc: strconv.Itoa(i)})
		}
	}
	if f.setting("a") != nil {
		t.Error("nothing was answered yet")
	}
	look("a", "b", "a")
	if a := f.setting("a"); a == nil || a.Doc != "0" {
		t.Errorf("named twice: %v", a)
	}
	look("c", "a")
	if a := f.setting("a"); a == nil || a.Doc != "1" || f.setting("b") != nil {
		t.Errorf("in the newest answer: %v, %v", a, f.setting("b"))
	}
}
