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
	edited, err := ConfigEdit{
		Open: e.k.Editor.Open, Check: e.check,
		Head: "What is saved is shown, and agreed to, before anything is written. Group " + e.k.Name + ".",
	}.Run(context.Background(), e.given)
	if err != nil {
		var ended editor.EndedError
		if errors.As(err, &ended) { // there is no screen left to say it on
			e.k.keep(ended)
		}
		return err
	}
	if edited.Config != nil {
		e.result, e.changed = edited.Config, true // what can be read is kept, whatever a worker says
	}
	return edited.File.Remove()
}

// ConfigEdit is a configuration in an editor.
type ConfigEdit struct {
	Open  func(context.Context, editor.File) (string, error)
	Head  string // what stands above it
	Check func(context.Context, rest.Config) error
	// Wrong is told what is wrong with what was saved; an error ends it. nil: it opens again.
	Wrong func(fault error, unreadable bool, in editor.File) error
}

// Edited is what came of it.
type Edited struct {
	Config rest.Config // the newest that could be read; nil: nothing was changed
	Valid  bool        // nothing is wrong with it
	Again  bool        // it was opened again: something was wrong
	File   editor.File
}

// Run opens it again and again, with what is wrong on top, until it is right, or saved as it was.
func (e ConfigEdit) Run(ctx context.Context, given rest.Config) (out Edited, err error) {
	head := []string{e.Head, connect.Mask + " is a secret; left alone it stays as it is. To leave everything alone, change nothing, or save nothing."}
	text := connect.EditText(given, head...)
	if out.File, err = editor.NewFile(text); err != nil {
		return out, err
	}
	for ; ; out.Again = true {
		edited, err := e.Open(ctx, out.File)
		if err != nil {
			return out, err
		}
		if edited == text || strings.TrimSpace(edited) == "" {
			return out, nil
		}
		config, fault := connect.ParseEdit(edited)
		unreadable := fault != nil
		if !unreadable {
			out.Config = config
			if fault = e.Check(ctx, config); fault == nil {
				out.Valid = true
				return out, nil
			}
		}
		if e.Wrong != nil {
			if err := e.Wrong(fault, unreadable, out.File); err != nil {
				return out, err
			}
		}
		if unreadable { // what cannot be read is left as it stands
			text = "# Not written: " + decode.Printable(fault.Error()) + "\n" + withoutFault(edited)
		} else {
			text = connect.EditText(config, append(strings.Split("Not written: "+fault.Error(), "\n"), head...)...)
		}
		if err := out.File.Write(text); err != nil {
			return out, err
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
func (e *editing) check(ctx context.Context, config rest.Config) error {
	ctx, end := context.WithTimeout(ctx, checkLimit)
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
