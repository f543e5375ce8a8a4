package actions

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"regroup/actions/connect"

	"regroup/actions/editor"
	"regroup/decode"
	"regroup/internal/rest"
)

// editing is a configuration in an editor that has the screen's terminal: what cannot be read, or a worker finds wrong, opens
// again, with that on top, until it is right or saved as it was. It is an Editing.
type editing struct {
	k       *Group
	given   rest.Config
	was     rest.Config // what the connector has; nil for a new one
	result  rest.Config
	changed bool
	out     io.Writer
}

func (k *Group) editing(values map[string]*string, was rest.Config) *editing {
	return &editing{k: k, given: values, was: was, out: io.Discard}
}

// SetStdin and SetStderr change nothing: the editor has the program's own.
func (e *editing) SetStdin(io.Reader) {}

// SetStdout takes the terminal.
func (e *editing) SetStdout(w io.Writer) { e.out = w }

// SetStderr is for the interface.
func (e *editing) SetStderr(io.Writer) {}

// Result is what came of it.
func (e *editing) Result() (map[string]*string, bool) { return e.result, e.changed }

// checkLimit bounds how long a worker's word on what was saved is waited for, while nothing is on the screen.
const checkLimit = 20 * time.Second

// Run opens the editor, as often as it takes.
func (e *editing) Run() error {
	head := []string{
		"What is saved is shown, and agreed to, before anything is written. Group " + e.k.Name + ".",
		connect.Mask + " is a secret; left alone it stays as it is. To leave everything alone, change nothing, or save nothing.",
	}
	text := connect.EditText(e.given, head...)
	file, err := editor.NewFile(text)
	if err != nil {
		return err
	}
	for {
		edited, err := e.k.Editor.Open(context.Background(), file)
		if err != nil {
			var ended editor.EndedError
			if errors.As(err, &ended) { // there is no screen left to say it on
				e.k.keep(ended)
			}
			return err
		}
		if edited == text || strings.TrimSpace(edited) == "" {
			return file.Remove()
		}
		config, err := connect.ParseEdit(edited)
		if err == nil {
			e.result, e.changed = config, true // what can be read is kept, whatever a worker says
			if err = e.check(config); err == nil {
				return file.Remove()
			}
			text = connect.EditText(config, append(strings.Split("Not written: "+err.Error(), "\n"), head...)...)
		} else {
			text = "# Not written: " + decode.Printable(err.Error()) + "\n" + withoutFault(edited)
		}
		if err := file.Write(text); err != nil {
			return err
		}
	}
}

// withoutFault takes the line off that said what was wrong the time before.
func withoutFault(text string) string {
	if first, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(first, "# Not written: ") {
		return rest
	}
	return text
}

// check asks a worker what is wrong. One that does not answer finds nothing: it is asked again before anything is written.
func (e *editing) check(config rest.Config) error {
	ctx, end := context.WithTimeout(context.Background(), checkLimit)
	defer end()
	l, err := e.k.Connect.Inspect(ctx, config, e.was)
	if err != nil {
		return nil // the form says so, and what is written is kept there
	}
	var faults []connect.Fault
	for _, s := range l.Settings {
		for _, f := range s.Faults {
			faults = append(faults, connect.Fault{Key: s.Key, Text: f})
		}
	}
	if len(faults) == 0 {
		return nil
	}
	name := "(no name yet)"
	if n := config["name"]; n != nil {
		name = *n
	}
	return &connect.InvalidError{Name: name, Faults: faults}
}
