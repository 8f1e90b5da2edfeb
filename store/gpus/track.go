package gpus

import (
	"slices"
	"time"

	"github.com/traintop/traintop/store/history"
	"github.com/traintop/traintop/train"
)

// keptQuantities are the quantities whose history is kept, by column.
var keptQuantities = [...]train.Quantity{
	train.GPUUtilization, train.GPUMemoryUsed, train.GPUTemperature, train.GPUPower, train.GPUSMClock,
	train.GPUTensorActive, train.GPUSMActive, train.GPUGraphics,
}

// Column returns the column of a quantity's history, -1 where none is kept.
func Column(q train.Quantity) int { return slices.Index(keptQuantities[:], q) }

// Limits of the history of all GPUs. The rows of an hour of 8,192 GPUs at 15 s
// with seven quantities take some 38 MB. Beyond MaxHistoryBytes rows are
// thinned, down to one a minute, which is what a sparkline of an hour shows;
// GPUs beyond maxTracks have no history.
const (
	MaxHistoryBytes = 48 << 20
	maxTracks       = 32_768
)

// spacings are the least distances between rows, for sources that measure at
// least every 10, 15, 30 and 60 s; closer readings are left out.
var spacings = [...]time.Duration{7500 * time.Millisecond, 13 * time.Second, 27 * time.Second, 55 * time.Second}

// historySize counts the history of all GPUs.
type historySize struct {
	spacing      time.Duration
	bytes, limit int
}

// track is the history of one GPU while it grows.
type track struct {
	ring  history.Ring
	watch counterWatch
	// view is the history that nodes show, nil when it must be built. shown is
	// true while node, the one on which the GPU was measured last, shows it.
	view  *Past
	node  string
	shown bool
}

// record records the current values of a GPU, once for each instant.
func (f *Fold) record(node string, id train.GPUID, state *train.GPUState, group *gpuGroup, write bool) *Past {
	track := f.trackOf(id)
	if track == nil {
		return &Past{}
	}
	track.node, track.shown = node, true
	return track.see(write && f.enter(track, state, group))
}

// enter writes a row and the counter changes; it reports whether there were
// any.
func (f *Fold) enter(track *track, state *train.GPUState, group *gpuGroup) (changed bool) {
	changed = track.watch.look(state, group)
	var row history.Row
	if keep(&row, &state.Values); !state.At.IsZero() {
		before := track.ring.Bytes()
		changed = track.ring.Append(state.At, &row, f.history.spacing) || changed
		f.history.bytes += track.ring.Bytes() - before
		f.thin()
	}
	return changed
}

// keep fills a row. It uses the graphics engine's activity where no better
// quantity is known.
func keep(row *history.Row, values *train.Values) {
	for column, q := range keptQuantities {
		if q == train.GPUGraphics && (values.Known(train.GPUUtilization) || values.Known(train.GPUSMActive)) {
			continue
		}
		if value, known := values.Get(q); known {
			row.Set(column, value)
		}
	}
}

// see updates and returns the history that nodes show of the track.
func (t *track) see(changed bool) *Past {
	if changed || t.view == nil {
		t.view = &Past{Rows: t.ring.Past(), Changes: slices.Clip(t.watch.changes), counters: t.watch.shown()}
	}
	return t.view
}

// trackOf returns the track of a GPU, begun when there is none; nil when there
// are too many.
func (f *Fold) trackOf(id train.GPUID) *track {
	found := f.tracks[id]
	if found == nil && len(f.tracks) < maxTracks {
		found = &track{}
		f.tracks[id] = found
	}
	return found
}

// thin thins rows when all together exceed the limit.
func (f *Fold) thin() {
	for f.history.bytes > f.history.limit {
		next := slices.IndexFunc(spacings[:], func(s time.Duration) bool { return s > f.history.spacing })
		if next < 0 {
			return
		}
		f.history.spacing = spacings[next]
		f.history.bytes = 0
		for _, track := range f.tracks {
			track.ring.Thin(f.history.spacing)
			f.history.bytes += track.ring.Bytes()
		}
	}
}

// fill adds a source's readings of the past.
func (f *Fold) fill(all []train.GPUPast, now time.Time, objects Objects) {
	var ids []train.GPUID
	points := map[train.GPUID][]history.Points{}
	for i := range all {
		past := &all[i]
		column := Column(past.Quantity)
		if column < 0 || len(past.Points) == 0 {
			continue
		}
		id := f.idOf(past.GPU, objects)
		if points[id] == nil {
			ids = append(ids, id)
		}
		points[id] = append(points[id], history.Points{Column: column, Points: past.Points})
	}
	for _, id := range ids {
		f.fillTrack(id, now, points[id])
	}
	f.thin()
}

func (f *Fold) fillTrack(id train.GPUID, now time.Time, points []history.Points) {
	track := f.trackOf(id)
	if track == nil {
		return
	}
	before := track.ring.Bytes()
	track.ring.Fill(now, max(f.history.spacing, nearPoints), points...)
	f.history.bytes += track.ring.Bytes() - before
	track.view = nil
	if track.shown {
		f.dirty[track.node] = true
	}
}

// nearPoints is the distance within which a point of the past counts as one
// already known.
const nearPoints = 14 * time.Second

// idOf returns the identity of a GPU that a source names in its own way.
func (f *Fold) idOf(g train.GPU, objects Objects) train.GPUID {
	g.UUIDRepeats = f.homes[g.UUID].repeats
	if !g.HasUUID() || g.UUIDRepeats {
		one := &source{newest: Measured{Readings: []train.GPUReading{{GPU: g}}}}
		one.findNodes(objects)
		g.Node = one.own[0]
	}
	return g.ID()
}
