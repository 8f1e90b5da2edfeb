package job

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/draw"
)

// Widths in cells, found by feel.
const (
	barCells   = 10
	sparkCells = 12
)

// progress is the progress in the logs: how far, how fast, how well; "" without
// any.
func (v *View) progress(f views.Frame) string {
	r := f.Snapshot.Run(v.job)
	if r == nil {
		return ""
	}
	line, any := f.Line().Add(themes.Text, " "), false
	fact := func(role themes.Role, value, what string) {
		if value != "" && line.Left() > draw.Width(value)+draw.Width(what) {
			line.Add(role, value).Add(themes.Dim, what+"   ")
			any = true
		}
	}
	moves := !f.Diagnosis.MakesNoSteps(v.job.ID)
	switch gap := r.Stalled(f.Now()); {
	case gap <= 0 || v.job.Phase != train.Running:
	case f.Snapshot.Silent():
		fact(themes.Dim, "last step "+f.Ages.Of(gap)+" ago", "")
	default:
		fact(themes.Bad, "stalled "+f.Ages.Of(gap), "")
		moves = false
	}
	done, total, what := r.Step, r.TotalSteps, "step "
	if math.IsNaN(done) {
		done, total, what = r.Epoch, r.TotalEpochs, "epoch "
	}
	if !math.IsNaN(done) {
		of := ""
		if total > 0 {
			of = " of " + draw.Step(total)
		}
		fact(themes.Strong, what+draw.Step(done), of)
	}
	if share := done / total; total > 0 && !math.IsNaN(share) && line.Left() > barCells+6 {
		line.Add(themes.BarFull, draw.Bar(f.Theme, share, barCells)).Add(themes.Text, fmt.Sprintf(" %.0f %%   ", share*100))
	}
	if r.StepTime > 0 && moves {
		fact(themes.Text, secondsText(r.StepTime), " each step")
	}
	if r.Remaining > 0 && moves && !v.job.Phase.Terminal() {
		fact(themes.Strong, "ETA "+termtext.Duration(r.Remaining), "")
	}
	if r.LossName != "" {
		fact(themes.Strong, draw.Clean(r.LossName)+" "+draw.Value(r.Loss), " "+draw.Spark(f.Theme, r.Spark(r.LossName, sparkCells), sparkCells))
	}
	if !any {
		return ""
	}
	return line.String()
}

func secondsText(d time.Duration) string {
	if s := d.Seconds(); s < 1000 {
		return fmt.Sprintf("%.3g s", s)
	}
	return termtext.Duration(d)
}

// Titles of the columns that come from logs.
const (
	titleStep = "STEP"
	titleLast = "LAST LINE"
	titleSaid = "SAID"
)

// logColumns are those from each rank's log, looked up for rows on the screen.
func (t *ranksTab) logColumns() []draw.Column[rank] {
	return []draw.Column[rank]{
		{Title: titleStep, Importance: 68, Right: true, Min: 6, Cell: func(r rank, ink draw.Ink) draw.Cell {
			return t.fromLog(r, ink, stepOf, themes.Text)
		}},
		{Title: titleLast, Importance: 52, Min: 16, Max: 64, Ends: true, Cell: func(r rank, ink draw.Ink) draw.Cell {
			return t.fromLog(r, ink, lastLine, themes.Dim)
		}},
		{Title: titleSaid, Importance: 51, Right: true, Reserve: 5, Cell: func(r rank, ink draw.Ink) draw.Cell {
			return t.fromLog(r, ink, func(log *store.Log) string { return ink.Ages.Since(lastTime(log)) }, themes.Text)
		}},
	}
}

// fromLog is a fact of the rank's newest log, a dash when it is not known.
func (t *ranksTab) fromLog(r rank, ink draw.Ink, of func(*store.Log) string, role themes.Role) draw.Cell {
	if t.frame.Snapshot != nil {
		if log := t.frame.Snapshot.RankLog(t.job, r.rankIndex); log != nil {
			if text := of(log); text != "" {
				return draw.Cell{Text: text, Role: role}
			}
		}
	}
	return columns.Dash(ink)
}

// stepOf is the newest step in a log, as the run counts it: where the log counts
// within epochs, those before are added.
func stepOf(log *store.Log) string {
	rows := log.Samples.Rows
	if log.Samples.Unit < series.UnitSteps {
		return ""
	}
	for i := len(rows) - 1; i >= 0 && i >= len(rows)-16; i-- {
		if !math.IsNaN(rows[i].Step) {
			return draw.Step(rows[i].X)
		}
	}
	return ""
}

// blankLines bounds how many empty lines are skipped to find one with text.
const blankLines = 20

func lastLine(log *store.Log) string {
	n := log.Lines.Len()
	for i := n - 1; i >= 0 && i >= n-blankLines; i-- {
		if text := strings.TrimSpace(draw.LogPlain(log.Lines.At(i).Text)); text != "" {
			return draw.LogMessage(text)
		}
	}
	return ""
}

func lastTime(log *store.Log) time.Time {
	if n := log.Lines.Len(); n > 0 {
		return log.Lines.At(n - 1).Time
	}
	return time.Time{}
}

// Streams are the ends of the logs of the ranks on the screen, and of those
// that print metrics.
func (v *View) Streams(views.Frame) []streams.Want {
	wants := []streams.Want{{Job: v.id, Shown: true}}
	if v.at == tabRanks {
		var rankIndices []int
		for _, r := range v.ranks.Visible() {
			rankIndices = append(rankIndices, r.rankIndex)
		}
		if len(rankIndices) > 0 {
			wants = append(wants, streams.Want{Job: v.id, Ranks: rankIndices, Shown: true})
		}
	}
	return wants
}
