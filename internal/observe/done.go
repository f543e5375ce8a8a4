package observe

import (
	"context"

	"regroup/group"
)

// actionsDone passes on what this program does, into the one order of all facts.
func actionsDone(ctx context.Context, done <-chan group.Action, out *stream) {
	for {
		select {
		case f, open := <-done:
			if !open {
				return
			}
			out.put(f)
		case <-ctx.Done():
			return
		}
	}
}
