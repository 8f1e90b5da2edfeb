package kinds

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

// Assemble builds the job of a family: from what the spec wants, what the
// operator reports, and the pods, which take precedence over the operator.
func Assemble(f *Family) *train.Job {
	a := specAndStatusOf(f)
	s := queueStateOf(f, a)
	asks := roleAsks(f, a)
	r := joinRanks(f, a, asks)

	job := &train.Job{ID: f.Ref.JobID(), Ref: f.Ref, Gone: f.Top == nil && f.groupKind() != PodGroupRow}
	job.Outlined = isOutline(f)
	describe(job, f)
	countRoles(job, f, a, r, asks)
	job.Ranks = r.list
	if len(r.list) >= maxRanks {
		job.Unlisted = max(0, job.Wanted-len(r.list))
	}
	job.Elastic, job.Slots, job.Queue, job.Progress = a.elastic, a.slots, s.queue, a.progress
	job.Phase = phaseOf(f, a, s, r, job.Wanted)
	job.Training = isTraining(f, a, job)
	job.Restarts = a.restarts
	for i := range r.list {
		job.Restarts += r.list[i].Restarts
	}
	setTimes(job, f, a)
	job.CountsCut = joinSentences(cutCounts(job, a), unlistedRanks(job), oddAsks(a, asks), overstated(f, a, r), oddRestarts(f.Pods), a.odd)
	job.UnknownStatus = unknownStatus(f, a, job)
	job.Reason = reasonOf(job, f, a, s)
	job.Unread = len(f.Pods) == 0 && !f.PodsListed && creationFailure(f.Events) == ""
	return job
}

// specAndStatusOf calls the kind's reader, and for a job that cannot be read uses
// its pods and events.
func specAndStatusOf(f *Family) *specAndStatus {
	var a *specAndStatus
	kind, known := jobKindOf(f.groupKind())
	switch {
	case f.groupKind() == PodGroupRow || !known:
		a = readPodGroup(f)
	case f.groupKind() == appWrapperKind:
		a = readAppWrapper(f)
	default:
		a = kind.read(f)
	}
	switch {
	case f.Top == nil:
		a = inferFromPods(f, a)
	case a.unread != "" && !knowsRoles(a):
		rolesFromPods(f, a)
	}
	return a
}

// describe fills in the fields of the object itself.
func describe(job *train.Job, f *Family) {
	job.Created = f.created()
	if f.Top == nil {
		return
	}
	job.Version = f.Top.GroupVersionKind().Version
	job.Labels = f.Top.GetLabels()
	for _, owner := range f.Top.GetOwnerReferences() {
		if owner.Controller == nil || !*owner.Controller {
			continue
		}
		job.Owner = train.Ref{
			Group: schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind).Group, Kind: owner.Kind,
			Namespace: f.Ref.Namespace, Name: owner.Name, UID: string(owner.UID),
		}
	}
}

// roleAsks returns what one pod of each role requests.
func roleAsks(f *Family, a *specAndStatus) []accelerators {
	asks := make([]accelerators, len(a.roles))
	for i := range a.roles {
		asks[i] = templateAccelerators(a.roles[i].template, claimsOf(f))
	}
	return asks
}

// countRoles adds up the roles. Ready pods are counted where they are
// observed, and taken from the operator where they are not.
func countRoles(job *train.Job, f *Family, a *specAndStatus, r ranks, asks []accelerators) {
	ready := make([]int, len(a.roles))
	byName := make(map[string]int, len(a.roles))
	for i := range a.roles {
		byName[a.roles[i].name] = i
	}
	for i := range r.list {
		if rank := &r.list[i]; rank.Ready && rank.DuplicateOf == "" {
			ready[byName[rank.Role]]++
		}
	}
	for role, n := range readyDuplicates(r.list) {
		ready[byName[role]] += n
	}
	hidden := unobservedPods(f, a, r)
	job.StatusBehind = !hidden && r.shown < a.alive
	var all tally
	shared := map[string]bool{}
	for i := range a.roles {
		wants := &a.roles[i]
		if wants.aside {
			continue
		}
		if hidden {
			stated := min(wants.ready, max(wants.wanted, ready[i]))
			job.ReadyStated = job.ReadyStated || stated > ready[i]
			ready[i] = max(ready[i], stated)
		}
		one := train.Role{Name: wants.name, Wanted: wants.wanted, Ready: ready[i]}
		if i < len(asks) {
			one.GPUs, one.Slices = asks[i].devices(), asks[i].slices()
			addAsks(&all, asks[i], wants.wanted, shared)
		}
		job.Roles = append(job.Roles, one)
		job.Wanted += one.Wanted
		job.Ready += one.Ready
	}
	job.GPUs, job.GPUResource, job.Slices = all.total(), all.main(), all.slices()
}

// readyDuplicates counts, by role, the ranks of which only an older pod is ready: ranks are
// counted, and not their pods.
func readyDuplicates(list []train.Rank) map[string]int {
	var of map[string]string // the roles of the newest pods
	for i := range list {
		if rank := &list[i]; rank.Ready && rank.DuplicateOf != "" {
			if of == nil {
				of = map[string]string{}
			}
			of[rank.DuplicateOf] = rank.Role
		}
	}
	if of == nil {
		return nil
	}
	for i := range list {
		if list[i].Ready {
			delete(of, list[i].Pod)
		}
	}
	byRole := map[string]int{}
	for _, role := range of {
		byRole[role]++
	}
	return byRole
}

// addAsks adds what all pods of a role request; a claim that pods share counts
// once for the job.
func addAsks(all *tally, asks accelerators, pods int, shared map[string]bool) {
	for _, entry := range asks.own {
		all.add(entry.resource, times(entry.n, pods))
	}
	for _, claim := range asks.shared {
		if pods == 0 || shared[claim.name] {
			continue
		}
		shared[claim.name] = true
		for _, entry := range claim.devices {
			all.add(entry.resource, entry.n)
		}
	}
}

// setTimes takes start and end from the operator, else from the pods.
func setTimes(job *train.Job, f *Family, a *specAndStatus) {
	job.Started = a.started
	// An operator that saw the job only at its end states that as its start too.
	if job.Started.IsZero() || !a.finished.IsZero() && !job.Started.Before(a.finished) {
		for _, pod := range f.Pods {
			job.Started = earliest(job.Started, startOf(pod))
		}
	}
	if !job.Phase.Terminal() {
		return
	}
	job.Finished = a.finished
	if job.Finished.IsZero() {
		job.Finished = a.operatorStatus.at
		if f.Top != nil {
			job.Finished = HeldSince(f.Top, job.Finished)
		}
	}
	if job.Finished.IsZero() {
		for i := range job.Ranks {
			if since := job.Ranks[i].Since; since.After(job.Finished) && !job.Ranks[i].Ready {
				job.Finished = since
			}
		}
	}
}
