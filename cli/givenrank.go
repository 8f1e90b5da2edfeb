package cli

import (
	"cmp"
	"fmt"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// ownerOfRank finds the rank that a person named with its log (--from
// 3=rank3.log): that of the named job or, where none was named, of the only
// training job among the files.
func (s *session) ownerOfRank(rank int) (owner dump.RankOwner, refused string) {
	jobs := s.jobsOfRanks()
	switch len(jobs) {
	case 0:
		return owner, ""
	case 1:
	default:
		return owner, fmt.Sprintf("which of %s has rank %d is not known: name one", termtext.Count(len(jobs), "job"), rank)
	}
	job := jobs[0]
	var indices []int
	for i := range job.Ranks {
		r := &job.Ranks[i]
		if r.Index == rank {
			return dump.RankOwner{Job: job.ID, Namespace: cmp.Or(r.Namespace, job.Ref.Namespace), Pod: r.Pod}, ""
		}
		indices = append(indices, r.Index)
	}
	if len(indices) == 0 {
		return owner, fmt.Sprintf("the ranks of %s are not known", job.Ref)
	}
	return owner, fmt.Sprintf("%s has no rank %d: its ranks are %s", job.Ref, rank, termtext.RankRanges(indices))
}

// jobsOfRanks are the jobs that given ranks may mean.
func (s *session) jobsOfRanks() []*train.Job {
	var jobs []*train.Job
	snapshot := s.store.Snapshot()
	for _, job := range snapshot.Jobs() {
		inAnswer := (s.namespace == "" || job.Ref.Namespace == s.namespace) && s.selector.Matches(labels.Set(job.Labels))
		if inAnswer && (len(s.named) == 0 && job.Training || s.names(snapshot, job)) {
			jobs = append(jobs, job)
		}
	}
	return jobs
}

// names reports whether a job is one of those that were named.
func (s *session) names(snapshot *store.Snapshot, job *train.Job) bool {
	for _, name := range s.named {
		if s.means(snapshot, job, name) {
			return true
		}
	}
	return false
}
