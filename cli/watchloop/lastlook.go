package watchloop

import (
	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// lastLook feeds the store and looks at a job that failed since the last look before
// its deletion is applied. The Job controller deletes a job with
// ttlSecondsAfterFinished: 0 in the second in which it fails, between two looks.
type lastLook struct{ loop *Loop }

var _ sources.Sink = (*lastLook)(nil)

// Apply implements sources.Sink.
func (k *lastLook) Apply(events ...store.Event) {
	from := 0
	for i, event := range events {
		deleted, is := event.(store.Deleted)
		if !is || !kinds.IsJob(deleted.Kind) {
			continue
		}
		k.loop.Store.Apply(events[from:i]...)
		from = i
		k.look(&deleted)
	}
	k.loop.Store.Apply(events[from:]...)
}

// look takes a look at once where the job failed unseen.
func (k *lastLook) look(deleted *store.Deleted) {
	k.loop.mu.Lock()
	defer k.loop.mu.Unlock()
	if !k.loop.read {
		return // what was there before a watcher began is not sent
	}
	s := k.loop.Store.Snapshot()
	for _, job := range k.loop.Ours(s) {
		ref := &job.Ref
		if ref.Group == deleted.Kind.Group && ref.Kind == deleted.Kind.Kind && ref.Namespace == deleted.Namespace && ref.Name == deleted.Name &&
			job.Phase == train.Failed && k.loop.phases[job.ID] != train.Failed {
			k.loop.see(s)
			return
		}
	}
}
