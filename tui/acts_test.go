package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// act of a slow host answers nothing.
func (h *slowHost) act(string, func(context.Context, func(tea.Msg))) context.CancelFunc {
	return func() {}
}
