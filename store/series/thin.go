package series

import (
	"math"
	"slices"
)

// Thin at least halves what is kept, if possible: of the limit, or of less
// when all logs together have too much. The parts of the axis have widths that
// are powers of two and begin at 0, so that each consists of two earlier
// parts, and ranks that print the same keep the same.
func (r *Recorder) Thin() {
	t := &r.table
	most := min(r.limit, max(r.values, len(t.Rows)))
	if r.width == 0 {
		r.spacing = usualSpacing(t.Rows)
		r.width = math.Exp2(math.Ceil(math.Log2(2 * r.spacing)))
	}
	for farthest := r.farthest(); ; {
		r.width *= 2
		parts := partsOf(t.Rows, r.width)
		r.rebuild(most, func(c *Column, newest uint32) Column { return thinColumn(c, parts, newest) })
		if r.values <= most/2 && len(t.Rows) <= most/2 || r.width > 2*farthest {
			break
		}
	}
	t.Thinned = int(min(r.width/r.spacing, 1<<30))
	if r.values > most*3/4 { // too many metrics and attempts: only hostile logs have so many
		r.rebuild(most, func(c *Column, _ uint32) Column { return newerHalf(c) })
	}
}

// usualSpacing returns the median distance between successive rows that are
// apart.
func usualSpacing(rows []Row) float64 {
	var distances []float64
	for i := 1; i < len(rows) && len(distances) < 1000; i++ {
		if d := rows[i].X - rows[i-1].X; d > 0 {
			distances = append(distances, d)
		}
	}
	if len(distances) == 0 {
		return 1
	}
	slices.Sort(distances)
	return max(distances[len(distances)/2], 1e-9)
}

func (r *Recorder) farthest() float64 {
	farthest := 0.0
	for i := range r.table.Rows {
		farthest = max(farthest, r.table.Rows[i].X)
	}
	return farthest
}

// rebuild keeps of each column what thin returns, and the rows that are
// needed. Snapshots share the old arrays, so it builds new ones.
func (r *Recorder) rebuild(most int, thin func(c *Column, newest uint32) Column) {
	t := &r.table
	newest := r.newestRows(most)
	needed := make([]bool, len(t.Rows))
	for i := newest; i < len(needed); i++ {
		needed[i] = true
	}
	columns := make([]Column, len(t.Columns))
	r.values = 0
	for i := range t.Columns {
		columns[i] = thin(&t.Columns[i], uint32(newest))
		r.values += len(columns[i].Row)
		for _, row := range columns[i].Row {
			needed[row] = true
		}
	}
	rowAt := make([]uint32, len(t.Rows)+1)
	rows := make([]Row, 0, len(t.Rows))
	for i := range t.Rows {
		rowAt[i] = uint32(len(rows))
		if needed[i] {
			rows = append(rows, t.Rows[i])
		}
	}
	rowAt[len(t.Rows)] = uint32(len(rows))
	for i := range columns {
		for k, row := range columns[i].Row {
			columns[i].Row[k] = rowAt[row]
		}
	}
	for _, l := range r.trackers {
		l.last, l.backRow = int(rowAt[min(l.last, len(t.Rows))]), int(rowAt[min(l.backRow, len(t.Rows))])
	}
	t.Rows, t.Columns = rows, columns
}

// newestRows returns where the rows begin that are not thinned: an eighth of
// most.
func (r *Recorder) newestRows(most int) int {
	rows := len(r.table.Rows)
	kept := max(rows, r.values, 1)
	return rows - rows*min(most/8, kept)/kept
}

// part is the part of the axis that contains a row, of one attempt.
type part struct {
	number  float64
	attempt int32
}

func partsOf(rows []Row, width float64) []part {
	parts := make([]part, len(rows))
	for i := range rows {
		parts[i] = part{math.Floor(rows[i].X / width), rows[i].Attempt}
	}
	return parts
}

// thinColumn leaves room for as many points as it removes: new ones will fill
// it.
func thinColumn(c *Column, parts []part, newest uint32) Column {
	thin := c.emptied(len(c.Row))
	for i := 0; i < len(c.Row); {
		if c.Row[i] >= newest {
			thin.keep(c, i)
			i++
			continue
		}
		first, end := parts[c.Row[i]], i+1
		for end < len(c.Row) && c.Row[end] < newest && parts[c.Row[end]] == first {
			end++
		}
		thin.keepPart(c, i, end)
		i = end
	}
	return thin
}

func newerHalf(c *Column) Column {
	half := c.emptied(len(c.Row) - len(c.Row)/2)
	for i := len(c.Row) / 2; i < len(c.Row); i++ {
		half.keep(c, i)
	}
	return half
}

// emptied returns the column without its points, and with room for some.
func (c *Column) emptied(room int) Column {
	return Column{
		Name: c.Name, Rank: c.Rank, order: c.order, total: c.total, earlier: c.earlier,
		Row: make([]uint32, 0, room), Values: make([]float64, 0, room), sums: make([]uint32, 0, room),
	}
}

func (c *Column) keep(of *Column, i int) {
	c.Row, c.Values, c.sums = append(c.Row, of.Row[i]), append(c.Values, of.Values[i]), append(c.sums, of.sums[i])
}

// keepPart keeps the smallest, the largest and the last value of a part of the
// axis, and the first that is not finite.
func (c *Column) keepPart(of *Column, from, to int) {
	low, high, odd := -1, -1, -1
	for i := from; i < to; i++ {
		switch v := of.Values[i]; {
		case math.IsNaN(v) || math.IsInf(v, 0):
			if odd < 0 {
				odd = i
			}
		default:
			if low < 0 || v < of.Values[low] {
				low = i
			}
			if high < 0 || v > of.Values[high] {
				high = i
			}
		}
	}
	kept := [4]int{low, high, odd, to - 1}
	inOrder(&kept)
	before := -1
	for _, i := range kept {
		if i > before {
			c.keep(of, i)
			before = i
		}
	}
}

// inOrder sorts four indices.
func inOrder(indices *[4]int) {
	for _, pair := range [...][2]int{{0, 1}, {2, 3}, {0, 2}, {1, 3}, {1, 2}} {
		if a, b := &indices[pair[0]], &indices[pair[1]]; *a > *b {
			*a, *b = *b, *a
		}
	}
}
