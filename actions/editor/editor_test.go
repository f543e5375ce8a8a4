//go:build unix

package editor

import (
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TERM while an editor has the terminal is no key of the editor's: once that is left, the program ends, and says where the text is.
func TestEndedWhileEditing(t *testing.T) {
	seen := filepath.Join(t.TempDir(), "seen")
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM)
	defer signal.Stop(signals)
	go func() {
		<-signals
		_ = os.WriteFile(seen, nil, 0o600)
	}()
	file, err := NewFile("text")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Remove() }()
	ctx, s := Shielded(t.Context())
	defer s.End()
	e := &Editor{
		Command: "kill -TERM $PPID; until test -e " + seen + "; do sleep 0.01; done; echo changed >>",
		Shield:  s, In: strings.NewReader(""), Out: io.Discard, Err: io.Discard,
	}
	_, err = e.Open(ctx, file)
	if err == nil || !strings.Contains(err.Error(), "ended by a signal while the editor was open") || !strings.Contains(err.Error(), "your text is in "+file.Path) {
		t.Errorf("told: %v", err)
	}
	if ctx.Err() == nil {
		t.Error("the program goes on")
	}
	if raw, err := os.ReadFile(file.Path); err != nil || !strings.Contains(string(raw), "text") {
		t.Errorf("the text: %q, %v", raw, err)
	}
}
