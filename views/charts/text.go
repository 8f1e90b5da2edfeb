package charts

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// Text draws a run for a terminal or a file, in at most height lines of at most
// width cells: the progress, then the strips that fit. The plain theme gives
// text without any escape sequence. The job, if known, shows whether time is left. A run without
// metrics is "".
func Text(run *series.Run, job *train.Job, title string, width, height int, theme *themes.Theme) string {
	if run == nil || mainOf(run) == "" {
		return ""
	}
	s := &sheet{}
	s.rank = run.Tracks(mainOf(run))[0].RankIndex
	s.take(run, nil, run.Newest, theme)
	s.over = isOver(job)
	s.allRanks = len(s.curveSet.ranks(s.main)) > 1
	width, height = max(width, leastWidth), max(height, leastHeight)
	head := []string{draw.NewLine(theme, width, false).Add(themes.Strong, " "+draw.Clean(title)).String(), s.progressLine(width)}
	lines, _ := s.bodyRows(width, height, head, -1, s.whole().high)
	for i := range lines {
		if theme.Name == themes.Plain {
			lines[i] = ansi.Strip(lines[i])
		}
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}
