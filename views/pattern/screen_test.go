package pattern

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/screentest"
)

// The screen as it is in terminals of 80x24, 160x45 and 40x10, once a number was
// named.
func TestScreens(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 18}, {160, 39}, {40, 6}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			v, f := open(t, size.width, size.height)
			effect, _ := v.Do(keymap.FieldName, f)
			question := screentest.In[views.AskLine](effect).Question
			v.Answered(question, "step", f)
			v.Do(keymap.FieldRight, f)
			golden.RequireEqual(t, screentest.Plain(v, f))
		})
	}
	t.Run("ascii", func(t *testing.T) {
		v, f := open(t, 80, 18)
		theme, err := themes.Named("dark", themes.Options{ASCII: true, NoColor: true})
		if err != nil {
			t.Fatal(err)
		}
		f.Theme = theme
		text := screentest.Screen(v, f)
		screentest.CheckASCII(t, text)
		golden.RequireEqual(t, text)
	})
}
