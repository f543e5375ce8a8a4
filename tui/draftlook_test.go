package tui

import (
	"strconv"
	"testing"

	"regroup/actions"
)

// A setting is found in the newest answer, wherever it stands in it, and by its first line where a plugin names it twice.
func TestSettingOfTheNewestAnswer(t *testing.T) {
	dr := newDraft(&actions.ConnectorForm{})
	look := func(keys ...string) {
		dr.look = &actions.Inspection{}
		for i, key := range keys {
			dr.look.Settings = append(dr.look.Settings, actions.Setting{Key: key, Doc: strconv.Itoa(i)})
		}
	}
	if dr.setting("a") != nil {
		t.Error("nothing was answered yet")
	}
	look("a", "b", "a")
	if a := dr.setting("a"); a == nil || a.Doc != "0" {
		t.Errorf("named twice: %v", a)
	}
	look("c", "a")
	if a := dr.setting("a"); a == nil || a.Doc != "1" || dr.setting("b") != nil {
		t.Errorf("in the newest answer: %v, %v", a, dr.setting("b"))
	}
}
