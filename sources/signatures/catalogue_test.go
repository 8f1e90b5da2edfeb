package signatures

import (
	"os"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// TestMessagesInTheFormOfTheirSource checks testdata/components.txt, whose head names the
// components and versions.
func TestMessagesInTheFormOfTheirSource(t *testing.T) {
	text, err := os.ReadFile("testdata/components.txt")
	if err != nil {
		t.Fatal(err)
	}
	event, log := tells(t, InEvent), tells(t, InLog|InKernel)
	for line := range strings.Lines(string(text)) {
		cause, rest, found := strings.Cut(strings.TrimSuffix(line, "\n"), " | ")
		where, rest, _ := strings.Cut(rest, " | ")
		_, message, _ := strings.Cut(rest, " | ")
		if cause == "none" {
			cause = ""
		}
		switch {
		case !found || line[0] == '#': // the head
		case where == "event":
			event(train.Cause(cause), message)
		default:
			log(train.Cause(cause), message)
		}
	}
}
