package rest

import (
	"encoding/json"
	"testing"
)

// Connect 4 names the order of a setting otherwise than 3 did.
func TestOrderOfADefinition(t *testing.T) {
	for text, want := range map[string]int{
		`{"name":"tasks.max","order":4}`:                   4,
		`{"name":"tasks.max","order_in_group":5}`:          5,
		`{"name":"file","group":null}`:                     0,
		`{"name":"file","group":null,"order_in_group":-1}`: -1,
	} {
		var d Definition
		if err := json.Unmarshal([]byte(text), &d); err != nil || d.Order != want || d.Name == "" {
			t.Errorf("%s: %+v, %v", text, d, err)
		}
	}
}
