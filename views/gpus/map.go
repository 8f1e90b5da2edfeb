package gpus

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns/gpurows"
	"github.com/traintop/traintop/views/draw"
)

// drawn is the mouse's data on the last drawing.
type drawn struct {
	banner   int // lines above the map
	mapLines int // all lines above the table
	// firstLine is the index in the whole map of its first visible line.
	firstLine int
	tall      int // lines of one row of blocks
}

const (
	// legendFrom is the height of a map that has room for a legend.
	legendFrom = 4
	// leastTable is how many lines of the table are left beside a map.
	leastTable = 6
	// leastMap is the smallest useful map.
	leastMap = 2
)

// Render draws the map above the table.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	v.drawn = drawn{}
	if v.Len() == 0 {
		return v.Body(f, func() []string { return v.nothing(f) })
	}
	lines := v.banner(f)
	v.drawn.banner = len(lines)
	lines = append(lines, v.drawMap(f, v.mapHeight(f, f.Height-len(lines)))...)
	v.drawn.mapLines = len(lines)
	below := f
	if below.Height = f.Height - len(lines); below.Height <= 0 || v.parts == mapOnly {
		return draw.Lines(lines, f.Height)
	}
	return append(lines, v.Body(below, nil)...)
}

// nothing explains why there are no rows.
func (v *View) nothing(f views.Frame) []string {
	if texts := f.Missing("nodes", "pods"); texts != nil {
		return texts
	}
	if f.Namespace != "" {
		return []string{"no pod in " + f.Namespace + " holds a GPU", "0 shows all namespaces"}
	}
	if v.summary.all > 0 {
		return []string{"no GPU is held or measured, as far as was read", ":nodes lists the nodes that offer them"}
	}
	return []string{"no GPUs: no node offers any, and nothing that was read tells of one"}
}

// banner explains why there are no numbers.
func (v *View) banner(f views.Frame) []string {
	if v.summary.measuring.Any() || f.Height < 2*leastTable {
		return nil
	}
	var lines []string
	for i, text := range gpurows.WhyUnmeasured(f) {
		if i == 3 {
			break
		}
		lines = append(lines, f.Line().Add(themes.Waiting, " "+f.Theme.Glyphs.Warning+" ").Add(themes.Text, draw.Clean(text)).String())
	}
	return lines
}

// mapHeight is how much of a height the map gets.
func (v *View) mapHeight(f views.Frame, height int) int {
	if v.parts == tableOnly {
		return 0
	}
	v.blocks.lay(v.all, v.Table.Rows(), f.Width)
	if v.parts == mapOnly {
		return height
	}
	room := min(height*3/5, height-leastTable)
	if room < leastMap {
		return 0
	}
	return min(room, 2*v.blocks.lines+1)
}

// drawMap draws the rows of blocks around the cursor, and a legend.
func (v *View) drawMap(f views.Frame, height int) []string {
	if height <= 0 {
		return nil
	}
	m := &v.blocks
	legend := 0
	if height >= legendFrom {
		legend = 1
	}
	v.drawn.tall = 1
	if 2*m.lines <= height-legend {
		v.drawn.tall = 2
	} else if v.parts == both && height-legend >= 2*leastMap {
		v.drawn.tall = 2
	}
	fits := max(1, (height-legend)/v.drawn.tall)
	at := v.at()
	first := max(0, min(m.lineOf(at.block)-fits/2, m.lines-fits))
	v.drawn.firstLine = first * v.drawn.tall
	lines := make([]string, 0, height)
	for line := first; line < min(m.lines, first+fits); line++ {
		lines = append(lines, v.drawBlocks(f, line, at)...)
	}
	if v.parts == mapOnly {
		lines = draw.Lines(lines, height-legend)
	}
	if legend > 0 {
		lines = append(lines, v.legend(f, first, min(m.lines, first+fits)))
	}
	return draw.Lines(lines, min(height, len(lines)))
}

// drawBlocks draws one row of blocks: cells, and below them who holds them.
func (v *View) drawBlocks(f views.Frame, line int, cursor spot) []string {
	m := &v.blocks
	above, below := f.Line(), f.Line()
	for i := m.from(line); i < len(m.blocks) && m.blocks[i].line == line; i++ {
		b := &m.blocks[i]
		here := cursor.block == i
		pad(above, b.x-gutter)
		pad(below, b.x)
		v.drawNode(f, above, b, here)
		v.drawCells(f, above, b, cursor, here)
		if v.drawn.tall == 1 {
			if word, role := b.word(); word != "" && above.Left() > 0 {
				above.Add(role, " "+draw.Cut(word, b.x+b.width+blockGap-1-(f.Width-above.Left())-1, f.Theme.Glyphs.Ellipsis))
			}
			continue
		}
		v.drawHolders(f, below, b)
	}
	if v.drawn.tall == 1 {
		return []string{above.String()}
	}
	return []string{above.String(), below.String()}
}

// pad fills a line up to a column.
func pad(line *draw.Line, to int) {
	line.Add(themes.Text, draw.Spaces(to-line.Used()))
}

func (v *View) drawNode(f views.Frame, line *draw.Line, b *block, here bool) {
	mark, role := " ", themes.Dim
	if here {
		mark, role = f.Theme.Glyphs.Cursor, themes.Strong
	} else if word, _ := b.word(); word != "" {
		role = themes.Text
	}
	line.Add(themes.Accent, mark).Add(themes.Text, " ")
	name := b.node
	if name == "" {
		name = "node unknown"
	}
	line.Fit(role, draw.Clean(name), v.blocks.name, false).Add(themes.Text, " ")
}

func (v *View) drawCells(f views.Frame, line *draw.Line, b *block, cursor spot, here bool) {
	end := b.x + b.width
	for _, c := range b.cells {
		if line.Used() >= end {
			return
		}
		if c.gap {
			line.Add(themes.Text, " ")
		}
		worst := worstOf(b.rows[c.from:c.to])
		glyph, role := worst.Cell(f.Theme, v.by, v.limits, f.Now())
		if here && cursor.row >= c.from && cursor.row < c.to {
			line.AddSelected(role, glyph)
			continue
		}
		line.Add(role, glyph)
	}
}

// worstOf is the row that represents several: the one with the worst fault.
func worstOf(rows []*row) *row {
	worst := rows[0]
	for i := range rows {
		if rows[i].Trouble.Order() < worst.Trouble.Order() {
			worst = rows[i]
		}
	}
	return worst
}

// at is the position of the cursor in the map.
func (v *View) at() spot {
	if r, ok := v.Current(); ok {
		return v.blocks.find(r.Key)
	}
	return nowhere
}

// drawHolders names who holds the node's GPUs, and the fault: names are cut
// before the fault is.
func (v *View) drawHolders(f views.Frame, line *draw.Line, b *block) {
	line.Add(themes.Text, "  ")
	word, role := b.word()
	room := b.x + b.width - line.Used()
	if word != "" {
		room -= draw.Width(word) + 1
	}
	for i, name := range b.holders(f) {
		if room <= 0 {
			break
		}
		if i > 0 {
			line.Add(themes.Dim, " ")
			room--
		}
		text := draw.Cut(draw.Clean(name), room, f.Theme.Glyphs.Ellipsis)
		line.Add(v.nameRole(f, name), text)
		room -= draw.Width(text)
	}
	if word != "" {
		line.Add(themes.Text, " ").Add(role, word)
	}
}

func (v *View) nameRole(f views.Frame, name string) themes.Role {
	switch {
	case name == free:
		return themes.Good
	case v.by == gpurows.ByJob && !slices.Contains([]string{notMeasured, unknown, cordoned, notReady}, name):
		return f.Theme.NameRole(name)
	}
	return themes.Dim
}

const (
	free        = "free"
	cordoned    = "cordoned"
	notReady    = "not ready"
	notMeasured = "not measured"
	unknown     = "holder unknown" // a source measures them, and names no pods
)

// holders are the names below a block. GPUs that nobody holds are free only
// where a pod could get them; else they are named by what keeps pods away.
func (b *block) holders(f views.Frame) []string {
	names := b.names()
	n := f.Snapshot.Node(b.node)
	if n == nil || len(names) != 1 || names[0] != free {
		return names
	}
	switch word, _ := b.word(); {
	case !n.Ready && word == notReady:
		return nil // the fault shows it
	case !n.Ready:
		return []string{notReady}
	case n.Cordoned:
		return []string{cordoned}
	}
	return names
}

// maxNames bounds the names below a block.
const maxNames = 4

// names are the jobs and pods that hold the node's GPUs, the one in trouble
// first, or "free".
func (b *block) names() []string {
	var names []string
	add := func(name string) {
		for _, n := range names {
			if n == name {
				return
			}
		}
		if name != "" && len(names) < maxNames {
			names = append(names, name)
		}
	}
	for i := range b.rows {
		if b.rows[i].Trouble == b.trouble() && b.rows[i].Trouble != nil {
			add(b.rows[i].Name())
		}
	}
	for i := range b.rows {
		add(b.rows[i].Name())
	}
	if len(names) == 0 {
		for i := range b.rows {
			if b.rows[i].Vacant && !b.rows[i].Trouble.Broken() {
				return []string{free}
			}
		}
		if slices.ContainsFunc(b.rows, func(r *row) bool { return len(r.Sources) > 0 }) {
			return []string{unknown}
		}
		return []string{notMeasured}
	}
	return names
}

// word names the faults of the node: those of its GPUs, the worst first, or
// else that of a job on it.
func (b *block) word() (string, themes.Role) {
	worst := b.trouble()
	if worst == nil {
		worst = b.worst(func(r *row) *gpurows.Trouble { return r.OfJob })
	}
	if worst == nil {
		return "", themes.Dim
	}
	words := []string{worst.Word}
	for i := range b.rows {
		if t := b.rows[i].Trouble; t.Alarming() {
			for _, word := range t.Words {
				if !slices.Contains(words, word) {
					words = append(words, word)
				}
			}
		}
	}
	return draw.Clean(strings.Join(words[:min(len(words), maxWords)], ", ")), worst.Role()
}

// trouble is the worst of the node's GPUs.
func (b *block) trouble() *gpurows.Trouble {
	return b.worst(func(r *row) *gpurows.Trouble { return r.Trouble })
}

// maxWords is how many faults are named beside a node; the table lists all.
const maxWords = 2

// worst is the worst trouble of a sort on the node.
func (b *block) worst(of func(*row) *gpurows.Trouble) (worst *gpurows.Trouble) {
	for i := range b.rows {
		if t := of(b.rows[i]); t.Alarming() && t.Order() < worst.Order() {
			worst = t
		}
	}
	return worst
}

// legend explains the cells, and how much of the map is visible.
func (v *View) legend(f views.Frame, first, last int) string {
	g := &f.Theme.Glyphs
	low, high := v.by.Range(f.Theme)
	line := f.Line().Add(themes.Dim, " ")
	what := v.by.String()
	if v.by == gpurows.ByJob {
		what = "colour by job, height by use"
	}
	line.Add(themes.Dim, what+" "+low+" ")
	for i, glyph := range g.Heat {
		role := themes.HeatRole((float64(i) + 0.5) / float64(len(g.Heat)))
		if v.by == gpurows.ByJob {
			role = themes.Dim
		}
		line.Add(role, glyph)
	}
	line.Add(themes.Dim, " "+high)
	for _, sign := range []struct {
		glyph, word string
		role        themes.Role
	}{{g.Vacant, "free", themes.Dim}, {g.Unmeasured, "not measured", themes.Dim}, {g.Broken, "missing", themes.Bad}} {
		line.Add(sign.role, "   "+sign.glyph).Add(themes.Dim, " "+sign.word)
	}
	if last-first < v.blocks.lines {
		from, to := v.blocks.from(first), v.blocks.from(last)
		right := f.Line().Add(themes.Dim, strings.Join([]string{"nodes", draw.Count(from + 1), "to", draw.Count(to), "of", draw.Count(len(v.blocks.blocks))}, " "))
		line.Right(right)
	}
	return line.String()
}

// at is the GPU at a position of the whole map, "" where there is none.
func (m *blockMap) at(x, y int, tall int) string {
	if tall <= 0 || y < 0 {
		return ""
	}
	line := y / tall
	for i := m.from(line); i < len(m.blocks) && m.blocks[i].line == line; i++ {
		b := &m.blocks[i]
		if x < b.x-gutter || x >= b.x+b.width {
			continue
		}
		column := b.x + m.name + 1
		for _, c := range b.cells {
			if c.gap {
				column++
			}
			if x == column && y%tall == 0 {
				return worstOf(b.rows[c.from:c.to]).Key
			}
			column++
		}
		return b.rows[0].Key // its name, or who holds it
	}
	return ""
}
