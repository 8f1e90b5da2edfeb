package node

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

// The nodes are one of which a GPU fell off the bus, one with a GPU that is hot
// and slow, and one that nobody measures.
func TestScreens(t *testing.T) {
	for _, node := range []string{"gpu-a100-04", "gpu-a100-02", "gpu-a100-05"} {
		for _, size := range []struct{ width, height int }{{80, 20}, {160, 39}} {
			t.Run(fmt.Sprintf("%s/%dx%d", node, size.width, size.height), func(t *testing.T) {
				golden.RequireEqual(t, ansi.Strip(screen(New(node), demoFrame(t, size.width, size.height, themes.Options{}))))
			})
		}
	}
	t.Run("20x5", func(t *testing.T) {
		golden.RequireEqual(t, ansi.Strip(screen(New("gpu-a100-02"), demoFrame(t, 20, 5, themes.Options{}))))
	})
	t.Run("ascii", func(t *testing.T) {
		text := screen(New("gpu-a100-02"), demoFrame(t, 120, 30, themes.Options{ASCII: true, NoColor: true}))
		for _, r := range ansi.Strip(text) {
			if r > 0x7e {
				t.Errorf("%q is not ASCII", r)
			}
		}
		golden.RequireEqual(t, text)
	})
}
