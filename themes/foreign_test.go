package themes

import (
	"fmt"
	"testing"
)

// Colours of logs are readable on every theme; those of ANSI are the terminal's.
func TestForeignColoursAreReadable(t *testing.T) {
	for _, name := range []string{"dark", "light", "high-contrast", "solarized", "nord"} {
		theme, err := Named(name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		// torchtitan's turquoise (torchtitan/tools/utils.py), and greys of 256 colours.
		for _, code := range []string{"38;2;54;234;195", "38;2;255;255;0", "38;2;10;10;60", "38;5;80", "38;5;252", "38;5;234"} {
			got, is := foreignColour(theme.Foreign(code))
			if c := got.leastContrast(theme.grounds(AllColours)); !is || c < LeastContrast {
				t.Errorf("%s: %s becomes %s with a contrast of %.2f", name, code, theme.Foreign(code), c)
			}
		}
		for _, same := range []string{"31", "97", "", "38;5;9", "38;5;300"} {
			if got := theme.Foreign(same); got != same {
				t.Errorf("%s: %s becomes %s", name, same, got)
			}
		}
	}
	theme, _ := Named("dark", Options{})
	if got := theme.Foreign("38;2;54;234;195"); got != "38;2;54;234;195" {
		t.Errorf("a colour that is readable becomes %s", got)
	}
	for n := range 3 * mostForeign {
		theme.Foreign(fmt.Sprintf("38;2;%d;%d;0", n/256, n%256))
	}
	if n := len(theme.foreign.known); n > mostForeign {
		t.Errorf("%d colours are remembered", n)
	}
}
