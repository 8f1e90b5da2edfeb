package cli

import "errors"

// Exit codes, as docs/cli.md states them.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	// exitUnknown: the answer is on standard output, and not enough was read
	// for a verdict on some job, or to be sure that there is none.
	exitUnknown = 3
)

// exitCodeOf is the code that a command ends with after an error; those of wait are in
// wait/exitcodes.go.
func exitCodeOf(err error) int {
	if ended := (*waitEnded)(nil); errors.As(err, &ended) {
		return ended.code
	}
	if unknown := notEnoughError(nil); errors.As(err, &unknown) {
		return exitUnknown
	}
	if usage := (*usageError)(nil); errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailed
}

// notEnoughError is an error after which the program ends with exitUnknown.
type notEnoughError interface {
	error
	notEnoughRead()
}

func (*noVerdictError) notEnoughRead() {}
func (*unreadJobError) notEnoughRead() {}
