package cli

import (
	"errors"
	"fmt"

	"regroup/internal/conn"
	"regroup/tui/keys"
)

// keys are the person's own keys of the screen, from the file of contexts. What is wrong with one is said with its line.
func (a *app) keys() (map[string][]string, error) {
	k, err := conn.LoadKeys(conn.DefaultConfigFile(a.getenv))
	if err != nil {
		return nil, err
	}
	err = keys.Check(k.Of)
	var bad *keys.Error
	if errors.As(err, &bad) && k.Where(bad.Name) != "" {
		return nil, fmt.Errorf("%s: %w", k.Where(bad.Name), err)
	}
	return k.Of, err
}
