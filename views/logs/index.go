package logs

import (
	"context"
	"slices"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// scan searches all shown logs for lines, and keeps the result. The zero scan
// searches for nothing.
type scan struct {
	match match
	wait  *waiting
	found map[train.StreamID]*index
}

func newScan(m match) scan {
	return scan{match: m, wait: newWaiting(), found: map[train.StreamID]*index{}}
}

// end cancels running work for it.
func (s *scan) end() { s.wait.end() }

// waiting is a person's wait for the result of work.
type waiting struct {
	ctx    context.Context
	cancel context.CancelFunc
}

func newWaiting() *waiting {
	ctx, cancel := context.WithCancel(context.Background())
	return &waiting{ctx, cancel}
}

func (w *waiting) end() {
	if w != nil {
		w.cancel()
	}
}

// within ends with ctx, or when nobody waits any more.
func (w *waiting) within(ctx context.Context) (context.Context, context.CancelFunc) {
	both, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(w.ctx, cancel)
	return both, func() { stop(); cancel() }
}

// index is which lines of one log match. It never changes.
type index struct {
	version uint64  // of the log it was made from
	to      int64   // the newest line then; it is checked again: it may have been redrawn
	oldest  int64   // the oldest line then
	hits    []int64 // numbers, ascending

	context int // that around was made for
	around  []int64
}

// covers reports whether all lines of a log have been checked.
func (x *index) covers(log *store.Log) bool {
	return log.Lines.Len() == 0 || x != nil && x.version == log.Version
}

// lines are the numbers that match, with context lines around each; empty,
// not nil, when none does.
func (x *index) lines(log *store.Log, context int) []int64 {
	if x == nil || log.Lines.Len() == 0 || len(x.hits) == 0 {
		return []int64{}
	}
	if context == 0 {
		return x.hits[:len(x.hits):len(x.hits)]
	}
	if x.around == nil || x.context != context {
		x.context = context
		x.around = widened(x.hits, int64(context), log.Lines.At(0).Number, log.Lines.At(log.Lines.Len()-1).Number)
	}
	return x.around
}

// widened adds the numbers up to context away from each, within first..last.
func widened(hits []int64, context, first, last int64) []int64 {
	all := make([]int64, 0, len(hits))
	next := first
	for _, hit := range hits {
		for n := max(next, hit-context); n <= min(last, hit+context); n++ {
			all = append(all, n)
			next = n + 1
		}
	}
	return all
}

// of is the index of a log, nil when there is none or the log was read again
// since.
func (s *scan) of(log *store.Log) *index {
	x := s.found[log.ID]
	if x == nil || log.Lines.Len() == 0 {
		return nil
	}
	if log.Lines.At(log.Lines.Len()-1).Number < x.to || log.Lines.At(0).Number < x.oldest {
		return nil
	}
	return x
}

// sliceLines is from how many lines on a piece of work ends; a log is never
// cut in two.
const sliceLines = 100_000

// slice is the next piece of work: the first logs in the list that are not
// covered. nil when all are.
func (s *scan) slice(logs []*store.Log) func(context.Context) any {
	var todo []indexing
	for _, log := range logs {
		if x := s.of(log); !x.covers(log) {
			todo = append(todo, indexing{log, x})
		}
	}
	if len(todo) == 0 {
		return nil
	}
	match, wait := s.match, s.wait
	return func(ctx context.Context) any {
		ctx, cancel := wait.within(ctx)
		defer cancel()
		done := indexed{wait: wait, found: map[train.StreamID]*index{}}
		looked := 0
		for _, one := range todo {
			x, lines := one.next(ctx, match)
			if ctx.Err() != nil {
				break // cut short: not all of it was checked
			}
			done.found[one.log.ID] = x
			if looked += lines; looked >= sliceLines {
				break
			}
		}
		return done
	}
}

// indexed is the result of a slice.
type indexed struct {
	wait  *waiting // identifies the scan it belongs to
	found map[train.StreamID]*index
}

func (s *scan) take(done indexed) bool {
	if s.wait == nil || done.wait != s.wait {
		return false
	}
	for id, x := range done.found {
		s.found[id] = x
	}
	return true
}

// indexing is a log and its index so far.
type indexing struct {
	log *store.Log
	was *index
}

// next checks the lines that are new since, and returns how many they were.
func (n indexing) next(ctx context.Context, m match) (*index, int) {
	lines := &n.log.Lines
	x := &index{version: n.log.Version, to: lines.At(lines.Len() - 1).Number, oldest: lines.At(0).Number}
	from := 0
	if n.was != nil {
		from = lines.Find(n.was.to)
		old, _ := slices.BinarySearch(n.was.hits, n.was.to)
		gone, _ := slices.BinarySearch(n.was.hits, x.oldest)
		x.hits = n.was.hits[min(gone, old):old:old]
	}
	m.each(ctx, lines, from, 1, func(i int) bool {
		x.hits = append(x.hits, lines.At(i).Number)
		return true
	})
	return x, lines.Len() - from
}
