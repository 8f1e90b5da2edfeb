package ui

import (
	"fmt"
	"math"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/draw"
)

// copyLine shows the progress of the copies, "" while nothing is copied.
func (f *footer) copyLine() string {
	oldest, more, known := f.m.tasks.Copies.Progress()
	if !known {
		return ""
	}
	sign, amount := f.m.painter.spin(), termtext.Bytes(oldest.Done)
	if oldest.All > 0 {
		share := min(1, float64(oldest.Done)/float64(oldest.All))
		sign, amount = f.m.painter.bar(share), fmt.Sprintf("%s of %s %d%%", termtext.Bytes(oldest.Done), termtext.Bytes(oldest.All), int(math.Round(100*share)))
	}
	amount += termtext.AndMore(more, "")
	right := f.m.painter.line()
	if sign != "" && f.m.width >= roomy {
		right.Add(themes.Accent, sign+" ")
	}
	right.Add(themes.Strong, amount).Add(themes.Dim, "   esc stops ")
	line := f.m.painter.line().Add(themes.Notice, " copying ").Add(themes.Text, draw.Cut(draw.Clean(oldest.Text), max(8, right.Left()-12), f.m.theme.Glyphs.Ellipsis))
	return line.Right(right).String()
}
