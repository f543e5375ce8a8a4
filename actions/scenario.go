package actions

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"regroup/decode"
)

// ReadScenario reads an exercise of one's own:
//
//	name: evening
//	steps:
//	  - do: stop worker-2
//	    until: nothing
//	  - do: start worker-2
//	    wait: 5s
//	    limit: 5m
//	  - do: scale sink-a
//	    tasks: 6
func ReadScenario(r io.Reader) (Exercise, error) {
	raw, err := io.ReadAll(io.LimitReader(r, 1<<20))
	if err != nil {
		return Exercise{}, fmt.Errorf("scenario: %w", err)
	}
	var ex Exercise
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	dec.KnownFields(true)
	if err := dec.Decode(&ex); err != nil && !errors.Is(err, io.EOF) {
		return ex, fmt.Errorf("scenario: %s", strings.Join(strings.Fields(strings.TrimPrefix(err.Error(), "yaml: ")), " "))
	}
	if ex.Name == "" {
		ex.Name = "scenario"
	}
	return ex, ex.check()
}

// check refuses what would only fail in the middle.
func (ex Exercise) check() error {
	if len(ex.Steps) == 0 {
		return fmt.Errorf("scenario %s: it has no steps", decode.Printable(ex.Name))
	}
	for i, s := range ex.Steps {
		verb, what := s.parts()
		var why error
		switch {
		case verbs[verb] == nil:
			why = noVerb(verb)
		case onConnectors[verb] && what == "":
			why = fmt.Errorf("which connector?")
		case s.Until != "" && s.Until != "settled" && s.Until != "nothing":
			why = fmt.Errorf("until %q: it can be settled or nothing", decode.Printable(s.Until))
		case s.Wait < 0 || s.Limit < 0 || s.For < 0 || s.Times < 0 || s.Tasks < 0:
			why = errors.New("a negative number")
		case verb == "scale" && s.Tasks == 0:
			why = fmt.Errorf("to how many tasks?")
		}
		if why != nil {
			return fmt.Errorf("scenario %s: step %d, %s: %w", decode.Printable(ex.Name), i+1, decode.Printable(s.Do), why)
		}
	}
	return nil
}

var onConnectors = map[string]bool{"create": true, "edit": true, "scale": true, "revert": true, "delete": true}

func noVerb(verb string) error {
	return fmt.Errorf("there is no %q: a step begins with %s", decode.Printable(verb), strings.Join(Verbs(), ", "))
}

// parts are a step's verb and what it is done to.
func (s Step) parts() (verb, what string) {
	verb, what, _ = strings.Cut(strings.TrimSpace(s.Do), " ")
	if verb == "crash" { // what kill was called in scenarios once
		verb = "kill"
	}
	return verb, strings.TrimSpace(what)
}
