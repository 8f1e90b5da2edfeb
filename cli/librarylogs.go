package cli

import (
	"io"
	"log"
)

// silenceLibraries keeps the standard logger from writing onto the screen:
// net/http tells it of answers that nobody asked for, among others. What a
// library has to say reaches people as health, or as an error. klog's logger
// is silenced where client-go is used (sources/kube).
func silenceLibraries() { log.SetOutput(io.Discard) }
