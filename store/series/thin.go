package series

import (
	"cmp"
	"math"
	"slices"
)

// Thin at least halves what is kept, as long as that is possible.
func (r *Recorder) Thin() {
	t := &r.table
	for span := max(4, 2*t.Thinned); ; span *= 2 {
		r.thinTo(int64(span))
		t.Thinned = span
		if r.values <= r.limit/2 && len(t.Rows) <= r.limit/2 || int64(span) > t.Samples {
			return
		}
	}
}

// thinTo keeps, of each bucket of span samples, what buckets keep. Pictures
// share what there was, so it builds everything anew.
func (r *Recorder) thinTo(span int64) {
	t := &r.table
	newest := r.newestRows()
	needed := make([]bool, len(t.Rows))
	for i := newest; i < len(needed); i++ {
		needed[i] = true
	}
	columns := make([]Column, len(t.Columns))
	r.values = 0
	for i := range t.Columns {
		columns[i] = thinColumn(&t.Columns[i], t.Rows, span, uint32(newest))
		r.values += len(columns[i].Row)
		for _, row := range columns[i].Row {
			needed[row] = true
		}
	}
	places := make([]uint32, len(t.Rows)+1)
	rows := make([]Row, 0, len(t.Rows))
	for i := range t.Rows {
		places[i] = uint32(len(rows))
		if needed[i] {
			rows = append(rows, t.Rows[i])
		}
	}
	places[len(t.Rows)] = uint32(len(rows))
	for i := range columns {
		for k, row := range columns[i].Row {
			columns[i].Row[k] = places[row]
		}
	}
	for _, l := range r.lanes {
		l.last, l.backRow = int(places[min(l.last, len(t.Rows))]), int(places[min(l.backRow, len(t.Rows))])
	}
	t.Rows, t.Columns = slices.Clip(rows), columns
}

// newestRows is where the rows begin that stay as they are: an eighth of what
// fits.
func (r *Recorder) newestRows() int {
	rows := len(r.table.Rows)
	most := max(rows, r.values, 1)
	return rows - rows*min(r.limit/8, most)/most
}

func thinColumn(c *Column, rows []Row, span int64, newest uint32) Column {
	thin := Column{Name: c.Name, Rank: c.Rank, order: c.order}
	for i := 0; i < len(c.Row); {
		if c.Row[i] >= newest {
			thin.keep(c, i)
			i++
			continue
		}
		bucket, attempt := rows[c.Row[i]].Sample/span, rows[c.Row[i]].Attempt
		end := i + 1
		for end < len(c.Row) && c.Row[end] < newest && rows[c.Row[end]].Sample/span == bucket && rows[c.Row[end]].Attempt == attempt {
			end++
		}
		thin.keepBucket(c, i, end)
		i = end
	}
	return thin
}

func (c *Column) keep(of *Column, i int) {
	c.Row, c.Values, c.sums = append(c.Row, of.Row[i]), append(c.Values, of.Values[i]), append(c.sums, of.sums[i])
}

// keepBucket keeps the smallest, the largest and the last value of a bucket,
// and the first that is not finite.
func (c *Column) keepBucket(of *Column, from, to int) {
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
	slices.SortFunc(kept[:], cmp.Compare)
	before := -1
	for _, i := range kept {
		if i > before {
			c.keep(of, i)
			before = i
		}
	}
}
