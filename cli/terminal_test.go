package cli

import (
	"errors"
	"os"
	"testing"

	"github.com/traintop/traintop/cli/process"
)

func TestCanDraw(t *testing.T) {
	check := func(what string, terminals []*os.File, keyboard error, want bool) {
		t.Helper()
		is := func(f *os.File) bool {
			for _, terminal := range terminals {
				if f == terminal {
					return true
				}
			}
			return false
		}
		if got := process.CanDraw(is, func() error { return keyboard }); got != want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	none := errors.New("no such device")
	check("a terminal at both ends", []*os.File{os.Stdin, os.Stdout}, none, true)
	check("a dump at standard input, keys from the terminal", []*os.File{os.Stdout}, nil, true)
	check("a dump at standard input and nobody to press keys", []*os.File{os.Stdout}, none, false)
	check("output into a pipe", []*os.File{os.Stdin}, nil, false)
}
