package draw

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
)

// Pager shows a text that is longer, or wider, than the screen. It scrolls,
// wraps and searches; only the visible lines are drawn.
type Pager struct {
	lines []TextLine
	wrap  bool

	top, left int
	rows      []rowOf // when wrapped: the part of the text in each row
	wrappedTo int     // the width that rows were made for

	searched string
	search   *regexp.Regexp
	hits     []int  // lines that match
	hit      int    // the one last gone to
	turned   string // which end the search went on from, "" while it has not passed one
	// sought is a search that began before there was a text: its first hit is
	// shown when the text is drawn.
	sought bool

	page int // rows last drawn
}

// TextLine is one line of a text, its parts in roles of their own.
type TextLine []Span

// Plain is a line without roles.
func (l TextLine) Plain() string {
	if len(l) == 1 {
		return l[0].Text
	}
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text)
	}
	return b.String()
}

// rowOf is cells from..from+width of a line, hang cells in from the left.
type rowOf struct{ line, from, width, hang int }

// Set replaces the text and keeps the position in it. Every part is cleaned.
func (p *Pager) Set(lines []TextLine) {
	for _, line := range lines {
		for i := range line {
			line[i].Text = Clean(line[i].Text)
		}
	}
	p.lines, p.rows = lines, nil
	p.find()
}

// SetWrap wraps long lines from the start.
func (p *Pager) SetWrap(wrap bool) { p.wrap = wrap }

// Text is the whole text.
func (p *Pager) Text() string {
	var b strings.Builder
	for _, line := range p.lines {
		b.WriteString(line.Plain())
		b.WriteByte('\n')
	}
	return b.String()
}

// SetFilter searches: a regular expression without regard to case. The text
// scrolls to the first hit at or below the current position.
func (p *Pager) SetFilter(text string) error {
	if text == "" {
		p.searched, p.search, p.hits = "", nil, nil
		return nil
	}
	search, err := regexp.Compile("(?i)" + text)
	if err != nil {
		return fmt.Errorf("read %q as a regular expression: %w", text, err)
	}
	p.searched, p.search, p.turned = text, search, ""
	p.sought = len(p.lines) == 0
	p.find()
	top := p.lineAt(p.top)
	p.hit = 0
	for i, line := range p.hits {
		if line >= top {
			p.hit = i
			break
		}
	}
	p.reveal()
	return nil
}

// Filter is the search as it was typed.
func (p *Pager) Filter() string { return p.searched }

func (p *Pager) find() {
	p.hits = nil
	if p.search == nil {
		return
	}
	for i, line := range p.lines {
		if p.search.MatchString(line.Plain()) {
			p.hits = append(p.hits, i)
		}
	}
	p.hit = max(0, min(p.hit, len(p.hits)-1))
}

// reveal scrolls so that the hit is on the screen.
func (p *Pager) reveal() {
	if len(p.hits) == 0 {
		return
	}
	row := p.rowAt(p.hits[p.hit])
	if row < p.top || row >= p.top+p.page {
		p.top = max(0, row-p.page/3)
	}
}

// Do carries out actions that every text has.
func (p *Pager) Do(action keymap.Action) bool {
	switch action {
	case keymap.LineUp:
		p.top--
	case keymap.LineDown:
		p.top++
	case keymap.TextPageUp:
		p.top -= max(1, p.page-1)
	case keymap.TextPageDn:
		p.top += max(1, p.page-1)
	case keymap.TextTop:
		p.top, p.left = 0, 0
	case keymap.TextBottom:
		p.top = len(p.lines) + len(p.rows)
	case keymap.ScrollLeft:
		p.left = max(0, p.left-scrollStep)
	case keymap.ScrollRight:
		p.left += scrollStep
	case keymap.NextMatch:
		p.step(1)
	case keymap.PrevMatch:
		p.step(-1)
	case keymap.Wrap:
		line := p.lineAt(p.top)
		p.wrap, p.rows, p.left = !p.wrap, nil, 0
		p.ready(p.wrappedTo)
		p.top = p.rowAt(line)
	default:
		return false
	}
	p.bound()
	return true
}

// scrollStep is how many cells one key scrolls sideways; found by feel.
const scrollStep = 8

func (p *Pager) step(by int) {
	if len(p.hits) == 0 {
		return
	}
	before := p.hit
	p.hit = (p.hit + by + len(p.hits)) % len(p.hits)
	switch {
	case by > 0 && p.hit <= before:
		p.turned = ", from the top again"
	case by < 0 && p.hit >= before:
		p.turned = ", from the end again"
	default:
		p.turned = ""
	}
	p.reveal()
}

// Wheel scrolls.
func (p *Pager) Wheel(lines int) {
	p.top += lines
	p.bound()
}

func (p *Pager) bound() {
	p.top = max(0, min(p.top, p.count()-max(1, p.page)))
}

// count is how many rows the text takes on the screen.
func (p *Pager) count() int {
	if p.wrap && p.rows != nil {
		return len(p.rows)
	}
	return len(p.lines)
}

func (p *Pager) lineAt(row int) int {
	if p.wrap && row < len(p.rows) && row >= 0 {
		return p.rows[row].line
	}
	return row
}

func (p *Pager) rowAt(line int) int {
	for row := range p.rows {
		if p.wrap && p.rows[row].line == line {
			return row
		}
	}
	return line
}

// ready computes where lines wrap, when they do and the width is new.
func (p *Pager) ready(width int) {
	if !p.wrap || p.rows != nil && p.wrappedTo == width {
		p.wrappedTo = width
		return
	}
	p.wrappedTo, p.rows = width, []rowOf{}
	for i, line := range p.lines {
		p.rows = append(p.rows, wrapped(i, line.Plain(), max(1, width))...)
	}
}

// wrapped breaks a line into rows, at spaces where there are any. Further rows
// are indented more than the line.
func wrapped(line int, text string, width int) []rowOf {
	cells := Width(text)
	begins := len(text) - len(strings.TrimLeft(text, " "))
	hang := min(begins+hangCells, width/2)
	rows := []rowOf{{line, 0, breakAt(text, 0, width, begins), 0}}
	for from := rows[0].width; from < cells; {
		row := rowOf{line, from, breakAt(text, from, width-hang, 0), hang}
		rows = append(rows, row)
		from += row.width
	}
	return rows
}

// hangCells is the indentation of a continued line.
const hangCells = 4

// breakAt is how many cells of a text from some cell on fit into a row: up to
// the last space in its second half, or all of it. least is where the words
// begin. Only where each byte is a cell are the positions of spaces known.
func breakAt(text string, from, room, least int) int {
	room = max(1, room)
	if from+room >= Width(text) || !printable(text) {
		return room
	}
	if at := strings.LastIndexByte(text[from:from+room], ' '); at >= max(room/2, least) {
		return at + 1
	}
	return room
}

// Position names the visible part, and the search's hits.
func (p *Pager) Position() string {
	if p.count() == 0 {
		return ""
	}
	text := fmt.Sprintf("%d-%d of %d", p.lineAt(p.top)+1, p.lineAt(min(p.count(), p.top+max(1, p.page))-1)+1, len(p.lines))
	if p.search != nil {
		at := 0
		if len(p.hits) > 0 {
			at = p.hit + 1
		}
		text = fmt.Sprintf("hit %d of %d%s   %s", at, len(p.hits), p.turned, text)
	}
	return text
}

// Render draws the rows from the top: exactly height lines.
func (p *Pager) Render(ink Ink, width, height int) []string {
	body := max(1, width-2)
	p.page = max(1, height)
	p.ready(body)
	if p.sought && len(p.lines) > 0 {
		p.sought = false
		p.reveal()
	}
	p.bound()
	var lines []string
	for row := p.top; row < min(p.count(), p.top+height); row++ {
		at := rowOf{row, p.left, body, 0}
		if p.wrap {
			at = p.rows[row]
		}
		line := NewLine(ink.Theme, width, false).Add(themes.Text, Spaces(1+at.hang))
		for _, s := range window(p.marked(at.line), at.from, at.width) {
			line.Add(s.Role, s.Text)
		}
		lines = append(lines, line.String())
	}
	return Lines(lines, height)
}

// marked is a line with the hits of the search marked in it.
func (p *Pager) marked(i int) TextLine {
	line := p.lines[i]
	if p.search == nil {
		return line
	}
	hits := p.search.FindAllStringIndex(line.Plain(), -1)
	var out TextLine
	at := 0
	for _, s := range line {
		out = append(out, split(s, at, hits)...)
		at += len(s.Text)
	}
	return out
}

// split cuts a part that begins at a byte of its line where hits begin and end.
func split(s Span, at int, hits [][]int) []Span {
	var parts []Span
	from := 0
	for _, hit := range hits {
		begin, end := max(hit[0]-at, from), min(hit[1]-at, len(s.Text))
		if begin >= end {
			continue
		}
		parts = append(parts, Span{Text: s.Text[from:begin], Role: s.Role}, Span{Text: s.Text[begin:end], Role: themes.Match})
		from = end
	}
	return append(parts, Span{Text: s.Text[from:], Role: s.Role})
}
