package diagnose

import (
	"fmt"
	"slices"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// StageState is one word for where a job stands with one stage of its way.
type StageState string

const (
	StagePassed  StageState = "passed"
	StageWaiting StageState = "waiting" // under way, or waits for what is not there yet
	StageWarned  StageState = "warning" // passed or under way, with a finding
	StageFailed  StageState = "failed"
	StageUnknown StageState = "unknown" // nothing to tell by
	StageAhead   StageState = "ahead"   // not reached
)

// StageStatus is one stage of a job's way.
type StageStatus struct {
	Stage train.Stage
	State StageState
	// Text says in a few words what the state rests on: "4 of 8 ranks have a node".
	Text string
}

// Pipeline is the way of a job, one status for each of train.Stages. What has
// been found decides; beyond that, how far the job's ranks have come.
func Pipeline(s *store.Snapshot, job *train.Job, answer *Answer) []StageStatus {
	way := make([]StageStatus, len(train.Stages))
	come := reach(s, job)
	for i, stage := range train.Stages {
		way[i] = StageStatus{Stage: stage, State: come[i].state, Text: come[i].text}
	}
	if answer == nil {
		return way
	}
	for i := range answer.Findings {
		at := slices.Index(train.Stages, answer.Findings[i].Stage)
		if at < 0 {
			continue
		}
		switch answer.Findings[i].Severity {
		case train.SeverityError:
			way[at].State = StageFailed
		case train.SeverityWarning:
			if way[at].State != StageFailed {
				way[at].State = StageWarned
			}
		default:
			continue
		}
		way[at].Text = answer.Findings[i].Title
	}
	return way
}

// reached is how far the ranks have come with one stage.
type reached struct {
	state StageState
	text  string
}

// reach tells from the objects and logs alone how far a job has come.
func reach(s *store.Snapshot, job *train.Job) []reached {
	way := make([]reached, len(train.Stages))
	for i := range way {
		way[i] = reached{state: StageUnknown}
	}
	at := func(stage train.Stage) *reached { return &way[slices.Index(train.Stages, stage)] }
	if job == nil {
		return way
	}
	if !job.LogsOnly {
		podStages(job, at)
	}
	progressStages(s, job, at)
	if !job.Phase.Terminal() {
		ahead(way)
	}
	return way
}

// podStages are the stages that the ranks' pods tell of.
func podStages(job *train.Job, at func(train.Stage) *reached) {
	var pods, placed, started int
	for i := range job.Ranks {
		r := &job.Ranks[i]
		if r.Pod == "" && len(r.Attempts) == 0 {
			continue
		}
		pods++
		if r.Node == "" && r.State != train.RankSucceeded && r.State != train.RankFailed {
			continue
		}
		placed++
		switch r.State {
		case train.RankStarting, train.RankWaiting:
			continue
		}
		started++
	}
	wanted := max(job.Wanted, 1)
	done := job.Phase == train.Succeeded
	share := func(n int, what string) reached {
		switch {
		case done || n >= wanted:
			return reached{StagePassed, ""}
		case job.Phase == train.Failed && n == 0:
			return reached{state: StageUnknown}
		case job.Phase == train.Failed:
			return reached{StagePassed, fmt.Sprintf("%d of %d ranks %s", n, wanted, what)}
		}
		return reached{StageWaiting, fmt.Sprintf("%d of %d ranks %s", n, wanted, what)}
	}
	*at(train.StageAdmission) = share(pods, "have a pod")
	if job.Phase == train.Queued || job.Phase == train.Suspended {
		*at(train.StageAdmission) = reached{StageWaiting, string(job.Phase)}
	}
	*at(train.StageSchedule) = share(placed, "have a node")
	*at(train.StageVolumes) = share(started, "have started")
	*at(train.StageImage) = *at(train.StageVolumes)
	*at(train.StageStart) = *at(train.StageVolumes)
}

// progressStages are the stages that logs tell of: who makes steps has met
// the other ranks.
func progressStages(s *store.Snapshot, job *train.Job, at func(train.Stage) *reached) {
	stepping := false
	if run := s.Run(job); run != nil {
		stepping = len(run.Metrics) > 0
	}
	switch {
	case stepping:
		*at(train.StageRendezvous) = reached{StagePassed, "steps are made"}
		*at(train.StageProgress) = reached{StagePassed, "steps are made"}
	case job.Phase == train.Succeeded:
		*at(train.StageRendezvous) = reached{StagePassed, ""}
		*at(train.StageProgress) = reached{StagePassed, "the job is done"}
	case job.Phase == train.Running && len(job.Ranks) > 0:
		*at(train.StageProgress) = reached{StageUnknown, "no step has been read from a log"}
	}
}

// ahead marks what lies behind the first stage that waits.
func ahead(way []reached) {
	waits := slices.IndexFunc(way, func(r reached) bool { return r.state == StageWaiting })
	if waits < 0 {
		return
	}
	for i := waits + 1; i < len(way); i++ {
		if way[i].state != StagePassed {
			way[i] = reached{state: StageAhead}
		}
	}
}
