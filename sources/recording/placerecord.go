package recording

import (
	"slices"

	"github.com/traintop/traintop/store"
)

// placedKey identifies a queue.
type placedKey struct{ namespace, queue string }

// placed writes the places in a queue, in full only where they differ from those
// before in the same chunk: a queue is asked every few seconds and moves seldom.
func (e *encoder) placed(p *store.Placed) {
	key := placedKey{p.Namespace, p.Queue}
	before, known := e.places[key]
	same := known && slices.Equal(before, p.Waiting)
	e.word(p.Namespace)
	e.word(p.Queue)
	e.time(p.At)
	e.duration(p.Every)
	e.bool(same)
	if same {
		return
	}
	e.places[key] = p.Waiting
	e.uint(uint64(len(p.Waiting)))
	for i := range p.Waiting {
		w := &p.Waiting[i]
		e.word(w.Namespace)
		e.word(w.Workload)
		e.word(w.Owner)
		e.uint(uint64(w.Place))
	}
}

func (d *decoder) placed() store.Placed {
	p := store.Placed{Namespace: d.word(), Queue: d.word(), At: d.time(), Every: d.duration()}
	key := placedKey{p.Namespace, p.Queue}
	if d.bool() {
		p.Waiting = d.places[key]
		return p
	}
	for range d.count() {
		w := store.WaitingPlace{Namespace: d.word(), Workload: d.word(), Owner: d.word(), Place: int(min(d.uint(), mostPlace))}
		if d.err != nil {
			return p
		}
		p.Waiting = append(p.Waiting, w)
	}
	if d.places == nil {
		d.places = map[placedKey][]store.WaitingPlace{}
	}
	d.places[key] = p.Waiting
	return p
}

// mostPlace bounds a place of a file made by hand. Kueue's is an int32.
const mostPlace = 1<<31 - 1
