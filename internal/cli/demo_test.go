package cli

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// lookout passes on what is printed and calls back once, when it has what was wanted.
type lookout struct {
	wanted []byte
	seen   func()

	mu   sync.Mutex
	text bytes.Buffer
	once sync.Once
}

func (l *lookout) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(p)
	if bytes.Contains(l.text.Bytes(), l.wanted) {
		l.once.Do(l.seen)
	}
	return len(p), nil
}

// Ending a demo while its group rebalances is no failure, and nothing of it goes on: no goroutine, so no listener either.
func TestDemoEndsWhileRebalancing(t *testing.T) {
	for _, line := range []string{"demo -o json", "demo --tour -o json"} {
		before := runtime.NumGoroutine()
		ctx, cancel := context.WithCancel(t.Context())
		out := &lookout{wanted: []byte(`"state":"PreparingRebalance"`), seen: cancel}
		var complaints bytes.Buffer
		code := Execute(ctx, strings.Fields(line), strings.NewReader(""), io.Writer(out), &complaints)
		if text := complaints.String(); code != 0 || strings.Count(text, "\n") != 1 {
			t.Errorf("%s: exit code %d, and %q", line, code, text)
		}
		for limit := time.Now().Add(time.Minute); runtime.NumGoroutine() > before; runtime.Gosched() {
			if time.Now().After(limit) {
				b := make([]byte, 1<<20)
				t.Fatalf("%s: %d goroutines before, %d after:\n%s", line, before, runtime.NumGoroutine(), b[:runtime.Stack(b, true)])
			}
		}
	}
}
