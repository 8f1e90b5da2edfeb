package charts

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// paneRows are the log lines around the crosshair, or the newest ones, below a
// rule that names the log.
func (v *View) paneRows(f views.Frame, height int) []string {
	c, i := v.point()
	var log *store.Log
	if c != nil {
		log = logOf(f, c.key.stream)
	}
	if log == nil || log.Lines.Len() == 0 {
		rows := []string{paneRule(f, "log", ""), f.Line().Add(themes.Dim, " no lines of this log are kept").String()}
		return draw.Lines(rows, height)
	}
	n := height - 1
	line := c.row(i).Line
	first := log.Lines.Len() - n
	at := -1
	note := "newest"
	if v.crosshair.set {
		at = log.Lines.Find(line)
		if at < log.Lines.Len() && log.Lines.At(at).Number != line {
			at = -1
		}
		note = "line " + draw.Count(int(line))
		if at < 0 {
			note += ", which is no longer kept"
		}
		first = min(first, max(0, log.Lines.Find(line)-n/2))
	}
	title := fmt.Sprintf("%s  %s", c.key.stream, note)
	if len(v.known.Ranks) > 1 {
		title = fmt.Sprintf("rank %d  %s", c.key.rank, title)
	}
	rows := []string{paneRule(f, title, "enter opens the log")}
	for k := max(0, first); k < min(log.Lines.Len(), max(0, first)+n); k++ {
		rows = append(rows, paneLine(f, log, k, k == at))
	}
	return draw.Lines(rows, height)
}

// paneRule is the line between charts and log.
func paneRule(f views.Frame, title, right string) string {
	line := f.Line().Add(themes.Rule, strings.Repeat(f.Theme.Glyphs.Rule, 2)).Add(themes.Dim, " "+draw.Clean(title)+" ")
	end := ""
	if right != "" && line.Left() > draw.Width(right)+8 {
		end = " " + right + " "
	}
	line.Add(themes.Rule, strings.Repeat(f.Theme.Glyphs.Rule, max(0, line.Left()-draw.Width(end)-2)))
	return line.Add(themes.Dim, end).Add(themes.Rule, strings.Repeat(f.Theme.Glyphs.Rule, 2)).String()
}

// paneLine draws a line of the log; the crosshair's is marked.
func paneLine(f views.Frame, log *store.Log, at int, marked bool) string {
	entry := log.Lines.At(at)
	line := draw.NewLine(f.Theme, f.Width, marked)
	sign := " "
	if marked {
		sign = f.Theme.Glyphs.Cursor
	}
	line.Add(themes.Accent, sign).Fit(themes.Dim, draw.Count(int(entry.Number)), numberCells, true).Add(themes.Text, " ")
	if !entry.Time.IsZero() {
		line.Add(themes.Dim, entry.Time.UTC().Format("15:04:05")+" ")
	}
	return line.AddLog(draw.LogText{Text: entry.Text, Role: draw.LevelOf(draw.LogPlain(entry.Text)).Role()}, 0, line.Left()).String()
}

// numberCells is the width of the number of a line.
const numberCells = 8
