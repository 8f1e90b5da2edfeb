package nodes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/testdata/demo"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// demoFrame is what the shell gives the screen of the demo's cluster.
func demoFrame(t *testing.T, width, height int, o themes.Options) views.Frame {
	t.Helper()
	s := store.New(nil)
	if err := dump.New([]string{"."}, dump.Options{FS: demo.Files}).Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	theme, err := themes.Named("dark", o)
	if err != nil {
		t.Fatal(err)
	}
	picture := s.Snapshot()
	return views.Frame{
		Snapshot: picture, Width: width, Height: height, Theme: theme, Context: "demo",
		Ages: &draw.Ages{Now: picture.Now}, Diagnosis: diagnose.Run(picture, diagnose.Options{}, nil),
	}
}

// screen is the title and the body as text.
func screen(v *View, f views.Frame) string {
	title := v.Title(f)
	line := title.Text
	for _, part := range title.Parts {
		line += "  " + part.Text
	}
	return line + "  | " + title.Note + "\n" + strings.Join(v.Render(f), "\n") + "\n"
}

func TestScreens(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 18}, {160, 39}, {200, 54}, {20, 5}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			golden.RequireEqual(t, ansi.Strip(screen(New(), demoFrame(t, size.width, size.height, themes.Options{}))))
		})
	}
	t.Run("ascii", func(t *testing.T) {
		text := screen(New(), demoFrame(t, 160, 30, themes.Options{ASCII: true, NoColor: true}))
		for _, r := range ansi.Strip(text) {
			if r > 0x7e {
				t.Errorf("%q is not ASCII", r)
			}
		}
		golden.RequireEqual(t, text)
	})
}

// What is wrong with the GPUs of a node stands in its row as a word, and what
// nobody measures is no 0.
func TestTroubleIsAWord(t *testing.T) {
	text := ansi.Strip(screen(New(), demoFrame(t, 200, 54, themes.Options{})))
	for node, says := range map[string]string{
		"gpu-a100-04": "Xid 79", "gpu-a100-02": "slow", "gpu-h100-06": "slow", "gpu-h100-11": "idle", "gpu-a100-06": "spinning",
	} {
		if row := rowOf(text, node); !strings.Contains(row, says) {
			t.Errorf("the row of %s does not say %q: %s", node, says, row)
		}
	}
	for _, node := range []string{"gpu-a100-05", "cpu-01"} {
		if row := rowOf(text, node); !strings.Contains(row, "–") || strings.Contains(row, "0 %") || strings.Contains(row, "0 °C") {
			t.Errorf("the row of %s, which nobody measures, is %s", node, row)
		}
	}
}

func rowOf(text, node string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, node+" ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
