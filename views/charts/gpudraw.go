package charts

import (
	"math"
	"strings"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// gpuDrawn caches the last drawing: moving the crosshair does not draw it
// again.
type gpuDrawn struct {
	key    gpuDrawnKey
	rows   []*gpuRow
	raster draw.Raster
}

// gpuDrawnKey is everything that the drawn rows depend on.
type gpuDrawnKey struct {
	looks         int
	run           *series.Run
	theme         *themes.Theme
	width, height int
	view          window
	axis          axis
	rank          int
}

// gpuStripRows draws the rows of GPUs with their names and their values at the
// crosshair.
func (w *rowWriter) gpuStripRows(height int) []string {
	d := w.gpuDraw(w.f.plot, height)
	at := w.timeAt(w.x)
	lines := make([]string, height)
	for i := range lines {
		line := draw.NewLine(w.theme, w.f.width, false)
		if i < len(d.rows) {
			w.gpuLine(line, d, i, at)
		} else {
			line.Add(themes.Text, draw.Spaces(w.f.gutter-1)).Add(themes.Rule, w.theme.Glyphs.Divider)
			line.Raster(&d.raster, i, w.crosshair())
		}
		lines[i] = line.String()
	}
	return lines
}

func (w *rowWriter) gpuLine(line *draw.Line, d *gpuDrawn, i int, at float64) {
	row := d.rows[i]
	role := themes.Dim
	if row.word != "" {
		role = row.role
	}
	line.Fit(role, draw.Clean(row.name), w.f.gutter-1, true).Add(themes.Rule, w.theme.Glyphs.Divider)
	what := "GPU " + gpuShows[w.gpus.shows].name
	value := w.gpus.text(w.theme, row, at)
	if w.f.legend > 0 {
		line.Raster(&d.raster, i, w.crosshair()).Add(themes.Text, value+" ")
		switch {
		case row.word != "":
			line.Add(row.role, w.theme.Glyphs.Warning+" "+draw.Clean(row.word))
		case i == 0:
			line.Add(themes.Strong, what)
		}
		return
	}
	if i == 0 {
		value = " " + what + value
	}
	line.RasterTo(&d.raster, i, max(0, w.f.plot-draw.Width(value)), w.crosshair()).Add(themes.Text, value)
}

// gpuDraw draws the rows, unless they are drawn already.
func (s *sheet) gpuDraw(width, height int) *gpuDrawn {
	g := s.gpus
	d := &g.drawn
	key := gpuDrawnKey{g.looks, s.run, s.theme, width, height, s.view(), s.axis, s.rank}
	if d.key == key {
		return d
	}
	d.key, d.rows = key, g.fitting(height)
	d.raster.Reset(width, height)
	edges, known := s.edgesOf(width)
	if !known {
		d.say(1, "the log tells no times, so GPUs have no place on this axis")
		return d
	}
	for i, row := range d.rows {
		for column := range width {
			if v := g.between(row, edges[column], edges[column+1]); finite(v) {
				glyph, role := draw.Heat(s.theme, (v-row.low)/(row.high-row.low), true)
				d.raster.Sign(column, i, []rune(glyph)[0], draw.Pen{Role: role, Layer: draw.LayerRule})
			}
		}
	}
	s.gpuLimit(d, edges)
	return d
}

// gpuLimit writes from when on data exists, where the data does not cover the
// whole plot.
func (s *sheet) gpuLimit(d *gpuDrawn, edges []float64) {
	columns := len(edges) - 1
	known := s.gpus.known
	if known.IsZero() {
		d.say(1, "no "+gpuShows[s.gpus.shows].name+" was measured in the last hour")
		return
	}
	begin := 0
	for begin < columns && !(edges[begin+1] > float64(known.Unix())) {
		begin++
	}
	text := "no GPU history before " + known.In(s.axis.zone()).Format("15:04")
	if columns-begin < fewColumns {
		text += ": A shows that part"
	}
	if begin == columns {
		d.say(1, text)
	} else if at := begin - draw.Width(text) - 1; at > 0 {
		d.say(at, text)
	}
}

// say writes a remark into the first row of the plot.
func (d *gpuDrawn) say(column int, text string) {
	d.raster.Text(column, 0, text, draw.Pen{Role: themes.Dim, Layer: draw.LayerSign})
}

// between returns the mean of a row from one instant to another, in Unix
// seconds; NaN without data.
func (g *gpuRows) between(r *gpuRow, from, to float64) float64 {
	if !finite(from) || !finite(to) {
		return math.NaN()
	}
	first := g.bucketAt(from)
	last := max(first, g.bucketAt(math.Nextafter(to, from)))
	sum, n := 0.0, 0.0
	for i := max(0, first); i <= last && i < len(r.values); i++ {
		if v := float64(r.values[i]); finite(v) {
			sum, n = sum+v, n+1
		}
	}
	return sum / n
}

// bucketAt returns the bucket of an instant; it may be outside of the buckets
// that are kept.
func (g *gpuRows) bucketAt(unix float64) int {
	by := (unix - float64(g.from.Unix())) / gpuBucket.Seconds()
	return int(math.Floor(min(max(by, -1), float64(gpuBuckets))))
}

// text formats the value of a row at an instant, in gpuAmount cells.
func (g *gpuRows) text(t *themes.Theme, r *gpuRow, unix float64) string {
	v := g.between(r, unix, unix)
	known := finite(v)
	text := ""
	switch g.quantity() {
	case train.GPUPower:
		text = draw.Watts(t, v, known)
	case train.GPUTensorActive:
		text = draw.Share(t, v, known)
	case train.GPUMemoryUsed:
		text = strings.TrimSuffix(draw.MiB(t, v, known, 0, false), "iB")
	case train.GPUTemperature:
		text = draw.Celsius(t, v, known)
	default:
		text = draw.Percent(t, v, known)
	}
	return draw.Fit(text, gpuAmount, true, "")
}

// gpuAmount is the room for a number with its unit, by feel.
const gpuAmount = 7
