package views

import (
	"fmt"
	"slices"
	"strings"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/targets"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// Reach is the containers that a screen runs commands in: those that were
// chosen, all of their jobs, or one of them.
type Reach struct {
	pods  []train.Ref
	job   train.JobID // where no pods were named
	which which
	// at is the snapshot and the choice that the targets were found by.
	at    string
	found []actions.Target
}

type which uint8

const (
	chosenOnes which = iota
	wholeJob
	firstOne
	whiches
)

// NewReach begins with pods, or with those of a job where none are named.
func NewReach(job train.JobID, pods []train.Ref) Reach {
	return Reach{pods: pods, job: job}
}

// chosen are the objects that the screen was opened on.
func (r *Reach) chosen(f Frame) []train.Ref {
	if job := f.Snapshot.Job(r.job); job != nil && len(r.pods) == 0 {
		return []train.Ref{job.Ref}
	}
	return r.pods
}

// Targets are the containers as the frame's snapshot has them, in order. Some
// may not run.
func (r *Reach) Targets(f Frame) []actions.Target {
	if at := fmt.Sprint(f.Snapshot.ObjectsVersion, r.which); r.at != at {
		r.at, r.found = at, targets.Of(f.Snapshot, r.refs(f, r.which))
		if r.which == firstOne {
			r.found = r.found[:min(1, len(r.found))]
		}
	}
	return r.found
}

// Refs are the objects behind the targets: a whole job is given as its ranks.
func (r *Reach) Refs(f Frame) []train.Ref { return r.refs(f, r.which) }

func (r *Reach) refs(f Frame, w which) []train.Ref {
	switch w {
	case wholeJob:
		if jobs := r.jobs(f); len(jobs) > 0 {
			return jobs
		}
	case firstOne:
		all := targets.Of(f.Snapshot, r.chosen(f))
		if running, _ := targets.Running(f.Snapshot, all); len(running) > 0 {
			all = running
		}
		if len(all) > 0 {
			return []train.Ref{all[0].PodRef()}
		}
	}
	return r.chosen(f)
}

// jobs are those that the chosen containers belong to.
func (r *Reach) jobs(f Frame) []train.Ref {
	var jobs []train.Ref
	for _, t := range targets.Of(f.Snapshot, r.chosen(f)) {
		if job := f.Snapshot.Job(t.Job); job != nil && !slices.Contains(jobs, job.Ref) {
			jobs = append(jobs, job.Ref)
		}
	}
	return jobs
}

// Next chooses other ranks, skipping choices that would be the same ones; false
// when there is none.
func (r *Reach) Next(f Frame) bool {
	was, before := r.which, targets.Of(f.Snapshot, r.Refs(f))
	for range whiches {
		r.which = (r.which + 1) % whiches
		if r.which == was {
			return false
		}
		if !slices.Equal(before, targets.Of(f.Snapshot, r.Refs(f))) {
			return true
		}
	}
	return false
}

// Words name the chosen ranks: "rank 3 of bert", "16 ranks of bert".
func (r *Reach) Words(f Frame) string { return TargetWords(f, r.Targets(f)) }

// TargetWords name the ranks of containers.
func TargetWords(f Frame, all []actions.Target) string {
	if len(all) == 0 {
		return "no rank"
	}
	noun, name, same := "rank", "", true
	for _, t := range all {
		if t.Index < 0 {
			noun = "pod"
		}
		same = same && t.Job == all[0].Job
	}
	if job := f.Snapshot.Job(all[0].Job); job != nil && same {
		name = " of " + draw.Clean(job.Ref.Name)
		if len(all) == len(job.Ranks) && len(all) > 1 {
			return "all " + draw.Plural(len(all), noun) + name
		}
	}
	if len(all) == 1 {
		return noun + " " + draw.Clean(all[0].Label) + name
	}
	return draw.Plural(len(all), noun) + name
}

// WithoutPod strips the words that name a container ("running nvidia-smi in pod
// ml/bert-0, container pytorch: ") from the beginning of a message, for rows
// that name it already.
func WithoutPod(t actions.Target, text string) string {
	container, rest, found := strings.Cut(text, ": ")
	if found && strings.Contains(container, "pod ") && strings.Contains(container, t.Pod) {
		return rest
	}
	return text
}
