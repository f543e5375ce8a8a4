package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"regroup/actions/act"
	"regroup/actions/connect"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/cockroachdb/datadriven"

	"regroup/actions"
	"regroup/actions/foresight"
	"regroup/group"
	"regroup/internal/rest"
	"regroup/tui/keys"
)

// written is what an editor makes of the values that it is given.
type written struct {
	before, after map[string]*string
	err           error
}

func (*written) SetStdin(io.Reader)  {}
func (*written) SetStdout(io.Writer) {}
func (*written) SetStderr(io.Writer) {}
func (w *written) Run() error        { return w.err }
func (w *written) Result() (map[string]*string, bool) {
	return w.after, !maps.EqualFunc(w.before, w.after, sameValue)
}

func sameValue(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

// draftsOf are drafts of connectors at an fakeWorker, made as the program makes them but for files and editors.
func draftsOf(o *fakeWorker, k *connect.Client, guard act.Guard, edit func(map[string]*string) (map[string]*string, error)) Acts {
	ready := func(p *connect.Proposal, err error) (*actions.PreparedAction, error) {
		if err != nil {
			return nil, err
		}
		if err := p.Invalid(); err != nil {
			return nil, err
		}
		x := p.Action()
		d := &actions.PreparedAction{Action: x, Question: guard.Question(x)}
		for _, c := range p.Changes {
			d.Lines = append(d.Lines, c.Lines()...)
		}
		d.Preview, _ = foresight.Foresee(k.Watch.State(), x.Change)
		d.Do = func(ctx context.Context, typed string, tell func(string)) (string, error) {
			if _, err := guard.Consent(x, true, typed); err != nil {
				return "", err
			}
			return x.Do(ctx, tell)
		}
		return d, nil
	}
	draft := func(name string, was rest.Config) *actions.ConnectorForm {
		d := &actions.ConnectorForm{
			Title: "create connector", Button: "Create", New: true,
			Plugins: []actions.Plugin{
				{Class: "org.apache.kafka.connect.file.FileStreamSinkConnector", Kind: "sink", Version: "4.3.1"},
				{Class: "org.apache.kafka.connect.file.FileStreamSourceConnector", Kind: "source", Version: "4.3.1"},
			},
			To: func(by connect.Endpoint, values map[string]*string) string { return "POST " + by.URL + "connectors" },
			Inspect: func(ctx context.Context, values map[string]*string) (*connect.Inspection, error) {
				if o.trouble == "slow" {
					return nil, context.DeadlineExceeded
				}
				return k.Inspect(ctx, values, was)
			},
			Ready: func(ctx context.Context, values map[string]*string) (*actions.PreparedAction, error) {
				s := connect.Spec{Config: values}
				if n := values["name"]; n != nil {
					s.Name = *n
				}
				if was != nil {
					return ready(k.ProposeOver(ctx, s, was))
				}
				p, err := k.Propose(ctx, s)
				if err == nil && !p.New() {
					return nil, fmt.Errorf("connector %q: it is there already", p.Name)
				}
				return ready(p, err)
			},
			Edit: func(values map[string]*string) actions.Editing {
				after, err := edit(values)
				return &written{values, after, err}
			},
			Load: func(_ context.Context, path string) (map[string]*string, error) {
				if path != "sink.json" {
					return nil, fmt.Errorf("open %s: no such file or directory", path)
				}
				text := func(s string) *string { return &s }
				return map[string]*string{"name": text("from-a-file"), "connector.class": text("FileStreamSink"), "topics": text("t-f")}, nil
			},
		}
		if was != nil {
			d.Title, d.Button, d.New, d.Fixed = "edit "+name, "Apply", false, []string{"name"}
			d.Values = connect.Secrets{}.Masked(was)
			d.To = func(by connect.Endpoint, _ map[string]*string) string {
				return "PUT " + by.URL + "connectors/" + name + "/config"
			}
		}
		return d
	}
	return func(_ *group.State, on actions.Target) []actions.Offer {
		if name := on.Connector; name != "" {
			open := func(context.Context) (*actions.ConnectorForm, error) { return draft(name, o.connectors[name]), nil }
			return []actions.Offer{
				{Label: "configure", About: "its properties, in a form", DisabledReason: guard.ReadOnly, Form: open},
				{Label: "edit", About: "in $EDITOR", DisabledReason: guard.ReadOnly, Form: open, Direct: true},
			}
		}
		return []actions.Offer{{Label: "create a connector", DisabledReason: guard.ReadOnly, Form: func(context.Context) (*actions.ConnectorForm, error) { return draft("", nil), nil }}}
	}
}

// teller is the world around a model in a story: what a command comes to is told once the one before is over.
type teller struct {
	m     *model
	queue []tea.Cmd
}

func (*teller) watch(string) int { return 0 }
func (*teller) list(bool)        {}

func (h *teller) act(_ string, f func(context.Context, func(tea.Msg))) context.CancelFunc {
	f(context.Background(), h.tell)
	return func() {}
}

func (h *teller) tell(msg tea.Msg) {
	if _, cmd := h.m.Update(msg); cmd != nil {
		h.queue = append(h.queue, cmd)
	}
	seen(h.m)
}

// send tells a message, and then whatever comes of it.
func (h *teller) send(msg tea.Msg) {
	for h.tell(msg); len(h.queue) > 0; {
		cmd := h.queue[0]
		h.queue = h.queue[1:]
		if came := cmd(); came != nil {
			h.tell(came)
		}
	}
}

// TestDrafts drives forms by keys, as testdata/drafts tells. Beside the commands of TestActs:
//
//	key down*3                  keys; with *3 three times
//	type TEXT                   typed, a key a letter
//	paste                       what stands below is pasted
//	worker down|slow|conflict|no plugin|timed out once|well
//	settings 200                the plugin has so many more
//	editor KEY=VALUE KEY-       what somebody does in the editor; fails: it cannot be started
//	wrote                       what was sent to the worker
func TestDrafts(t *testing.T) {
	datadriven.Walk(t, "testdata/drafts", func(t *testing.T, path string) {
		m := modelOf(fileAt(t, "lifecycle-4.3.1", "19+10s"), 120, 36, colorprofile.NoTTY)
		m.exec = func(c tea.ExecCommand, done tea.ExecCallback) tea.Cmd {
			return func() tea.Msg { return done(c.Run()) }
		}
		o := newFakeWorker(t)
		text := func(s string) *string { return &s }
		o.connectors["sink-a"] = rest.Config{
			"name": text("sink-a"), "connector.class": text("FileStreamSink"), "tasks.max": text("4"), "topics": text("t-a"), "file": text("/dev/null"),
			"db.password": text("hunter2"), "gone": nil, "empty": text(""), "lines": text("one\n\ttwo"),
		}
		watch := act.NewWatch()
		watch.Publish(m.live)
		k := &connect.Client{Group: "connect-rig", Client: rest.Client{HTTP: &http.Client{Transport: o}}, Watch: watch, Wait: func(context.Context, time.Duration) error { return nil }}
		guard := act.Guard{Interactive: true}
		var editor func(map[string]*string) (map[string]*string, error)
		m.opt.Acts = func(s *group.State, on actions.Target) []actions.Offer { return draftsOf(o, k, guard, editor)(s, on) }
		seen(m)
		host := &teller{m: m}
		m.host = host
		send := host.send
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var words []string
			for _, a := range d.CmdArgs {
				words = append(words, a.String())
			}
			switch d.Cmd {
			case "guard":
				guard = act.Guard{Interactive: true}
				if d.HasArg("production") {
					guard.Production = "prod-eu"
				}
				if d.HasArg("read-only") {
					guard.ReadOnly = "context prod-eu is read-only"
				}
			case "worker":
				if o.trouble = strings.Join(words, " "); o.trouble == "well" {
					o.trouble = ""
				}
			case "settings":
				o.extra, _ = strconv.Atoi(words[0])
			case "size":
				var w, h int
				if _, err := fmt.Sscanf(words[0], "%dx%d", &w, &h); err != nil {
					d.Fatalf(t, "%v", err)
				}
				m.Update(tea.WindowSizeMsg{Width: w, Height: h})
			case "key":
				for _, word := range words {
					name, times := word, 1
					if n, after, ok := strings.Cut(word, "*"); ok && n != "" {
						name = n
						times, _ = strconv.Atoi(after)
					}
					k, err := keys.Parse(name)
					if err != nil {
						d.Fatalf(t, "%v", err)
					}
					for range times {
						send(k)
					}
				}
			case "type":
				for _, r := range strings.TrimSpace(d.Input) {
					send(tea.KeyPressMsg{Code: r, Text: string(r)})
				}
			case "paste":
				send(tea.PasteMsg{Content: d.Input})
			case "editor":
				editor = func(values map[string]*string) (map[string]*string, error) {
					out := maps.Clone(values)
					for _, w := range words {
						switch key, v, ok := strings.Cut(w, "="); {
						case ok:
							out[key] = &v
						case w == "fails":
							return nil, errors.New("editor vi: not found")
						default:
							delete(out, strings.TrimSuffix(w, "-"))
						}
					}
					return out, nil
				}
			case "wrote":
				if len(o.wrote) == 0 {
					return "nothing\n"
				}
				out := strings.Join(o.wrote, "\n") + "\n"
				o.wrote = nil
				return out
			case "screen":
				return screen(t, d, m)
			default:
				d.Fatalf(t, "no such command")
			}
			return ""
		})
	})
}

// TestDraftsKeepTheirSize holds forms to the screen at every size, whatever they are about and whatever is written on them.
func TestDraftsKeepTheirSize(t *testing.T) {
	for i, name := range strangeNames {
		for _, size := range sizes {
			m := modelOf(storied(t), size[0], size[1], colorprofile.NoTTY)
			h := &teller{m: m}
			m.host = h
			look := &connect.Inspection{Class: strangeName(i + 1), Settings: []connect.Setting{
				{Key: name, Type: name, Group: strangeName(i + 2), Doc: strangeName(i + 3), Default: &name, Choices: strangeNames, Faults: []string{name}},
				{Key: strangeName(i + 4), Required: true, Secret: true, Faults: []string{strangeName(i + 5)}},
			}}
			d := &actions.ConnectorForm{
				Title: name, Button: "Create", New: i%2 == 0, Values: map[string]*string{strangeName(i + 4): &name, "null": nil},
				Plugins: []actions.Plugin{{Class: strangeName(i + 6), Kind: name, Version: name}, {Class: name, Kind: name, Version: name}},
				To:      func(connect.Endpoint, map[string]*string) string { return name },
				Inspect: func(context.Context, map[string]*string) (*connect.Inspection, error) { return look, nil },
				Ready: func(context.Context, map[string]*string) (*actions.PreparedAction, error) {
					return nil, errors.New(strings.Repeat(name+" ", 9))
				},
				Load: func(context.Context, string) (map[string]*string, error) { return nil, errors.New(name) },
			}
			m.openForm(d, false)
			check := func(what string) {
				t.Helper()
				checkLines(t, fmt.Sprintf("%q %s at %v", name, what, size), seen(m).Content, size[0], size[1])
			}
			check("chosen from")
			for _, pressed := range []string{"enter", "x", "down", "ctrl+a", "down", "right", "ctrl+d", "esc", "ctrl+f", "s", "enter", "enter", "f1", "q", "ctrl+o", "z", "enter"} {
				k, err := keys.Parse(pressed)
				if err != nil {
					t.Fatal(err)
				}
				h.send(k)
				check("after " + pressed)
			}
			h.send(tea.PasteMsg{Content: strings.Repeat(name, 3)})
			check("pasted into")
			for i := range look.Settings {
				look.Settings[i].Faults = nil
			}
			h.send(tea.PasteMsg{Content: "y"})
			k, _ := keys.Parse("enter")
			h.send(k)
			check("refused")
		}
	}
}
