package act

import "fmt"

// Guard says what may be done, and what has to be asked before.
type Guard struct {
	// ReadOnly says why nothing may be done at all: "--read-only is given", "context prod is read-only". "": it may.
	ReadOnly string
	// Production names the context that is marked so; "": none is.
	Production string
	// Interactive: there is somebody to ask.
	Interactive bool
	// Yes: consent was given in advance (--yes). On production that is not enough for what is destructive.
	Yes bool
	// Typed is the name that was given in advance (--confirm NAME); it counts as typed.
	Typed string
}

// Refused is the error of an action that may not be done, or that nobody consented to.
type Refused struct { //nolint:errname // what it is, not that it is an error, is what its readers ask
	Action string
	Why    string
	// Declined: somebody was asked, and said no.
	Declined bool
}

func (r *Refused) Error() string { return r.Action + ": refused: " + r.Why }

// Refusal says why an action cannot be done, in words for the screen; "" when it can, once what has to be asked is answered.
func (g Guard) Refusal(x Action) string {
	q := g.Question(x)
	switch {
	case g.ReadOnly != "":
		return g.ReadOnly
	case q.Type != "" && !g.Interactive && g.Typed == "":
		return fmt.Sprintf("context %s is production, and there is nobody to type a name: give --confirm %s", g.Production, q.Type)
	case q.Needed && !g.Interactive && q.Type == "":
		return "there is nobody to ask: give --yes"
	}
	return ""
}

// Question is what has to be asked before an action.
type Question struct {
	Needed bool
	Text   string // "Evict worker-3?", with what there is to lose
	// Type is what has to be typed; "": a plain yes will do.
	Type string
}

// Question gives what has to be asked; nothing when consent was given in advance.
func (g Guard) Question(x Action) Question {
	q := Question{Text: capital(x.String()) + "?"}
	if x.Harm != "" {
		q.Text = capital(x.Harm) + ". " + q.Text
	}
	switch {
	case !x.Destructive:
		// Even on production: nothing is lost by it.
		return Question{}
	case g.Production != "" && g.Typed == "":
		q.Needed, q.Type = true, x.name()
		q.Text += fmt.Sprintf(" Context %s is production: type %q to go on.", g.Production, q.Type)
		return q
	case g.Production != "" && g.Typed == x.name():
		return Question{}
	case g.Production != "":
		return Question{Needed: true, Type: x.name(), Text: q.Text}
	}
	q.Needed = !g.Yes
	return q
}

// name is what is typed to confirm.
func (x Action) name() string {
	if x.Target == "" {
		return x.Verb
	}
	return x.Target
}

// Consent is somebody's agreement to one action. Only a Guard makes one.
type Consent struct {
	verb, target string
	given        bool
}

// Consent takes the answer to a Question: what was typed where something had to be typed, else whether it was a yes.
func (g Guard) Consent(x Action, yes bool, typed string) (Consent, error) {
	if why := g.Refusal(x); why != "" {
		return Consent{}, &Refused{Action: x.String(), Why: why}
	}
	q := g.Question(x)
	if q.Needed && q.Type != "" && typed == "" {
		typed = g.Typed
	}
	switch {
	case q.Needed && q.Type != "" && typed == "":
		return Consent{}, &Refused{Action: x.String(), Why: fmt.Sprintf("%q was to be typed", q.Type), Declined: true}
	case q.Needed && q.Type != "" && typed != q.Type:
		return Consent{}, &Refused{Action: x.String(), Why: fmt.Sprintf("%q was to be typed, and %q was", q.Type, typed)}
	case q.Needed && q.Type == "" && !yes:
		return Consent{}, &Refused{Action: x.String(), Why: "not agreed to", Declined: true}
	}
	return Consent{x.Verb, x.Target, true}, nil
}

// check is the last gate: it holds whatever a caller forgot.
func (g Guard) check(x Action, c Consent) error {
	switch {
	case g.ReadOnly != "":
		return &Refused{Action: x.String(), Why: g.ReadOnly}
	case !c.given || c.verb != x.Verb || c.target != x.Target:
		return &Refused{Action: x.String(), Why: "nobody consented to it"}
	}
	return nil
}

func capital(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}
