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
		visit(parent.UID, statedHolder+pathOfRef(parent.Ref)+pairSeparator+at)
	}
}

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
	w.holders.each(uid, func(holder string) bool {
		_, holder, _ = strings.Cut(holder, " ")
		at, _ = cutPair(holder)
		return false // the first holds it
	})
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
