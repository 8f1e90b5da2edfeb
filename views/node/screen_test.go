package node

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/screentest"
)

func demoFrame(t *testing.T, width, height int, o themes.Options) views.Frame {
	t.Helper()
	return screentest.Frame(t, screentest.Demo(t), width, height, o)
}

// The nodes are one of which a GPU fell off the bus, one with a GPU that is hot
// and slow, and one that no source measures.
func TestScreens(t *testing.T) {
	for _, node := range []string{"gpu-a100-04", "gpu-a100-02", "gpu-a100-05"} {
		for _, size := range []struct{ width, height int }{{80, 20}, {160, 39}} {
			t.Run(fmt.Sprintf("%s/%dx%d", node, size.width, size.height), func(t *testing.T) {
				golden.RequireEqual(t, screentest.Plain(New(views.NodeRoute{Name: node}), demoFrame(t, size.width, size.height, themes.Options{})))
			})
		}
	}
	t.Run("20x5", func(t *testing.T) {
		golden.RequireEqual(t, screentest.Plain(New(views.NodeRoute{Name: "gpu-a100-02"}), demoFrame(t, 20, 5, themes.Options{})))
	})
	t.Run("ascii", func(t *testing.T) {
		text := screentest.Screen(New(views.NodeRoute{Name: "gpu-a100-02"}), demoFrame(t, 120, 30, themes.Options{ASCII: true, NoColor: true}))
		screentest.CheckASCII(t, text)
		golden.RequireEqual(t, text)
	})
}
