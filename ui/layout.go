package ui

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// The smallest size that can be read.
const (
	leastWidth  = 24
	leastHeight = 6
)

// From these heights there is room for more than the body: found by feel.
const (
	favouritesFrom = 18
	footRuleFrom   = 16
)

// page is the position of the parts of the screen.
type page struct {
	bodyTop, bodyHeight int
	timeline            timelineBounds
	dialog              dialogBounds
}

// painter draws the frame around a screen, and the screen in it.
type painter struct{ m *model }

// draw draws the whole screen, and returns the position of the cursor.
func (p *painter) draw() (string, *tea.Cursor) {
	if p.isTooSmall() {
		return p.tooSmall(), nil
	}
	head := p.m.head.lines()
	p.m.page.timeline = timelineBounds{}
	if p.m.travel.replays() {
		p.m.page.timeline.row = len(head)
		head = append(head, p.m.travel.line())
	}
	titled, footed := 2, 1 // the title and the rule below it; the footer
	if p.m.height >= footRuleFrom {
		footed++
	}
	p.m.page.bodyTop, p.m.page.bodyHeight = len(head)+titled, max(1, p.m.height-len(head)-titled-footed)
	f := p.m.frame()
	body := p.render(p.m.top(), f) // first: the title shows which part of it is visible
	lines := append(head, p.titleLine(p.title(p.m.top(), f)), p.rule())
	lines = append(lines, p.laidOver(body)...)
	lines = append(lines, p.m.footer.lines()...)
	f.Ages.Soon(p.m.clock.headTurn)
	p.m.clock.turn = f.Ages.Turn
	text := strings.Join(draw.Lines(lines, p.m.height), "\n")
	if p.m.session.ASCII {
		text = draw.ASCII(text) // sentences and texts of the cluster have signs too
	}
	return text, p.m.typing.cursor()
}

func (p *painter) isTooSmall() bool {
	return p.m.width < leastWidth || p.m.height < leastHeight
}

func (p *painter) tooSmall() string {
	text := fmt.Sprintf("%dx%d is too small, %dx%d is needed", p.m.width, p.m.height, leastWidth, leastHeight)
	var lines []string
	for _, line := range draw.Wrap(text, max(1, p.m.width)) {
		lines = append(lines, draw.Cut(line, p.m.width, ""))
	}
	return strings.Join(draw.Lines(lines, max(0, min(p.m.height, len(lines)))), "\n")
}

func (p *painter) line() *draw.Line { return draw.NewLine(p.m.theme, p.m.width, false) }

func (p *painter) rule() string {
	return p.m.theme.Paint(themes.Rule, strings.Repeat(p.m.theme.Glyphs.Rule, p.m.width))
}

// titleLine names the content, its count, and the filter.
func (p *painter) titleLine(t views.Title) string {
	right := p.line()
	if t.Filter != "" {
		right.Add(themes.Accent, "/"+draw.Clean(t.Filter)).Add(themes.Dim, "   ")
	}
	right.Add(themes.Dim, t.Note+" ")
	line := p.line().Add(themes.Strong, " "+t.Text)
	if sign := p.spin(); sign != "" && p.m.working.under() {
		line.Add(themes.Accent, " "+sign)
	}
	if t.Flags != "" {
		line.Add(themes.Accent, "   "+t.Flags)
	}
	for i, part := range t.Parts {
		gap := "  "
		if i == 0 {
			gap = "   "
		}
		if line.Left() < draw.Width(part.Text)+len(gap) {
			break
		}
		line.Add(themes.Text, gap).Add(part.Role, part.Text)
	}
	if t.Filter != "" && line.Left() <= p.m.width-right.Left() {
		// The filter must be visible whatever else is cut.
		line = p.line().Add(themes.Strong, " "+t.Text).Add(themes.Accent, "  /"+draw.Clean(t.Filter))
		return line.String()
	}
	return line.Right(right).String()
}

// lines is the footer, or what replaces it: the prompt, a notice.
func (f *footer) lines() []string {
	var lines []string
	progress := f.copyLine()
	if f.m.height >= footRuleFrom {
		lines = append(lines, cmp.Or(progress, f.m.travel.story(), f.m.painter.rule()))
		progress = ""
	}
	switch {
	case f.m.dialog != nil:
		return append(lines, f.dialogKeys())
	case f.m.prompt.open():
		line, _ := f.m.typing.line()
		return append(lines, line)
	case f.m.notice.text != "":
		role := themes.Notice
		if f.m.notice.failed {
			role = themes.NoticeFailed
		}
		return append(lines, f.m.painter.line().Add(role, " "+f.m.notice.text).String())
	case progress != "":
		return append(lines, progress)
	}
	return append(lines, f.keyLine())
}
