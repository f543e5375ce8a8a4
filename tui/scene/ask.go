package scene

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// Runner has f done beside the screen, and gives what ends it. What f sends comes to Update.
type Runner func(what string, f func(ctx context.Context, send func(tea.Msg))) context.CancelFunc

// Request is the place of one question whose answer may take its time. Another one asked there, or Drop, ends it: an answer that
// comes all the same changes nothing. Update alone uses it.
type Request struct {
	number int
	waits  bool
	end    context.CancelFunc
}

// Reply is an answer on its way to Update: what it changes, and what then is asked of the root.
type Reply struct {
	of     *Request
	number int
	last   bool
	take   func() Action
}

// Tell is news that nothing asked for, or that nothing makes old.
func Tell(take func() Action) Reply { return Reply{take: take} }

// Take takes an answer in, unless nobody waits for it any more.
func (r Reply) Take() (a Action, wanted bool) {
	if q := r.of; q != nil {
		if q.number != r.number {
			return nil, false
		}
		if r.last {
			q.waits, q.end = false, nil
		}
	}
	if r.take == nil {
		return nil, true
	}
	return r.take(), true
}

// Ask has f done, and takes what it gives. f gives nil where there is nothing to be taken.
func (q *Request) Ask(run Runner, what string, f func(ctx context.Context) func() Action) {
	q.ask(run, what, func(ctx context.Context, send func(func() Action, bool)) { send(f(ctx), true) })
}

// AskEach has f done, which may tell many things.
func (q *Request) AskEach(run Runner, what string, f func(ctx context.Context, tell func(take func() Action))) {
	q.ask(run, what, func(ctx context.Context, send func(func() Action, bool)) {
		f(ctx, func(take func() Action) { send(take, false) })
		send(nil, true)
	})
}

func (q *Request) ask(run Runner, what string, f func(ctx context.Context, send func(take func() Action, last bool))) {
	q.Drop()
	q.waits = true
	number := q.number
	end := run(what, func(ctx context.Context, send func(tea.Msg)) {
		f(ctx, func(take func() Action, last bool) { send(Reply{q, number, last, take}) })
	})
	if q.waits && q.number == number {
		q.end = end
	}
}

// Waits reports whether an answer is still to come.
func (q *Request) Waits() bool { return q.waits }

// Drop ends what was asked.
func (q *Request) Drop() {
	q.number++
	if q.end != nil {
		q.end()
	}
	q.waits, q.end = false, nil
}
