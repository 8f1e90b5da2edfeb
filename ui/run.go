package ui

import (
	"context"
	"errors"
)

// Run draws until the person quits or ctx ends. It returns an error only when
// the terminal cannot be used or a part of the interface broke.
func Run(ctx context.Context, o Options) error {
	return errors.New("draw the interface: the shell is not wired yet")
}
