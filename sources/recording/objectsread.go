package recording

import "github.com/traintop/traintop/train/kinds"

// objectsRead caches the objects of the snapshot read last, by their encoded
// bytes. The next snapshot contains most of them again, and objects never
// change, so stores may share them.
type objectsRead struct {
	before, now map[string]kinds.Object
	key         []byte // reusable memory for one key
}

// next returns a cache for reading another snapshot; it drops objects of the
// snapshot before that do not occur again.
func (r *objectsRead) next() *objectsRead {
	if r == nil {
		return &objectsRead{now: map[string]kinds.Object{}}
	}
	return &objectsRead{before: r.now, now: make(map[string]kinds.Object, len(r.now))}
}

// find returns the object cached for encoded bytes, or nil.
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
