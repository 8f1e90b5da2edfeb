package loglines

import (
	"math"
	"slices"
	"sort"
	"time"
	"unsafe"

	"github.com/traintop/traintop/train"
)

// maxChunk bounds the text and marks of a chunk, unless one line alone is
// larger.
const maxChunk = 64 << 10

// chunk holds successive lines. It only grows: a copy of it does not change.
type chunk struct {
	// before counts the lines in earlier chunks since the ring began; number
	// is that of the first line.
	before int64
	number int64
	// text is each line without its colours, followed by \n.
	text  []byte
	marks []mark
	// styles are the colours, in order of offset.
	styles        []style
	sequences     []string
	sequenceBytes int
	// latest is the latest time of its lines, noTime without any; floor is
	// that of the lines before it.
	latest, floor int64
	// jumpsBack is true when a line is older than one before it.
	jumpsBack bool
	// cuts are for the few lines that were cut.
	cuts []cut
}

// mark contains the end of a line and its other properties.
type mark struct {
	// nanos is the time since 1970, noTime when unknown.
	nanos int64
	// end is the offset of its \n in the text.
	end uint32
	// number is the line's, minus the chunk's.
	number uint32
}

const noTime = math.MinInt64

type cut struct{ line, bytes int }

func (c *chunk) len() int { return len(c.marks) }

// cost is what Ring.Bytes counts: text and colours, and lineCost for each
// line.
func (c *chunk) cost() int {
	return len(c.text) + (lineCost-1)*len(c.marks) + styleCost*len(c.styles) + c.sequenceBytes
}

// takes reports whether the chunk has room for a line.
func (c *chunk) takes(line *train.LogLine, limit int) bool {
	return len(c.marks) == 0 ||
		c.cost()+costOf(line) <= limit && line.Number-c.number <= math.MaxUint32
}

func (c *chunk) add(line *train.LogLine) {
	if len(c.marks) == 0 {
		c.number, c.latest = line.Number, noTime
	}
	nanos := nanosOf(line.Time)
	if nanos != noTime && nanos < max(c.floor, c.latest) {
		c.jumpsBack = true
	}
	c.latest = max(c.latest, nanos)
	c.addText(line.Text)
	c.text = append(c.text, '\n')
	if line.Cut > 0 {
		c.cuts = append(c.cuts, cut{len(c.marks), line.Cut})
	}
	c.marks = append(c.marks, mark{nanos, uint32(len(c.text) - 1), uint32(line.Number - c.number)})
}

// Times outside 1678 to 2262 have no nanoseconds since 1970; they count as
// unknown.
var (
	earliest = time.Unix(0, math.MinInt64+1)
	latest   = time.Unix(0, math.MaxInt64)
)

func nanosOf(t time.Time) int64 {
	if t.IsZero() || t.Before(earliest) || t.After(latest) {
		return noTime
	}
	return t.UnixNano()
}

func (c *chunk) at(i int) train.LogLine {
	m := c.marks[i]
	line := train.LogLine{Number: c.number + int64(m.number), Text: c.coloured(c.bounds(i))}
	if m.nanos != noTime {
		line.Time = time.Unix(0, m.nanos).UTC()
	}
	if at, found := slices.BinarySearchFunc(c.cuts, i, func(one cut, i int) int { return one.line - i }); found {
		line.Cut = c.cuts[at].bytes
	}
	return line
}

// line returns the text of a line without colours. It is shared: callers must
// not change it.
func (c *chunk) line(i int) []byte {
	start, end := c.bounds(i)
	return c.text[start:end]
}

func (c *chunk) bounds(i int) (start, end uint32) {
	if i > 0 {
		start = c.marks[i-1].end + 1
	}
	return start, c.marks[i].end
}

// find returns the index of the first line with at least this number.
func (c *chunk) find(number int64) int {
	return sort.Search(len(c.marks), func(i int) bool { return c.number+int64(c.marks[i].number) >= number })
}

// findTime returns the index of the first line with at least this time, len
// without one.
func (c *chunk) findTime(nanos int64) int {
	if c.latest < nanos {
		return len(c.marks)
	}
	return slices.IndexFunc(c.marks, func(m mark) bool { return m.nanos >= nanos })
}

// asString returns text as a string without copying it: the content of a chunk
// never changes.
func asString(text []byte) string { return unsafe.String(unsafe.SliceData(text), len(text)) }
