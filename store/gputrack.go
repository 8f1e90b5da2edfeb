package store

import (
	"slices"
	"time"

	"github.com/traintop/traintop/store/history"
	"github.com/traintop/traintop/train"
)

// keptQuantities are those whose past is kept, by their column.
var keptQuantities = [...]train.Quantity{
	train.GPUUtilization, train.GPUMemoryUsed, train.GPUTemperature, train.GPUPower, train.GPUSMClock,
	train.GPUTensorActive, train.GPUSMActive, train.GPUGraphics,
}

func columnOf(q train.Quantity) int { return slices.Index(keptQuantities[:], q) }

// What is kept of the past of all GPUs. The rows of an hour of 8,192 GPUs at
// 15 s with seven quantities take some 38 MB. Beyond maxHistoryBytes rows are
// thinned, down to one a minute, which is what a sparkline of an hour shows;
// GPUs beyond maxTracks have no past.
const (
	maxHistoryBytes = 48 << 20
	maxTracks       = 32_768
)

// spacings are how close rows may stand, for sources that measure at least
// every 10, 15, 30 and 60 s; what comes quicker is left out.
var spacings = [...]time.Duration{7500 * time.Millisecond, 13 * time.Second, 27 * time.Second, 55 * time.Second}

// gpuHistory is how the past of all GPUs is kept.
type gpuHistory struct {
	spacing      time.Duration
	bytes, limit int
}

// gpuTrack is the past of one GPU while it grows.
type gpuTrack struct {
	ring  history.Ring
	watch counterWatch
	// view is what pictures see; shown is true while one does.
	view  *gpuPast
	shown bool
}

// pasts writes down what groups of readings say, and returns what is known
// beside the states that they made and those of boards that linger.
func (j *gpuJoin) pasts(groups []gpuGroup, states []train.GPUState, lingering []goneGPU) []gpuBeside {
	beside := make([]gpuBeside, len(states))
	for g := range groups {
		group := &groups[g]
		var written map[train.GPUID]bool // pods that share a board without a number have one past
		if group.holders > 1 {
			written = make(map[train.GPUID]bool, group.holders)
		}
		for i := group.first; i < group.first+group.holders; i++ {
			id := states[i].GPU.ID()
			beside[i] = gpuBeside{id: id, past: j.record(id, &states[i], group, !written[id])}
			if written != nil {
				written[id] = true
			}
		}
	}
	for i := range lingering {
		beside[len(states)-len(lingering)+i] = gpuBeside{id: lingering[i].id, past: lingering[i].past}
	}
	return beside
}

// record writes down what is known of a GPU now, once for each instant.
func (j *gpuJoin) record(id train.GPUID, state *train.GPUState, group *gpuGroup, write bool) *gpuPast {
	track := j.track(id)
	if track == nil {
		return &gpuPast{}
	}
	track.shown = true
	return track.see(write && j.enter(track, state, group))
}

// enter writes a row and the changes of counters; it reports whether there
// were any.
func (j *gpuJoin) enter(track *gpuTrack, state *train.GPUState, group *gpuGroup) (changed bool) {
	changed = track.watch.look(state, group)
	var row history.Row
	if keep(&row, &state.Values); !state.At.IsZero() {
		before := track.ring.Bytes()
		changed = track.ring.Append(state.At, &row, j.history.spacing) || changed
		j.history.bytes += track.ring.Bytes() - before
		j.thin()
	}
	return changed
}

// keep fills a row. The graphics engine stands in where nothing tells more.
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

// see is what pictures see of the track from now on.
func (t *gpuTrack) see(changed bool) *gpuPast {
	if changed || t.view == nil {
		t.view = &gpuPast{rows: t.ring.Past(), changes: slices.Clip(t.watch.changes), counters: t.watch.shown()}
	}
	return t.view
}

// track is the past of a GPU, begun when there is none; nil when there are too many.
func (j *gpuJoin) track(id train.GPUID) *gpuTrack {
	track := j.tracks[id]
	if track == nil && len(j.tracks) < maxTracks {
		track = &gpuTrack{}
		j.tracks[id] = track
	}
	return track
}

// thin makes room when all rows together are too many.
func (j *gpuJoin) thin() {
	for j.history.bytes > j.history.limit {
		next := slices.IndexFunc(spacings[:], func(s time.Duration) bool { return s > j.history.spacing })
		if next < 0 {
			return
		}
		j.history.spacing = spacings[next]
		j.history.bytes = 0
		for _, track := range j.tracks {
			track.ring.Thin(j.history.spacing)
			j.history.bytes += track.ring.Bytes()
		}
	}
}

// recall enters what a source knows of the past.
func (d *derivation) recall(e Recalled) {
	j := d.join
	var ids []train.GPUID
	points := map[train.GPUID][]history.Points{}
	for i := range e.Past {
		past := &e.Past[i]
		column := columnOf(past.Quantity)
		if column < 0 || len(past.Points) == 0 {
			continue
		}
		id := d.idOf(past.GPU)
		if points[id] == nil {
			ids = append(ids, id)
		}
		points[id] = append(points[id], history.Points{Column: column, Points: past.Points})
	}
	for _, id := range ids {
		track := j.track(id)
		if track == nil {
			continue
		}
		before := track.ring.Bytes()
		track.ring.Fill(d.Now, max(j.history.spacing, nearPoints), points[id]...)
		j.history.bytes += track.ring.Bytes() - before
		track.view = nil
		if node, has := d.gpus.at.Get(id); has {
			j.dirty[node] = true
		}
	}
	j.thin()
}

// nearPoints is how close a recalled point may be to a known one without
// being the same.
const nearPoints = 14 * time.Second

// idOf is the identity of a GPU that a source names in its own way.
func (d *derivation) idOf(g train.GPU) train.GPUID {
	if !g.HasUUID() {
		one := &gpuSource{word: Measured{Readings: []train.GPUReading{{GPU: g}}}}
		d.findNodes(one)
		g.Node = one.own[0]
	}
	return g.ID()
}
