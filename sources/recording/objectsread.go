package recording

import "github.com/traintop/traintop/train/kinds"

// objectsRead are the objects of the snapshot that was read last, by their
// forms. Most of what another snapshot holds is among them, and objects never
// change, so stores may share them.
type objectsRead struct {
	before, now map[string]kinds.Object
	key         []byte // memory for one
}

// next is for reading another snapshot; what was read by the one before is
// forgotten unless it comes again.
func (r *objectsRead) next() *objectsRead {
	if r == nil {
		return &objectsRead{now: map[string]kinds.Object{}}
	}
	return &objectsRead{before: r.now, now: make(map[string]kinds.Object, len(r.now))}
}

// find is the object that a form was read as, nil when it was not.
func (r *objectsRead) find(name string, form []byte) kinds.Object {
	if r == nil {
		return nil
	}
	r.key = append(append(append(r.key[:0], name...), 0), form...)
	if o := r.now[string(r.key)]; o != nil {
		return o
	}
	o := r.before[string(r.key)]
	if o != nil {
		r.now[string(r.key)] = o
	}
	return o
}

func (r *objectsRead) keep(name string, form []byte, o kinds.Object) {
	if r != nil {
		r.now[string(append(append(append(r.key[:0], name...), 0), form...))] = o
	}
}
