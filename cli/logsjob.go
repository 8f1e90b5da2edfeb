package cli

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/traintop/traintop/cli/arguments"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// jobOfLogs finds the named job, or the only one.
func (s *session) jobOfLogs(snapshot *store.Snapshot, name string) (*train.Job, error) {
	var found []*train.Job
	for _, job := range slices.Concat(snapshot.Jobs(), snapshot.LogJobs()) {
		inNamespace := s.namespace == "" || job.LogsOnly || job.Ref.Namespace == s.namespace
		if inNamespace && s.selector.Matches(labels.Set(job.Labels)) && (name == "" && (job.Training || job.LogsOnly) || s.means(snapshot, job, name)) {
			found = append(found, job)
		}
	}
	if len(found) == 0 {
		found = s.deletedJobs(snapshot, name)
	}
	if len(found) == 0 {
		found = jobsOfUID(snapshot, name, s.namespace)
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0 && name == "":
		return nil, s.noneToRead(snapshot)
	case len(found) == 0:
		return nil, s.noJob(snapshot, name)
	}
	return nil, fmt.Errorf("there are %d jobs%s in %s; name one of them: %s", len(found), called(name), s.where(), refs(found))
}

// deletedJobs returns the named jobs that exist no longer, and whose pods are there or
// were seen to go; without a name all that trained. Of several of one name it is the last.
func (s *session) deletedJobs(snapshot *store.Snapshot, name string) (found []*train.Job) {
	for _, job := range store.DeletedJobs(snapshot) {
		elsewhere := s.namespace != "" && job.Ref.Namespace != s.namespace
		// their labels went with their objects
		if elsewhere || !s.selector.Empty() || name == "" && !job.Training || name != "" && !s.means(snapshot, job, name) {
			continue
		}
		same := func(other *train.Job) bool { return other.Ref.String() == job.Ref.String() }
		if !slices.ContainsFunc(found, same) {
			found = append(found, job)
		}
	}
	return found
}

// jobsOfUID returns the job of a UID, in a namespace where one is named: of several jobs that had one name after another it
// tells each.
func jobsOfUID(snapshot *store.Snapshot, uid, namespace string) (found []*train.Job) {
	for _, job := range slices.Concat(snapshot.Jobs(), store.DeletedJobs(snapshot)) {
		if uid != "" && job.Ref.UID == uid && (namespace == "" || job.Ref.Namespace == namespace) {
			found = append(found, job)
		}
	}
	return found
}

// earlierJobs names the deleted jobs that had the name of a job before it, and how their
// logs are read; "" where none is known.
func earlierJobs(snapshot *store.Snapshot, job *train.Job) string {
	var lives []string
	for _, other := range store.DeletedJobs(snapshot) {
		if other.ID == job.ID || other.Ref.UID == "" || other.Ref.UID == job.Ref.UID || other.Ref.String() != job.Ref.String() {
			continue
		}
		life := "logs " + other.Ref.UID
		if !other.Created.IsZero() {
			life += " (its first pod is of " + other.Created.UTC().Format(time.RFC3339) + ")"
		}
		lives = append(lives, life)
	}
	if len(lives) == 0 {
		return ""
	}
	return termtext.Count(len(lives), "other job") + " of this name " + termtext.Agree(len(lives), "was", "were") + " deleted; by UID: " + termtext.Few(lives, mostNamedJobs)
}

// noneToRead is the error where there is no job whose logs could be read.
func (s *session) noneToRead(snapshot *store.Snapshot) error {
	if empty := s.noJobsRead(snapshot); empty != nil {
		return &noVerdictError{because: errors.New(empty.problem("").Text)}
	}
	return errors.New(s.nothing(snapshot))
}

func called(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" %q", name)
}

func refs(jobs []*train.Job) string {
	return termtext.FewOf(jobs, 10, func(job *train.Job) string { return termtext.Line(job.Ref.String()) })
}

// rankIndices are the indexes in job.Ranks of the requested ranks.
func (w *logsWanted) rankIndices(job *train.Job) ([]int, error) {
	var found []int
	for i := range job.Ranks {
		if w.ranks.Has(job.Ranks[i].Index) {
			found = append(found, i)
		}
	}
	if len(found) == 0 && len(job.Ranks) > 0 {
		return nil, fmt.Errorf("%s: %s", termtext.Line(job.Ref.String()), w.ranks.Unknown(arguments.RanksOf(job)))
	}
	return found, nil
}
