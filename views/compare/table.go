package compare

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns/comparison"
	"github.com/traintop/traintop/views/draw"
)

// Widths, found by feel.
const (
	factCells = 34 // of the names of facts, at most
	runCells  = 16 // of a run, at least
	nameLines = 4  // of the names of the runs, at most
)

// arranged is what the columns depend on.
type arranged struct{ version, width, first int }

// arrange chooses how many runs have a column, and makes the columns when
// something has changed.
func (v *View) arrange(f views.Frame) {
	fact := min(factCells, max(10, f.Width/3))
	v.fit = max(1, min(len(v.made.Runs), (f.Width-fact)/runCells))
	v.first = max(0, min(v.first, len(v.made.Runs)-v.fit))
	now := arranged{int(v.version), f.Width, v.first}
	if now == v.arranged {
		return
	}
	v.arranged = now
	short := comparison.Short(v.made.Names())
	columns := []draw.Column[row]{{
		Title: "FACT", Importance: 100, Min: 10, Max: fact,
		Cell: func(r row, _ draw.Ink) draw.Cell { return draw.Cell{Text: r.Title, Role: roleOfGroup(r.Group)} },
	}}
	for i := v.first; i < v.first+v.fit; i++ {
		columns = append(columns, draw.Column[row]{
			Title: letter(i) + " " + draw.Clean(short[i]), Importance: 90, Min: runCells - 4, Max: max(runCells, (f.Width-fact)/v.fit-2), Right: true,
			Cell: func(r row, ink draw.Ink) draw.Cell { return cell(r.Cells[i], ink) },
		})
	}
	v.SetColumns(columns)
}

func roleOfGroup(g comparison.Group) themes.Role {
	switch g {
	case comparison.GroupDifferences:
		return themes.Accent
	case comparison.GroupState:
		return themes.Dim
	}
	return themes.Text
}

func letter(i int) string { return string(rune('a' + i%26)) }

func cell(c comparison.Cell, ink draw.Ink) draw.Cell {
	switch {
	case c.Text == "":
		return draw.Cell{Text: ink.Theme.Glyphs.Dash + draw.Spaces(len(comparison.BestMark)), Role: themes.Dim}
	case c.Broken:
		return draw.Cell{Text: c.Text + draw.Spaces(len(comparison.BestMark)), Role: themes.Bad}
	case c.Best:
		return draw.Cell{Text: c.Text + comparison.BestMark, Role: themes.Good}
	}
	return draw.Cell{Text: c.Text + draw.Spaces(len(comparison.BestMark))} // numbers stay below each other
}

// names are the full names of all runs by their letters, and what could not be
// compared.
func (v *View) names(f views.Frame) []string {
	var lines []string
	line, empty := f.Line(), true
	for i, name := range v.made.Names() {
		job := v.made.Runs[i].Job
		text := draw.Clean(name)
		state := ""
		if !job.LogsOnly {
			state = " " + draw.Phase(f.Theme, job.Phase).String()
		}
		if n := draw.Width(text+state) + 5; !empty && line.Left() < n {
			lines = append(lines, line.String())
			line = f.Line()
		}
		line.Add(themes.Accent, " "+letter(i)+" ").Add(themes.Strong, text)
		if state != "" {
			line.Add(draw.Phase(f.Theme, job.Phase).Role, state)
		}
		line.Add(themes.Text, "  ")
		empty = false
	}
	lines = append(lines, line.String())
	if len(v.made.Notes) > 0 {
		lines = append(lines, f.Line().Add(themes.Dim, " "+draw.Clean(strings.Join(v.made.Notes, "; "))).String())
	}
	return append(lines[:min(len(lines), nameLines, max(1, f.Height/4))], "")
}

// detail is a fact in full: values are cut in the table.
func (v *View) detail(r row) string {
	parts := []string{r.Title + ":"}
	for i, c := range r.Cells {
		text := c.Text
		if text == "" {
			text = "unknown"
			if r.Group == comparison.GroupDifferences {
				text = "not set"
			}
		}
		if c.Note != "" {
			text += " (" + c.Note + ")"
		}
		parts = append(parts, fmt.Sprintf("%s %s", letter(i), text))
	}
	return strings.Join(parts, "   ")
}
