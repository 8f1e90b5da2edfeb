package cli

import (
	"os"
	"runtime"

	"golang.org/x/term"
)

// canDraw reports whether there is a terminal to draw on and one to take keys
// from. Standard input may carry a dump: keys then come from the terminal
// that the process belongs to, which keyboard opens to see.
func canDraw(isTerminal func(*os.File) bool, keyboard func() error) bool {
	return isTerminal(os.Stdout) && (isTerminal(os.Stdin) || keyboard() == nil)
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// keyboard tries to open the process's own terminal.
func keyboard() error {
	name := "/dev/tty"
	if runtime.GOOS == "windows" {
		name = "CONIN$"
	}
	tty, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return tty.Close()
}
