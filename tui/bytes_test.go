package tui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"regroup/group"
	"regroup/tui/keys"
)

// slowHost takes reads and answers none by itself.
type slowHost struct {
	m       *model
	asked   []*group.Round
	reading func(context.Context, func(tea.Msg))
	value   []byte
	err     error
}

func (h *slowHost) watch(string) int { return 0 }
func (h *slowHost) list(bool)        {}
func (h *slowHost) act(_ string, f func(context.Context, func(tea.Msg))) context.CancelFunc {
	h.asked, h.reading = append(h.asked, h.m.raw.reading), f
	return func() {}
}

func (h *slowHost) bytes(context.Context, string, *group.Round) ([]byte, error) {
	return h.value, h.err
}

func (h *slowHost) answer(b []byte, e error) {
	h.value, h.err = b, e
	h.reading(context.Background(), func(msg tea.Msg) { h.m.Update(msg) })
}

// TestBytesAreReadOneAtATime holds that keys that are held never pile reads up on a broker, that the screen says what it waits
// for, and that bytes which are gone are said to be.
func TestBytesAreReadOneAtATime(t *testing.T) {
	s, h := captureAt(t, "22"), &slowHost{}
	m := modelOf(s, 120, 36, colorprofile.NoTTY)
	h.m, m.host, m.opt.Bytes = m, h, h.bytes
	press := func(names ...string) {
		for _, k := range names {
			msg, err := keys.Parse(k)
			if err != nil {
				t.Fatal(err)
			}
			m.Update(msg)
		}
	}
	shows := func(want string) {
		t.Helper()
		if frame := seen(m).Content; !strings.Contains(frame, want) {
			t.Errorf("the screen does not say %q:\n%s", want, frame)
		}
	}
	press("5", "left")
	if len(h.asked) > 0 {
		t.Error("bytes are read in a view that does not show them")
	}
	press("right", "4", "left", "left", "left", "left")
	if len(h.asked) != 1 || h.asked[0] != s.Rounds[len(s.Rounds)-1] {
		t.Fatalf("%d reads are on their way, want that of the round first seen alone", len(h.asked))
	}
	shows("fetching …")
	h.answer(nil, errors.New("late"))
	stood := s.Rounds[len(s.Rounds)-5]
	if len(h.asked) != 2 || h.asked[1] != stood {
		t.Fatalf("after an answer %d reads were asked for; want the second to be of the round stood on by then", len(h.asked))
	}
	shows("fetching …")
	h.answer(nil, errors.New("record at offset 16: the broker has compacted it away"))
	shows("not to be had: record at offset 16: the broker has compacted it away")
	press("left")
	b, err := captureBytes(context.Background(), s.Group, h.asked[2])
	h.answer(b, err)
	shows("Bytes assignment of worker-2, 152 bytes") // the one that this round told something
	press("left")
	h.answer([]byte{0, 1, 2}, nil)
	shows("not to be had: group record")
	if len(h.asked) != 4 {
		t.Errorf("%d reads in all, want one a round looked at", len(h.asked))
	}
}
