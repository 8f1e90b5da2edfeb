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

// The least that anything can be read on.
const (
	leastWidth  = 24
	leastHeight = 6
)

// From these heights there is room for more than the body: found by feel.
const (
	favouritesFrom = 18
	footRuleFrom   = 16
)

// page is where things stand on the screen.
type page struct {
	bodyTop, bodyHeight int
	timeline            timelinePlace
	dialog              dialogPlace
}

// draw makes the whole screen, and says where the cursor blinks.
func (m *model) draw() (string, *tea.Cursor) {
	if m.width < leastWidth || m.height < leastHeight {
		return m.tooSmall(), nil
	}
	head := m.head()
	m.page.timeline = timelinePlace{}
	if m.replays() {
		m.page.timeline.row = len(head)
		head = append(head, m.timelineLine())
	}
	titled, footed := 2, 1 // the title and the rule below it; the footer
	if m.height >= footRuleFrom {
		footed++
	}
	m.page.bodyTop, m.page.bodyHeight = len(head)+titled, max(1, m.height-len(head)-titled-footed)
	f := m.frame()
	body := m.render(m.top(), f) // first: the title tells which part of it shows
	lines := append(head, m.titleLine(m.title(m.top(), f)), m.rule())
	lines = append(lines, m.laidOver(body)...)
	lines = append(lines, m.foot()...)
	f.Ages.Soon(m.clock.headTurn)
	m.clock.turn = f.Ages.Turn
	return strings.Join(draw.Lines(lines, m.height), "\n"), m.inputCursor()
}

func (m *model) tooSmall() string {
	text := fmt.Sprintf("%dx%d is too small, %dx%d is needed", m.width, m.height, leastWidth, leastHeight)
	var lines []string
	for _, line := range draw.Wrap(text, max(1, m.width)) {
		lines = append(lines, draw.Cut(line, m.width, ""))
	}
	return strings.Join(draw.Lines(lines, max(0, min(m.height, len(lines)))), "\n")
}

func (m *model) line() *draw.Line { return draw.NewLine(m.theme, m.width, false) }

func (m *model) rule() string {
	return m.theme.Paint(themes.Rule, strings.Repeat(m.theme.Glyphs.Rule, m.width))
}

// titleLine is what the screen shows, how many, and narrowed by what.
func (m *model) titleLine(t views.Title) string {
	right := m.line()
	if t.Filter != "" {
		right.Add(themes.Accent, "/"+draw.Clean(t.Filter)).Add(themes.Dim, "   ")
	}
	right.Add(themes.Dim, t.Note+" ")
	line := m.line().Add(themes.Strong, " "+t.Text)
	if sign := m.spin(); sign != "" && m.working.under() {
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
	if t.Filter != "" && line.Left() <= m.width-right.Left() {
		// The filter must be seen whatever else has to go.
		line = m.line().Add(themes.Strong, " "+t.Text).Add(themes.Accent, "  /"+draw.Clean(t.Filter))
		return line.String()
	}
	return line.Right(right).String()
}

// foot is the footer, or what stands in its place: the prompt, a notice.
func (m *model) foot() []string {
	var lines []string
	progress := m.copyLine()
	if m.height >= footRuleFrom {
		lines = append(lines, cmp.Or(progress, m.storyLine(), m.rule()))
		progress = ""
	}
	switch {
	case m.dialog != nil:
		return append(lines, m.dialogKeys())
	case m.prompt.open():
		line, _ := m.promptLine()
		return append(lines, line)
	case m.notice.text != "":
		role := themes.Notice
		if m.notice.failed {
			role = themes.NoticeFailed
		}
		return append(lines, m.line().Add(role, " "+m.notice.text).String())
	case progress != "":
		return append(lines, progress)
	}
	return append(lines, m.keyLine())
}
