package process

import (
	"os"
	"runtime"

	"golang.org/x/term"
)

// IsDumb reports whether the terminal declares that it takes no escape sequences:
// TERM=dumb, as shells inside editors set it (terminfo's entry dumb).
func IsDumb() bool { return os.Getenv("TERM") == "dumb" }

// IsLinuxConsole reports whether the terminal is the console of Linux, whose fonts of
// at most 512 signs have none for states, sparklines and dots of charts (console(4);
// terminfo's entry linux).
func IsLinuxConsole() bool { return os.Getenv("TERM") == "linux" }

// CanDraw reports whether there is a terminal to draw on and one to read keys
// from, and the first takes escape sequences. Standard input may carry a dump: keys then come from the terminal that
// the process belongs to, which keyboard tries to open.
func CanDraw(isTerminal func(*os.File) bool, keyboard func() error) bool {
	return !IsDumb() && isTerminal(os.Stdout) && (isTerminal(os.Stdin) || keyboard() == nil)
}

func IsTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// Keyboard tries to open the process's own terminal.
func Keyboard() error {
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
