package store

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// The holder of a UID: an observed job before any that is only named by what it owns
// or by events about it, then the first path. The order of these words is that of the
// index.
const (
	observedHolder = "observed "
	statedHolder   = "stated "
)

// holdersOf calls visit with the UIDs of jobs that an object holds or states, and the entry
// of each in the index of holders.
func holdersOf(kind schema.GroupKind, o kinds.Object, visit func(uid, holder string)) {
	at := path(kind, keyOf(o.GetNamespace(), o.GetName()))
	if uid := string(o.GetUID()); uid != "" && kinds.IsJob(kind) {
		visit(uid, observedHolder+at)
	}
	if parent, has := kinds.Parent(kind, o); has && parent.UID != "" && kinds.IsJob(parent.GroupKind()) {
		visit(parent.UID, statedHolder+pathOfRef(parent.Ref))
	}
}

// uidHolders maps UIDs of jobs to who holds or states them. Ten thousand pods state the
// jobs that own them, so a pair is kept once, with how many objects it comes from. It is
// a copy-on-write tree, as an index is.
type uidHolders struct{ pairs tree[string, int] }

func newUIDHolders() uidHolders { return uidHolders{newTree[string, int]()} }

func (x *uidHolders) add(uid, holder string) {
	from, _ := mapOf(x.pairs).Get(uid + pairSeparator + holder)
	mapOf(x.pairs).Set(uid+pairSeparator+holder, from+1)
}

func (x *uidHolders) remove(uid, holder string) {
	if from, _ := mapOf(x.pairs).Get(uid + pairSeparator + holder); from > 1 {
		mapOf(x.pairs).Set(uid+pairSeparator+holder, from-1)
		return
	}
	mapOf(x.pairs).Delete(uid + pairSeparator + holder)
}

// first returns the holder of a UID, "" where none is known.
func (x *uidHolders) first(uid string) (holder string) {
	mapOf(x.pairs).Ascend(uid+pairSeparator, func(pair string, _ int) bool {
		if of, at := cutPair(pair); of == uid {
			holder = at
		}
		return false // the first holds it
	})
	return holder
}

func (x *uidHolders) copy() uidHolders { return uidHolders{copyTree(x.pairs)} }

// unambiguous returns a reference to a job without its UID where a job of another kind or
// name holds that, so that a reference that contradicts a job never takes its row.
func (w ownership) unambiguous(ref train.Ref) train.Ref {
	if at := w.holderOf(ref.UID); at != "" && at != pathOfRef(ref) {
		ref.UID = ""
	}
	return ref
}

// holderOf returns the path of the job that holds a UID, "" where none is known.
func (w ownership) holderOf(uid string) (at string) {
	if uid == "" {
		return ""
	}
	_, at, _ = strings.Cut(w.holders.first(uid), " ")
	return at
}

// mark marks a job to be derived again, and where another job holds its UID, that one too.
func (d *derivation) mark(ref train.Ref) {
	w := ownership{d.Snapshot}
	own := w.unambiguous(ref)
	d.dirty[own.JobID()] = own
	if own != ref {
		kind, namespace, name := splitPath(w.holderOf(ref.UID))
		d.dirty[ref.JobID()] = train.Ref{Group: kind.Group, Kind: kind.Kind, Namespace: namespace, Name: name, UID: ref.UID}
	}
}

// displace marks the job that was at an ID, if another job holds its UID now.
func (d *derivation) displace(id train.JobID, ref train.Ref) {
	if ref = (ownership{d.Snapshot}).unambiguous(ref); ref.JobID() != id {
		d.dirty[ref.JobID()] = ref
	}
}

// dropTwin marks the row that a job had while another held its UID.
func (d *derivation) dropTwin(ref train.Ref) {
	if twin := ref; ref.UID != "" {
		twin.UID = ""
		if _, found := mapOf(d.jobByID).Get(twin.JobID()); found {
			d.dirty[twin.JobID()] = twin
		}
	}
}
