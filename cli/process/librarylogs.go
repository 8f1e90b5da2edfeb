package process

import (
	"io"
	"log"
)

// SilenceLibraries keeps the standard logger from writing onto the screen:
// net/http tells it of answers that nobody asked for, among others. What a
// library has to say reaches people as health, or as an error. klog's logger
// is silenced where client-go is used (sources/kube).
func SilenceLibraries() { log.SetOutput(io.Discard) }
