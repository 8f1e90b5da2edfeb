package job

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/charts"
	"github.com/traintop/traintop/views/draw"
)

// rankPreview is what fills the room below the table of ranks: the curve of the
// job, and the end of the log of the rank under the cursor.
type rankPreview struct{ curve charts.Preview }

// Heights, found by feel.
const (
	leastBelow = 6  // below it there is nothing
	mostCurve  = 14 // of the curve
	leastLog   = 4  // of the log with its rule
)

// render draws the curve and the log in at most some lines; nil where there is
// too little room, or neither.
func (p *rankPreview) render(f views.Frame, t *ranksTab, height int) []string {
	r, any := t.Current()
	if !any || height < leastBelow {
		return nil
	}
	log := f.Snapshot.RankLog(t.job, r.rankIndex)
	if log != nil && log.Lines.Len() == 0 {
		log = nil
	}
	room := min(mostCurve, height-1)
	if log != nil {
		room = min(room, max(height/2, height-1-log.Lines.Len()-1), height-leastLog)
	}
	curve := p.curve.Render(f, t.job, r.Index, f.Width, room)
	if curve == nil && log == nil {
		return nil
	}
	lines := []string{}
	if curve != nil {
		lines = append(append(lines, ruleOf(f, "curve", "C charts")), curve...)
	}
	if left := height - len(lines); log != nil && left >= leastLog {
		lines = append(lines, tail(f, r, log, left)...)
	}
	return lines
}

// tail is the end of a log below a rule that names it.
func tail(f views.Frame, r rank, log *store.Log, height int) []string {
	n := min(height-1, log.Lines.Len())
	lines := []string{ruleOf(f, fmt.Sprintf("log of rank %d  %s", r.Index, draw.Clean(r.Pod)), "enter log")}
	for i := log.Lines.Len() - n; i < log.Lines.Len(); i++ {
		entry := log.Lines.At(i)
		line := f.Line().Add(themes.Text, " ")
		if !entry.Time.IsZero() {
			line.Add(themes.Dim, entry.Time.UTC().Format("15:04:05")+" ")
		}
		role := draw.LevelOf(draw.LogPlain(entry.Text)).Role()
		lines = append(lines, line.AddLog(draw.LogText{Text: entry.Text, Role: role}, 0, line.Left()).String())
	}
	return lines
}

// ruleOf is a rule with a title, and at its right the key that opens more.
func ruleOf(f views.Frame, title, key string) string {
	line := f.Line().Add(themes.Rule, strings.Repeat(f.Theme.Glyphs.Rule, 2)).Add(themes.Dim, " "+title+" ")
	if rest := line.Left() - draw.Width(key) - 4; rest > 0 {
		line.Add(themes.Rule, strings.Repeat(f.Theme.Glyphs.Rule, rest)).Add(themes.Dim, " "+key+" ")
	}
	return line.Add(themes.Rule, strings.Repeat(f.Theme.Glyphs.Rule, max(0, line.Left()))).String()
}
