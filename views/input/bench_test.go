package input

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/keymap"
)

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_ = New("jobs llm", 500)
	}
}

// BenchmarkKey is a letter typed in the middle of a text, and erased again,
// with the window drawn for each.
func BenchmarkKey(b *testing.B) {
	for name, text := range map[string]string{"short": "jobs llm", "long": strings.Repeat("日本 x", 120)} {
		b.Run(name, func(b *testing.B) {
			l := New(text, 500)
			l.Do(keymap.CursorWordLeft)
			b.ReportAllocs()
			for b.Loop() {
				l.Insert("a")
				l.Window(80)
				l.Do(keymap.EraseLeft)
				l.Window(80)
			}
		})
	}
}
