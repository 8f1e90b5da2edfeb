package store

import (
	"slices"
	"sync"

	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// runs caches the runs of jobs that were last requested. All snapshots of a
// store share them.
type runs struct {
	mu  sync.Mutex
	all map[train.JobID]madeRun
}

type madeRun struct {
	job     *train.Job
	version logsVersion
	sources []series.Source
	run     *series.Run
}

// Run returns the curves that the logs of a job contain; nil when they contain
// none. It is built on request, once for each change.
func (s *Snapshot) Run(job *train.Job) *series.Run {
	if job == nil || s.logs.runs == nil {
		return nil
	}
	version, has := logsVersionOf(s, job)
	if !has {
		return nil
	}
	before, _ := s.logs.runs.get(job.ID)
	if before.version == version && before.job == job {
		return before.run
	}
	made := madeRun{job: job, version: version}
	if before.version.membership == version.membership && before.job == job {
		made.sources = refreshSources(s, before.sources)
	} else {
		made.sources = runSources(s, job)
	}
	if len(made.sources) > 0 {
		made.run = series.Rejoin(before.run, made.sources)
	}
	s.logs.runs.put(made)
	return made.run
}

// refreshSources returns the same logs in their current state.
func refreshSources(s *Snapshot, before []series.Source) []series.Source {
	sources := slices.Clone(before)
	for i := range sources {
		log := s.Log(sources[i].Stream)
		sources[i].Table, sources[i].Marks, sources[i].Hints = log.Samples, log.Marks, log.Hints
	}
	return sources
}

func (r *runs) get(id train.JobID) (madeRun, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	made, found := r.all[id]
	return made, found
}

// put keeps the newest run: an older snapshot may still be in use.
func (r *runs) put(made madeRun) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if before, has := r.all[made.job.ID]; !has || before.version.any <= made.version.any {
		r.all[made.job.ID] = made
	}
}

func (r *runs) drop(id train.JobID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.all, id)
}

// runSources returns the logs of training containers that contain samples,
// marks or progress hints.
func runSources(s *Snapshot, job *train.Job) []series.Source {
	seats := map[rankSlot]bool{}
	s.logs.ofJob(job.ID, func(one assignedLog) { seats[one.slot] = true })
	var sources []series.Source
	for rank := range job.Ranks {
		if !seats[slotOfRank(job, rank)] && !IsPodSet(job.ID) {
			continue
		}
		for _, l := range s.containerInstances(job, rank) {
			if l.trains && hasSamples(l.log) {
				one := sourceOf(l, job, rank)
				one.StepsAsked = kinds.StepsAsked(s.Pod(l.log.ID.Namespace, l.log.ID.Pod), l.log.ID.Container)
				sources = append(sources, one)
			}
		}
	}
	return sources
}

func hasSamples(log *Log) bool {
	return log.Samples.Samples > 0 || len(log.Marks) > 0 || log.Hints != (train.ProgressHints{})
}

func sourceOf(l containerInstance, job *train.Job, rank int) series.Source {
	return series.Source{
		Stream: l.log.ID, Rank: rank, RankIndex: job.Ranks[rank].Index, Attempt: l.attempt,
		Table: l.log.Samples, Marks: l.log.Marks, Hints: l.log.Hints,
		Ended: job.Phase.Terminal() || !followed(l.log.Status.State), Status: l.log.Status,
	}
}

// followed reports whether silence of the log means anything.
func followed(state train.StreamState) bool {
	return state == "" || state == train.StreamLive || state == train.StreamOpening
}
