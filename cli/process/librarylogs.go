package process

import (
	"io"
	"log"
)

// SilenceLibraries keeps the standard logger from writing onto the screen:
// net/http logs answers that nobody requested, among others. Errors of
// libraries reach people as health, or as an error. klog's logger is silenced
// where client-go is used (sources/kube).
func SilenceLibraries() { log.SetOutput(io.Discard) }
