package draw

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
)

func pager(lines ...string) *Pager {
	p := &Pager{}
	var text []TextLine
	for _, line := range lines {
		text = append(text, TextLine{{Text: line[:len(line)/2], Role: themes.YAMLKey}, {Text: line[len(line)/2:]}})
	}
	p.Set(text)
	return p
}

func numbered(n int) []string {
	var lines []string
	for i := range n {
		lines = append(lines, fmt.Sprintf("line %d says needle%d", i, i%10))
	}
	return lines
}

// A screen that opens with a search shows its first hit.
func TestPagerSearchesBeforeItHasAText(t *testing.T) {
	p := &Pager{}
	if err := p.SetFilter("line 70 "); err != nil {
		t.Fatal(err)
	}
	p.Render(ink(), 40, 10)
	var text []TextLine
	for _, line := range numbered(100) {
		text = append(text, TextLine{{Text: line}})
	}
	p.Set(text)
	if shown := plain(p.Render(ink(), 40, 10)); !strings.Contains(shown, "line 70 ") {
		t.Errorf("not at the hit:\n%s", shown)
	}
	p.Do(keymap.TextTop)
	if shown := plain(p.Render(ink(), 40, 10)); !strings.Contains(shown, "line 0 ") {
		t.Errorf("cannot leave the hit:\n%s", shown)
	}
}

func TestPagerSearches(t *testing.T) {
	p := pager(numbered(100)...)
	p.Render(ink(), 40, 10)
	if err := p.SetFilter("NEEDLE7"); err != nil {
		t.Fatal(err)
	}
	shown := func() string { return plain(p.Render(ink(), 40, 10)) }
	if !strings.Contains(shown(), "line 7 ") {
		t.Errorf("the first hit is not on the screen:\n%s", shown())
	}
	p.Do(keymap.NextMatch)
	p.Do(keymap.NextMatch)
	if !strings.Contains(shown(), "line 27 ") || !strings.Contains(p.Position(), "hit 3 of 10") {
		t.Errorf("third hit: %s\n%s", p.Position(), shown())
	}
	p.Do(keymap.PrevMatch)
	p.Do(keymap.PrevMatch)
	p.Do(keymap.PrevMatch)
	if !strings.Contains(shown(), "line 97 ") || !strings.Contains(p.Position(), "hit 10 of 10, from the end again") {
		t.Errorf("back from the first hit is not the last, or nothing says so: %s\n%s", p.Position(), shown())
	}
	p.Do(keymap.NextMatch)
	if !strings.Contains(p.Position(), "hit 1 of 10, from the top again") {
		t.Errorf("on from the last hit: %s", p.Position())
	}
	p.Do(keymap.NextMatch)
	if !strings.Contains(p.Position(), "hit 2 of 10   ") {
		t.Errorf("the search goes on, and still says that it turned: %s", p.Position())
	}
	p.Do(keymap.PrevMatch)
	p.Do(keymap.PrevMatch)
	if coloured := strings.Join(p.Render(ink(), 40, 10), ""); !strings.Contains(coloured, ink().Theme.Open(themes.Match, false)+"needle7") {
		t.Error("the hit is not marked")
	}
	if err := p.SetFilter("("); err == nil || p.Filter() != "NEEDLE7" {
		t.Errorf("a broken search: %v, in force %q", err, p.Filter())
	}
}

func TestPagerWrapsWithoutLosingText(t *testing.T) {
	long := strings.Repeat("0123456789", 20) + "日本語"
	p := pager("short", long, "end")
	p.SetWrap(true)
	text := strings.Join(p.Render(ink(), 42, 12), "")
	if got := strings.ReplaceAll(ansi.Strip(text), " ", ""); got != "short"+long+"end" {
		t.Errorf("wrapped text reads %q", got)
	}
	p.Do(keymap.Wrap)
	p.Do(keymap.ScrollRight)
	if got := plain(p.Render(ink(), 42, 3)); !strings.Contains(got, "89012345678") {
		t.Errorf("scrolled to the right:\n%s", got)
	}
}

func TestPagerStaysInsideItsText(t *testing.T) {
	p := pager(numbered(30)...)
	for _, a := range []keymap.Action{keymap.TextBottom, keymap.LineDown, keymap.TextPageDn, keymap.TextTop, keymap.LineUp, keymap.TextPageUp} {
		for _, wrap := range []bool{false, true} {
			p.SetWrap(wrap)
			p.Do(a)
			for _, height := range []int{0, 1, 7, 50} {
				lines := p.Render(ink(), 12, height)
				if len(lines) != height || height > 0 && plain(lines) == "" {
					t.Fatalf("%s, wrap %v: %d lines at height %d", a, wrap, len(lines), height)
				}
				for _, line := range lines {
					if ansi.StringWidth(line) > 12 {
						t.Fatalf("%d cells: %q", ansi.StringWidth(line), line)
					}
				}
			}
		}
	}
	empty := &Pager{}
	empty.Do(keymap.TextBottom)
	empty.Render(ink(), 10, 5)
}

func TestWrappedLinesHang(t *testing.T) {
	check := func(text string, width int, want ...string) {
		t.Helper()
		var got []string
		for _, r := range wrapped(0, text, width) {
			cells := window(TextLine{{Text: text}}, r.from, r.width)
			row := Spaces(r.hang)
			for _, s := range cells {
				row += s.Text
			}
			got = append(got, row)
			if Width(row) > width {
				t.Errorf("%q is wider than %d", row, width)
			}
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%q in %d cells: %q, want %q", text, width, got, want)
		}
	}
	check("short", 20, "short")
	check("", 20, "")
	check("  one two three four", 12, "  one two ", "      three ", "      four")
	check("aaaaaaaaaaaaaaaaaaaa", 10, "aaaaaaaaaa", "    aaaaaa", "    aaaa")
	check("              deep", 10, "          ", "         ", "     deep")
	check("héllo wörld", 6, "héllo ", "   wör", "   ld")
}
