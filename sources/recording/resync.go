package recording

import (
	"cmp"
	"slices"
)

// findResyncs finds the first snapshot after each offset at which events are
// missing, since it restores the state.
func (f *File) findResyncs() {
	f.resyncs = nil
	slices.Sort(f.doubts)
	for _, at := range f.doubts {
		next := f.snapshotBehind(at)
		if next == nil {
			break
		}
		if n := len(f.resyncs); n == 0 || f.resyncs[n-1].offset() != next.offset() {
			f.resyncs = append(f.resyncs, *next)
		}
	}
}

// offset returns the file offset of a chunk.
func (c *chunk) offset() int64 { return c.pieces[0].offset }

// snapshotBehind returns the first snapshot after an offset, nil for none.
func (f *File) snapshotBehind(at int64) *chunk {
	all := f.chunks[kindSnapshot]
	i, _ := slices.BinarySearchFunc(all, at, func(c chunk, at int64) int { return cmp.Compare(c.offset(), at) })
	if i == len(all) {
		return nil
	}
	return &all[i]
}

// eventsFrom returns the event chunks after an offset, and between them the
// snapshots that restore the state after missing events.
func (f *File) eventsFrom(place int64) []chunk {
	events := after(f.chunks[kindEvents], place)
	resyncs := after(f.resyncs, place+1) // the one at the offset itself was applied
	if len(resyncs) == 0 {
		return events
	}
	all := slices.Concat(events, resyncs)
	slices.SortFunc(all, func(a, b chunk) int { return cmp.Compare(a.offset(), b.offset()) })
	return all
}

// resync inserts the next snapshot into the cursor's chunks, since a chunk of
// events could not be read.
func (c *cursor) resync() {
	if c.now.kind != kindEvents {
		return
	}
	next := c.file.snapshotBehind(c.now.offset())
	if next == nil {
		return
	}
	i := slices.IndexFunc(c.chunks, func(o chunk) bool { return o.offset() >= next.offset() })
	switch {
	case i < 0:
		c.chunks = append(slices.Clip(c.chunks), *next)
	case c.chunks[i].offset() != next.offset():
		c.chunks = slices.Insert(slices.Clone(c.chunks), i, *next)
	}
}
