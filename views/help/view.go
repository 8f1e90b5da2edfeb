// Package help shows the keys that are valid on the screen it was opened
// from, printed from the key table.
package help

import (
	"slices"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// View is the help of one screen.
type View struct {
	draw.Pager
	screen string
	scope  keymap.Scope
	rights keymap.Rights
	width  int // that the columns were laid out for
}

// New makes the help of the screen with this name and scope: the keys that may
// be pressed there.
func New(screen string, scope keymap.Scope, rights keymap.Rights) *View {
	return &View{screen: screen, scope: scope, rights: rights}
}

// Name is the screen's name in breadcrumbs.
func (v *View) Name() string { return "help" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Help }

// Title names the screen that the keys are for.
func (v *View) Title(views.Frame) views.Title {
	return views.Title{Text: "Keys in " + v.screen, Filter: v.Filter(), Note: v.Position()}
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, _ views.Frame) (views.Effect, bool) {
	switch action {
	case keymap.CopyText:
		return views.CopyText{Text: v.Pager.Text(), Notice: "copied the keys"}, true
	case keymap.SaveText:
		return views.SaveFiles{Files: []views.File{{Name: "keys.txt", Text: v.Pager.Text()}}}, true
	}
	return nil, v.Pager.Do(action)
}

// Click does nothing.
func (v *View) Click(int, int, bool, views.Frame) views.Effect { return nil }

// Wheel scrolls.
func (v *View) Wheel(lines int, _ views.Frame) { v.Pager.Wheel(lines) }

// Text is the help without colours.
func (v *View) Text(views.Frame) string { return v.Pager.Text() }

// Render draws the groups of keys side by side, as many as fit: those of the
// screen, then those of its prompts.
func (v *View) Render(f views.Frame) []string {
	if v.width != f.Width {
		v.width = f.Width
		v.Set(columns(blocks(slices.Concat(v.rights.In(v.scope), keymap.In(keymap.Prompt)), meaningRoom(f.Width-2)), f.Width-2))
	}
	return v.Pager.Render(f.Ink(), f.Width, f.Height)
}

// block is one group of keys.
type block struct {
	lines []draw.TextLine
	width int
}

// Widths of keys, and of their descriptions: two columns of both fit on 105
// cells, three on 160.
const (
	keyCells     = 15
	meaningCells = 34
)

// columnGap is the room between two columns.
const columnGap = 3

// meaningRoom is how wide descriptions are: all that there is where one column
// fits.
func meaningRoom(width int) int {
	if width < 2*(keyCells+1+meaningCells)+columnGap {
		return max(1, width-keyCells-1)
	}
	return meaningCells
}

func blocks(bindings []keymap.Binding, meaningCells int) []block {
	var order []string
	groups := map[string]*block{}
	for _, b := range bindings {
		if digit, is := keymap.FavouriteDigit(b.Action); is && digit > 1 {
			continue // the row of the first one is enough for all
		}
		group := groups[b.Group]
		if group == nil {
			order = append(order, b.Group)
			group = &block{}
			group.add(draw.TextLine{{Text: b.Group, Role: themes.Accent}})
			groups[b.Group] = group
		}
		keys, meaning := keyLines(b.Keys), draw.Wrap(b.Long, meaningCells)
		for i := range max(len(keys), len(meaning)) {
			group.add(draw.TextLine{
				{Text: draw.Fit(lineAt(keys, i), keyCells, false, "~"), Role: themes.Key},
				{Text: " " + lineAt(meaning, i), Role: themes.Text},
			})
		}
	}
	all := make([]block, 0, len(order))
	for _, name := range order {
		all = append(all, *groups[name])
	}
	return all
}

func (b *block) add(line draw.TextLine) {
	b.lines = append(b.lines, line)
	b.width = max(b.width, draw.Width(line.Plain()))
}

// lineAt is a line, "" where there is none.
func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// keyLines are the keys of a binding, as many on each line as fit whole.
func keyLines(keys []string) []string {
	var lines []string
	for _, k := range keys {
		name, last := keymap.Print(k), len(lines)-1
		if last >= 0 && draw.Width(lines[last]+" "+name) <= keyCells {
			lines[last] += " " + name
			continue
		}
		lines = append(lines, name)
	}
	return lines
}

// columns stacks the blocks into as many columns as fit side by side, each
// block into the column that is shortest so far.
func columns(blocks []block, width int) []draw.TextLine {
	widest := 1
	for _, b := range blocks {
		widest = max(widest, b.width)
	}
	stacks := make([][]draw.TextLine, max(1, min(len(blocks), (width+columnGap)/(widest+columnGap))))
	for _, b := range blocks {
		at := 0
		for i := range stacks {
			if len(stacks[i]) < len(stacks[at]) {
				at = i
			}
		}
		if len(stacks[at]) > 0 {
			stacks[at] = append(stacks[at], draw.TextLine{})
		}
		stacks[at] = append(stacks[at], b.lines...)
	}
	return sideBySide(stacks, widest+columnGap)
}

func sideBySide(stacks [][]draw.TextLine, width int) []draw.TextLine {
	height := 0
	for _, s := range stacks {
		height = max(height, len(s))
	}
	lines := make([]draw.TextLine, height)
	for y := range lines {
		for i, s := range stacks {
			var part draw.TextLine
			if y < len(s) {
				part = s[y]
			}
			lines[y] = append(lines[y], part...)
			if i < len(stacks)-1 {
				lines[y] = append(lines[y], draw.Span{Text: draw.Spaces(width - draw.Width(part.Plain()))})
			}
		}
	}
	return lines
}
