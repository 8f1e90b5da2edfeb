package draw

import (
	"fmt"
	"strings"
	"testing"

	"charm.land/bubbles/v2/viewport"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
)

// pagerSizes are the lines of a manifest, and of the longest text there is.
var pagerSizes = []int{500, 100_000}

func pagerText(n int) (lines []string, text []TextLine) {
	for i := range n {
		line := fmt.Sprintf("    key%d: value %d with some words that go on to the end of the line and beyond it, as messages do", i, i)
		lines = append(lines, line)
		text = append(text, TextLine{{Text: line[:8], Role: themes.YAMLKey}, {Text: line[8:]}})
	}
	return lines, text
}

// BenchmarkPager is our pager at 80x45: a text is set and drawn, a line is
// scrolled and drawn, both with lines cut and wrapped, and a search begins.
func BenchmarkPager(b *testing.B) {
	for _, n := range pagerSizes {
		_, text := pagerText(n)
		run := func(name string, wrap bool, each func(p *Pager)) {
			b.Run(fmt.Sprintf("%s/lines=%d", name, n), func(b *testing.B) {
				p := &Pager{}
				p.SetWrap(wrap)
				p.Set(text)
				p.Render(ink(), 80, 45)
				b.ReportAllocs()
				for b.Loop() {
					each(p)
					p.Render(ink(), 80, 45)
				}
			})
		}
		run("set", false, func(p *Pager) { p.Set(text) })
		run("scroll", false, func(p *Pager) { p.Do(keymap.LineDown) })
		run("setWrapped", true, func(p *Pager) { p.Set(text) })
		run("scrollWrapped", true, func(p *Pager) { p.Do(keymap.LineDown) })
		run("search", false, func(p *Pager) { _ = p.SetFilter("key7") })
	}
}

// BenchmarkViewport is the viewport of bubbles on the same texts: whole, and
// with the lines alone that can be seen.
func BenchmarkViewport(b *testing.B) {
	for _, n := range pagerSizes {
		lines, _ := pagerText(n)
		content := strings.Join(lines, "\n")
		run := func(name string, wrap bool, each func(v *viewport.Model)) {
			b.Run(fmt.Sprintf("%s/lines=%d", name, n), func(b *testing.B) {
				v := viewport.New(viewport.WithWidth(80), viewport.WithHeight(45))
				v.SoftWrap = wrap
				v.SetContent(content)
				b.ReportAllocs()
				for b.Loop() {
					each(&v)
					_ = v.View()
				}
			})
		}
		run("set", false, func(v *viewport.Model) { v.SetContent(content) })
		run("scroll", false, func(v *viewport.Model) { v.ScrollDown(1) })
		run("setWrapped", true, func(v *viewport.Model) { v.SetContent(content) })
		run("scrollWrapped", true, func(v *viewport.Model) { v.ScrollDown(1) })
		run("visible", false, func(v *viewport.Model) { v.SetContentLines(append([]string(nil), lines[:45]...)) })
		run("search", false, func(v *viewport.Model) {
			var hits [][]int
			for at := strings.Index(content, "key7"); at >= 0 && len(hits) < 1000; {
				hits = append(hits, []int{at, at + 4})
				next := strings.Index(content[at+4:], "key7")
				if next < 0 {
					break
				}
				at += 4 + next
			}
			v.SetHighlights(hits)
		})
	}
}
