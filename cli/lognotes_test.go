package cli

import (
	"strings"
	"testing"
)

// Commands name the lines of a log that they did not read whole, once per log.
func TestLinesTooLongAreNamed(t *testing.T) {
	long := strings.Repeat("word ", 20_000) + "\n"
	one := logsIn(t, map[string]string{"train.log": "start\n" + long + "step: 1 loss: 2.0\n"})
	two := logsIn(t, map[string]string{"train.log": "start\n" + long + long + "step: 1 loss: 2.0\n"})
	for _, of := range [][]string{{"curves", "-o", "json"}, {"curves"}, {"diagnose", "-o", "json"}, {"diagnose"}} {
		for folder, want := range map[string]string{
			one: "line 2 is longer than 64 KiB; of the 34464 bytes behind that only failures were looked for",
			two: "2 lines are longer than 64 KiB, line 2 first; of the 68928 bytes behind that only failures were looked for",
		} {
			out, messages, _ := command(t, "", append(of, "--from", folder)...)
			said := messages
			if len(of) > 1 {
				said = out
			}
			if strings.Count(said, want) != 1 {
				t.Errorf("%q does not say %q once: %s", of, want, said)
			}
		}
	}
}
