package store

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Snapshot returns a snapshot as of now. Its cost depends on what changed
// since the previous snapshot.
func (s *Store) Snapshot() *Snapshot {
	s.deriving.Lock()
	defer s.deriving.Unlock()
	next, changed := s.freeze()
	d := derivation{Snapshot: next, before: s.last, dirty: map[train.JobID]train.Ref{}, join: s.join, usageJoin: s.usageJoin}
	d.nodesOf(changed)
	d.jobsOf(changed)
	if next.ObjectsVersion != s.last.ObjectsVersion || next.JobsVersion != s.last.JobsVersion {
		next.deleted = &deletedJobs{}
	}
	d.gpusOf(&changed)
	d.usageOf(&changed)
	logs := logDerivation{derivation: &d}
	logs.logsOf(changed.logs)
	s.last = next
	if d.logs.all != nil && (d.cameOrWent || logs.logsCame) {
		orphans := logs.orphans()
		s.mu.Lock()
		s.logs.setOrphans(orphans)
		s.mu.Unlock()
	}
	return next
}

// freeze copies what the sources reported, under the lock, and removes the
// dirty set from the store.
func (s *Store) freeze() (*Snapshot, dirtySet) {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := *s.last
	next.Sequence++
	next.Now = s.now()
	next.DroppedEvents = s.raw.droppedEvents
	changed := s.dirty
	changed.logs = s.logs.changes()
	changed.gpus = s.gpus.Collect(next.Now, rawObjects{&s.raw})
	changed.used, s.used = s.used, nil
	changed.placed, s.placed = s.placed, nil
	s.dirty = newDirtySet()
	if len(changed.tables) > 0 {
		next.ObjectsVersion++
		next.tables = make(map[schema.GroupKind]*table, len(s.raw.tables))
		for kind, t := range s.raw.tables {
			if before := s.last.tables[kind]; before != nil && !changed.tables[kind] {
				next.tables[kind] = before
			} else {
				next.tables[kind] = t.copy()
			}
		}
		next.gone = s.raw.gone.copy()
		next.children, next.onNode, next.holders = s.raw.children.copy(), s.raw.onNode.copy(), s.raw.holders.copy()
	}
	if changed.tables[kinds.EventKind] {
		next.EventsVersion++
		next.eventsOldest = copyTree(s.raw.eventsOldest)
	}
	if changed.health {
		next.HealthVersion++
		next.health = mapOf(s.health).Values()
		next.settled = len(next.health) > 0 && !slices.ContainsFunc(next.health, func(h train.Health) bool { return !h.State.Settled() })
	}
	return &next, changed
}

// derivation derives jobs and nodes of a frozen snapshot, starting from those
// of the previous snapshot.
type derivation struct {
	*Snapshot
	before *Snapshot
	dirty  map[train.JobID]train.Ref
	// queues is true when a job entered, left or moved in a queue.
	queues bool
	// derived are the jobs derived again, removed those that disappeared;
	// cameOrWent is true when a job is new or gone.
	derived, removed []train.JobID
	cameOrWent       bool
	// join is what is known of nodes with GPUs; gpusCopied is true once their
	// tables may be written.
	join       *gpuJoin
	gpusCopied bool
	usageJoin  *usageJoin
	// states is a buffer for the states of a node before they are sorted.
	states []train.GPUState
}

// jobsOf derives the jobs that the changes can affect.
func (d *derivation) jobsOf(changed dirtySet) {
	if len(changed.objects) > 0 {
		d.topOf = copyTree(d.before.topOf)
	}
	for at, object := range changed.objects {
		d.dirtyBy(at, object)
	}
	for kind := range changed.kinds {
		d.dirtyByCoverage(kind)
	}
	if d.settled {
		mapOf(d.waiting).Scan(func(_ train.JobID, ref train.Ref) bool {
			d.mark(ref)
			return true
		})
	}
	queues := d.placedOf(changed.placed) || changed.health
	if d.workloadsOf(changed.objects) || changed.tables[kinds.LocalQueueKind] {
		queues = queues || d.counted
	}
	if len(d.dirty) == 0 {
		if queues {
			d.placeAnew()
		}
		return
	}
	d.jobs, d.jobByID = copyTree(d.before.jobs), copyTree(d.before.jobByID)
	d.topOf, d.waiting = copyTree(d.topOf), copyTree(d.waiting)
	d.uses, d.usedBy = d.before.uses.copy(), copyTree(d.before.usedBy)
	for len(d.dirty) > 0 { // deriving a job may show that another one changed
		dirty := d.dirty
		d.dirty = map[train.JobID]train.Ref{}
		for id, ref := range dirty {
			d.derive(id, ref)
		}
	}
	if d.queues || queues {
		d.placeInQueues()
	}
	d.JobsVersion++
	d.jobList = mapOf(d.jobs).Values()
}

// dirtyBy marks the jobs that contain or contained a changed object, are it,
// or look it up.
func (d *derivation) dirtyBy(at string, changed dirtyObject) {
	d.dirtyTopOf(at)
	d.uses.each(at, func(id string) bool {
		d.dirtyJob(train.JobID(id))
		return true
	})
	now, presence := d.Object(changed.kind, changed.o.GetNamespace(), changed.o.GetName())
	if presence != train.Present {
		mapOf(d.topOf).Delete(at)
		now = changed.o
	}
	if kinds.IsJob(changed.kind) {
		own := train.Ref{Group: changed.kind.Group, Kind: changed.kind.Kind, Namespace: now.GetNamespace(), Name: now.GetName(), UID: string(now.GetUID())}
		d.mark(own)
		for _, above := range kinds.JobsAbove(changed.kind, now, d.Object) { // rows of their own in a cycle
			d.mark(above)
		}
	}
	if top, has := kinds.Top(changed.kind, now, d.Object); has {
		d.mark(top)
	}
}

func (d *derivation) dirtyTopOf(at string) {
	if id, found := mapOf(d.before.topOf).Get(at); found {
		d.dirtyJob(id)
	}
}

func (d *derivation) dirtyJob(id train.JobID) {
	if job := d.before.Job(id); job != nil {
		d.mark(job.Ref)
	}
}

// dirtyByCoverage marks jobs that depend on this kind being unknown: stubs of
// it, jobs that looked for one, and all jobs with pods, when pods were not
// listed before.
func (d *derivation) dirtyByCoverage(kind schema.GroupKind) {
	for _, job := range d.before.jobList {
		if kind == kinds.PodKind && d.Complete(kind, job.Ref.Namespace) != d.before.Complete(kind, job.Ref.Namespace) {
			d.mark(job.Ref)
		}
		if job.Gone && job.Ref.Kind == kind.Kind && job.Ref.Group == kind.Group {
			d.mark(job.Ref)
		}
	}
	prefix := path(kind, "")
	mapOf(d.uses.pairs).Ascend(prefix, func(pair string, _ struct{}) bool {
		at, id := cutPair(pair)
		if of, _, _ := splitPath(at); of != kind {
			return false
		}
		d.dirtyJob(train.JobID(id))
		return true
	})
}

// derive derives the job at ref again, or removes it when ref is not (or no
// longer) a row.
func (d *derivation) derive(id train.JobID, ref train.Ref) {
	if held, waited := mapOf(d.waiting).Delete(id); waited {
		d.displace(id, held)
	}
	family, m := d.family(ref)
	if family == nil {
		d.remove(id)
		return
	}
	if family.Top == nil && !d.settled && len(d.health) > 0 {
		mapOf(d.waiting).Set(id, ref)
		d.remove(id)
		return
	}
	job := kinds.Assemble(family)
	if job == nil {
		d.remove(id)
		return
	}
	job.ID = id
	if job.Gone {
		d.dropTwin(ref)
	}
	for _, at := range append(m.paths, pathOfRef(ref)) {
		if now, _ := mapOf(d.topOf).Get(at); now != id {
			mapOf(d.topOf).Set(at, id)
		}
	}
	for _, o := range m.below {
		d.remove((ownership{d.Snapshot}).unambiguous(kinds.RefOfSelf(o)).JobID())
	}
	for _, adopted := range m.adopted {
		d.remove(adopted)
	}
	d.put(job)
}

// jobOrder is the sort key of Snapshot.Jobs.
func jobOrder(job *train.Job) string {
	return job.Ref.Namespace + "/" + job.Ref.Name + "/" + job.Ref.Kind + "." + job.Ref.Group + "/" + string(job.ID)
}

func (d *derivation) put(job *train.Job) {
	before, had := mapOf(d.jobByID).Get(job.ID)
	d.derived, d.cameOrWent = append(d.derived, job.ID), d.cameOrWent || !had
	d.queues = d.queues || waits(job) || had && waits(before)
	if had && jobOrder(before) != jobOrder(job) {
		d.displace(job.ID, before.Ref)
		mapOf(d.jobs).Delete(jobOrder(before))
	}
	mapOf(d.jobByID).Set(job.ID, job)
	mapOf(d.jobs).Set(jobOrder(job), job)
}

func (d *derivation) remove(id train.JobID) {
	job, had := mapOf(d.jobByID).Delete(id)
	if !had {
		return
	}
	d.displace(id, job.Ref)
	d.cameOrWent = true
	d.removed = append(d.removed, id)
	d.logs.runs.drop(id)
	d.gpus.shared.drop(id)
	d.queues = d.queues || waits(job)
	mapOf(d.jobs).Delete(jobOrder(job))
	noted, _ := mapOf(d.usedBy).Delete(id)
	for _, at := range noted {
		d.uses.remove(at, string(id))
	}
}
