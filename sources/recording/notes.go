package recording

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// run is the start of a recorder in the file.
type run struct {
	piece
	about About
}

// readNotes reads the writers' notes: what they record, what is missing, and
// where their clock went back.
func (f *File) readNotes() {
	notes, abouts := map[int]*Note{}, map[int]*About{}
	for i := range f.pieces {
		p := &f.pieces[i]
		if p.kind != kindNote && p.kind != kindHead {
			continue
		}
		text, err := f.content(p)
		if err != nil {
			f.info.Damage = addLoss(f.info.Damage, Loss{From: instant(p.from), To: instant(p.to), What: whatOf(p.kind), Why: err.Error()})
		}
		var n Note
		var about About
		switch {
		case p.kind == kindHead:
			if json.Unmarshal(text, &about) != nil && err == nil { // missing fields stay empty
				f.unread(p)
			}
			abouts[i] = &about
		case err == nil && json.Unmarshal(text, &n) == nil:
			notes[i] = n.safe(p)
		case err == nil:
			f.unread(p)
		}
	}
	f.setClockRight(notes)
	f.takeNotes(notes, abouts)
}

// unread notes that what a recorder noted is whole and cannot be read.
func (f *File) unread(p *piece) {
	f.info.Damage = addLoss(f.info.Damage, Loss{From: instant(p.from), To: instant(p.to), What: whatOf(p.kind), Why: fmt.Sprintf("the JSON at byte %d is no note of a recorder", p.offset)})
}

// interruption is a position at which recording restarted: after a gap, or in
// another run of the recorder.
type interruption struct {
	piece
	run bool
	gap Gap
}

// takeNotes applies the notes, once the times of all pieces are corrected.
func (f *File) takeNotes(notes map[int]*Note, abouts map[int]*About) {
	newest := int64(0) // end of the recorded time so far
	for i := range f.pieces {
		p := &f.pieces[i]
		if about := abouts[i]; about != nil {
			f.beginRun(p, about, newest)
			continue // trimming may have moved it here from later in the file
		}
		if n := notes[i]; n != nil {
			f.takeNote(p, n)
		}
		newest = max(newest, p.to)
	}
}

func (f *File) takeNote(p *piece, n *Note) {
	if n.Gap != nil {
		f.interrupted(interruption{piece: *p, gap: n.Gap.shifted(time.Duration(p.moved) * time.Microsecond)})
	}
	for _, l := range n.Lost {
		f.info.Damage = addLoss(f.info.Damage, l)
	}
	if n.Redacted != nil {
		f.info.Redacted = n.Redacted
	}
	f.info.Trimmed = max(f.info.Trimmed, n.Trimmed)
	f.info.Closed = n.Closed
}

// beginRun notes the start of a recorder. If it continues a recording, nothing
// was recorded since the newest time in the file.
func (f *File) beginRun(p *piece, about *About, newest int64) {
	f.info.Closed = false
	if len(f.runs) == 0 {
		f.info.About = *about
	}
	if newest > 0 {
		f.interrupted(interruption{piece: *p, run: true, gap: Gap{From: instant(newest).UTC(), To: instant(p.from).UTC(), Why: awayText, Away: true}})
		f.frozen(p, about)
	}
	f.runs = append(f.runs, run{*p, *about})
}

func (f *File) interrupted(by interruption) {
	f.interruptions = append(f.interruptions, by)
	f.doubts = append(f.doubts, by.offset)
	f.info.addGap(by.gap)
}

const awayText = "the recorder was not running"

// frozen records a loss where an older version of the program continued a
// recording whose times were ahead of the clock: it gave everything one time
// until the clock caught up.
func (f *File) frozen(p *piece, about *About) {
	ahead := instant(p.from - p.moved).Sub(about.Began)
	if about.Began.IsZero() || ahead <= clockTolerance {
		return
	}
	f.info.Damage = addLoss(f.info.Damage, Loss{
		From: instant(p.from), To: instant(p.from), What: "the times of what was recorded from " + stamp(about.Began) + " on",
		Why: "the clock that recorded before was ahead by " + ahead.Round(time.Second).String() + ", and until then all of it is shown at this instant",
	})
}

// addGap adds a gap. It merges a gap that overlaps with the one before: a disk
// that fills up while a gap is being noted leaves two notes of one gap.
func (i *Info) addGap(gap Gap) {
	n := len(i.Gaps)
	if n == 0 || i.Gaps[n-1].Away || gap.Away || !gap.From.Before(i.Gaps[n-1].To) {
		i.Gaps = append(i.Gaps, gap)
		return
	}
	last := &i.Gaps[n-1]
	if last.Events += gap.Events; gap.From.Equal(last.From) {
		last.Events = max(last.Events-gap.Events, gap.Events) // both count from the same instant
	}
	last.From, last.To = earliest(last.From, gap.From), latest(last.To, gap.To)
	if last.Why != gap.Why {
		last.Why += ", then " + gap.Why
	}
}

// withoutSecrets reports whether all runs redacted secrets.
func (f *File) withoutSecrets() bool {
	return len(f.runs) > 0 && !slices.ContainsFunc(f.runs, func(r run) bool { return !r.about.Redacted })
}
