package form

import (
	"context"
	"errors"
	"time"

	"regroup/actions/connect"

	"regroup/actions"
	"regroup/tui/scene"
	"regroup/tui/ui"
)

// lookLimit bounds how long a worker's word on what is written is waited for.
const lookLimit = 20 * time.Second

// Begin asks a worker about it at once, or, of a form that is edited in an editor alone, opens that.
func (f *Form) Begin(direct bool) scene.Action {
	if f.choose == nil {
		f.askLook()
	}
	if direct && f.Edit != nil {
		f.direct = true
		return f.edit()
	}
	return nil
}

// askLook asks a worker what it makes of what is written, once the fingers rest. What was asked before is let go of.
func (f *Form) askLook() {
	values := f.values()
	f.looking, f.round = true, f.Newest()
	f.wait.Ask(f.Run, "look at "+f.Title, func(ctx context.Context) func() scene.Action {
		if f.Pause > 0 {
			timer := time.NewTimer(f.Pause)
			defer timer.Stop()
			select {
			case <-ctx.Done():
				return nil
			case <-timer.C:
			}
		}
		limited, end := context.WithTimeout(ctx, lookLimit)
		defer end()
		look, err := f.Inspect(limited, values)
		if errors.Is(err, context.DeadlineExceeded) {
			err = errors.New("no worker has answered within " + lookLimit.String())
		}
		return func() scene.Action {
			if f.looking = false; err != nil {
				f.lookErr = err.Error()
				return nil
			}
			f.look, f.lookAt, f.lookErr = look, values, ""
			return nil
		}
	})
}

// LookAnew asks again where a round has come since: what will happen is told from the newest.
func (f *Form) LookAnew() {
	if f.look != nil && !f.looking && !f.making && !f.sent && f.choose == nil && f.round != f.Newest() {
		f.askLook()
	}
}

// makeReady asks for the action that sends what is written, unless something is known to be wrong with it.
func (f *Form) makeReady() scene.Action {
	// What was found wrong before the last key is no reason: a worker looks at it again on the way.
	off := f.barred()
	if off == "" && !f.looking && f.faulty() != "" {
		off = f.faulty()
		f.tried, f.find = true, nil
		f.to(f.firstFault())
	}
	if off != "" {
		return scene.SayMessage{Text: "it is not sent: " + off + "."}
	}
	values := f.values()
	f.making, f.looking, f.failed = true, false, ""
	f.wait.Ask(f.Run, f.Title, func(ctx context.Context) func() scene.Action {
		prepared, err := f.Ready(ctx, values)
		return func() scene.Action {
			if f.making = false; err == nil {
				return scene.AskAgreement{Prepared: prepared}
			}
			f.failed, f.tried = err.Error(), true
			var invalid *connect.InvalidError
			if errors.As(err, &invalid) {
				f.failed = "" // it is said at each setting
				f.askLook()
			}
			return nil
		}
	})
	return nil
}

// Sent says that what was agreed to is under way.
func (f *Form) Sent() { f.sent = true }

// Unsent says that what was sent was not done, and why: it can be sent again.
func (f *Form) Unsent(why string) { f.sent, f.failed = false, why }

// Drop lets go of what is still being looked at.
func (f *Form) Drop() { f.wait.Drop() }

// loadFile reads a file into the form.
func (f *Form) loadFile(path string) {
	f.wait.Ask(f.Run, "read "+path, func(ctx context.Context) func() scene.Action {
		values, err := f.Load(ctx, path)
		return func() scene.Action {
			if err != nil {
				f.failed = err.Error()
				return nil
			}
			f.fill(values)
			f.askLook()
			return nil
		}
	})
}

// fill puts other values in the place of all that stands there.
func (f *Form) fill(values map[string]*string) {
	f.base, f.typed, f.choose, f.leaving = values, map[string]*ui.Input{}, nil, false
	if f.base[keyClass] == nil && len(f.Plugins) > 0 {
		f.choose = newPluginPicker(f.Plugins)
	}
}

// edit gives what is written to an editor.
func (f *Form) edit() scene.Action {
	editing := f.Edit(f.values())
	return scene.RunEditor{Editing: editing, Then: func(err error) scene.Action { return f.edited(editing, err) }}
}

// edited is when the editor was left.
func (f *Form) edited(editing actions.Editing, err error) scene.Action {
	if err != nil {
		f.failed = err.Error()
		return nil
	}
	direct := f.direct
	f.direct = false
	values, changed := editing.Result()
	switch {
	case !changed && direct:
		return scene.CloseForm{Text: "nothing has changed, and nothing was sent."}
	case !changed:
		return scene.SayMessage{Text: "left as it was in the editor."}
	}
	if f.fill(values); direct && f.touched() {
		return f.makeReady()
	}
	f.askLook()
	return nil
}
