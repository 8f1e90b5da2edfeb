package store

import (
	"cmp"
	"slices"
	"time"

	"github.com/traintop/traintop/store/gpus"
	"github.com/traintop/traintop/store/history"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// keptUsage are the quantities whose history is kept, by column.
var keptUsage = [...]train.UsageQuantity{
	train.UsedCPU, train.UsedMemory, train.UsedCPUThrottled, train.UsedNetworkReceived, train.UsedNetworkSent,
	train.UsedRDMAReceived, train.UsedRDMASent, train.UsedRDMAErrors,
}

// Limits of the usage history: a point a minute, of so many nodes and
// containers of one source.
const (
	usageSpacing  = 50 * time.Second
	maxUsagePasts = 8192
)

// usageJoin is the usage history while it grows. Whoever takes a snapshot owns
// it (Store.deriving).
type usageJoin struct {
	tracks map[string]map[string]*usageTrack // by source and key
	swept  time.Time
}

// usageTrack is the history of one node or container.
type usageTrack struct {
	ring history.Ring
	// errors is how far the counter of RDMA errors has increased since it was
	// first seen, lastErrors its last value.
	errors, lastErrors float64
	sawErrors          bool
}

// maxUsed bounds the usage events that wait for a snapshot; the oldest is
// dropped.
const maxUsed = 256

// use queues a usage event.
func (s *Store) use(e Used) {
	if e.Complete {
		s.used = slices.DeleteFunc(s.used, func(before Used) bool { return before.Source == e.Source })
	}
	if len(s.used) >= maxUsed {
		s.used = append(s.used[:0], s.used[1:]...)
	}
	s.used = append(s.used, e)
}

// usageOf updates the usage of the snapshot.
func (d *derivation) usageOf(changed *dirtySet) {
	if len(changed.used) == 0 {
		return
	}
	d.UsageVersion++
	d.usage.sources = slices.Clone(d.usage.sources)
	for _, e := range changed.used {
		d.fold(e)
	}
	d.usageJoin.sweep(d.Now)
}

// fold applies the usage of a source.
func (d *derivation) fold(e Used) {
	table := d.usageTable(e.Source)
	if e.Complete {
		table.rows = newTree[string, *usageRow]()
	} else {
		table.rows = copyTree(table.rows)
	}
	rows := make([]usageRow, len(e.Usage)) // one allocation for all usage of the event
	for i := range e.Usage {
		row := &rows[i]
		row.Usage, row.Every = e.Usage[i], e.Every
		if e.Every > 0 && (row.At.IsZero() || row.At.After(d.Now)) {
			row.At = d.Now
		}
		key := UsageOf{row.Node, row.Namespace, row.Pod, row.Container}.key()
		if track := d.usageTrack(e.Source, key, &row.Usage); track != nil {
			track.add(&row.Usage)
			row.past = track.ring.Past()
		}
		mapOf(table.rows).Set(key, row)
	}
}

func (d *derivation) usageTable(source string) *usageTable {
	at, has := slices.BinarySearchFunc(d.usage.sources, source, func(t usageTable, source string) int { return cmp.Compare(t.source, source) })
	if !has {
		d.usage.sources = slices.Insert(d.usage.sources, at, usageTable{source: source, rows: newTree[string, *usageRow]()})
	}
	return &d.usage.sources[at]
}

// usageTrack returns the history of one thing, nil when none is kept.
func (d *derivation) usageTrack(source, key string, u *train.Usage) *usageTrack {
	of := d.usageJoin.tracks[source]
	if track := of[key]; track != nil {
		return track
	}
	if len(of) >= maxUsagePasts || u.Node == "" && !isTraining(d.Snapshot, u.Namespace, u.Pod) {
		return nil
	}
	if of == nil {
		of = map[string]*usageTrack{}
		d.usageJoin.tracks[source] = of
	}
	of[key] = &usageTrack{}
	return of[key]
}

// isTraining reports whether a pod belongs to a training job.
func isTraining(s *Snapshot, namespace, pod string) bool {
	job := s.JobOf(kinds.PodKind, namespace, pod)
	return job != nil && job.Training
}

func (t *usageTrack) add(u *train.Usage) {
	var row history.Row
	for column, q := range keptUsage {
		value, known := u.Values.Get(q)
		if q == train.UsedRDMAErrors && known {
			value = t.countErrors(value)
		}
		if known {
			row.Set(column, value)
		}
	}
	if !u.At.IsZero() {
		t.ring.Append(u.At, &row, usageSpacing)
	}
}

// countErrors returns how many errors there were since the first reading.
func (t *usageTrack) countErrors(value float64) float64 {
	switch {
	case !t.sawErrors:
	case value >= t.lastErrors:
		t.errors += value - t.lastErrors
	default:
		t.errors += value // the counter was reset
	}
	t.sawErrors, t.lastErrors = true, value
	return t.errors
}

// sweep drops what no source has reported for as long as the history is kept.
func (j *usageJoin) sweep(now time.Time) {
	if age := now.Sub(j.swept); age >= 0 && age < gpus.SweepEvery {
		return
	}
	j.swept = now
	for _, tracks := range j.tracks {
		for key, track := range tracks {
			if track.ring.Past().Newest().Before(now.Add(-history.Span)) {
				delete(tracks, key)
			}
		}
	}
}
