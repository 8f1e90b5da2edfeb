package terminal

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

func TestSizesAreBounded(t *testing.T) {
	for from, want := range map[tea.WindowSizeMsg]tea.WindowSizeMsg{
		{Width: 0, Height: 0}:         {Width: 0, Height: 0},
		{Width: 200, Height: 60}:      {Width: 200, Height: 60},
		{Width: 1, Height: 65535}:     {Width: 1, Height: 65535},
		{Width: 65535, Height: 2}:     {Width: 65535, Height: 2},
		{Width: 65535, Height: 65535}: {Width: 65535, Height: 9},
		{Width: 4000, Height: 2000}:   {Width: 4000, Height: 150},
	} {
		if got := Bounded(nil, from); got != want {
			t.Errorf("%v becomes %v, want %v", from, got, want)
		}
	}
	if key := (tea.KeyPressMsg{Code: 'q'}); Bounded(nil, key) != tea.Msg(key) {
		t.Error("a key is another one")
	}
}
