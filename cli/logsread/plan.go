// Package logsread plans which logs of ranks a diagnosis reads, and names what was not
// read of logs: those that could not be read, were cut, or are empty.
package logsread

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
)

const (
	// diagnosisLines are read of the end of each log at least: the messages of a
	// program's end are there. Where jobs were named, their logs share
	// namedLines, which also find what a program printed long before.
	diagnosisLines = 5000
	namedLines     = 400_000
	// diagnosisLogs bounds how many logs one diagnosis reads, namedLogs where
	// jobs were named: as many as a cluster can serve in their time.
	diagnosisLogs, namedLogs = 256, 512
	// DiagnosisTime is how long all logs may take together.
	DiagnosisTime = 20 * time.Second
	// ranksOfJob bounds the ranks of each job that was not named.
	ranksOfJob = 16
)

// Plan is which logs are read.
type Plan struct {
	Streams *streams.Plan
	jobs    []*train.Job
	named   bool
	// At is when the logs were requested.
	At time.Time
	// wanted are indexes of ranks in each job, in order of interest, those
	// beyond the bound too.
	wanted map[train.JobID][]int
}

// PlanDiagnosis requests the logs, previous ones and those of init containers
// too, of ranks in trouble, and after them those of the other ranks of jobs
// that were named or have such a rank.
func PlanDiagnosis(snapshot *store.Snapshot, jobs []*train.Job, named bool) *Plan {
	p := &Plan{jobs: jobs, named: named, wanted: map[train.JobID][]int{}}
	var wants []streams.Want
	for _, job := range jobs {
		rankIndices := ranksToRead(job, named)
		if len(rankIndices) == 0 {
			continue
		}
		p.wanted[job.ID] = rankIndices
		read := rankIndices[:min(len(rankIndices), p.ranksBound())]
		first := len(read)
		if i := slices.IndexFunc(read, func(i int) bool { return !troubled(&job.Ranks[i]) }); i >= 0 {
			first = i
		}
		wants = append(wants,
			streams.Want{Job: job.ID, Ranks: append([]int{}, read[:first]...), Previous: true, Others: true, Shown: true},
			streams.Want{Job: job.ID, Ranks: append([]int{}, read[first:]...), Previous: true, Others: true})
	}
	p.Streams = streams.Choose(snapshot, wants, p.bound())
	return p
}

// LinesOfEach is how many lines are read of the end of each log.
func (p *Plan) LinesOfEach() int64 {
	logs := 0
	for _, ranks := range p.wanted {
		logs += len(ranks)
	}
	if !p.named || logs == 0 {
		return diagnosisLines
	}
	return int64(max(diagnosisLines, namedLines/logs))
}

func (p *Plan) bound() int {
	if p.named {
		return namedLogs
	}
	return diagnosisLogs
}

func (p *Plan) ranksBound() int {
	if p.named {
		return namedLogs
	}
	return ranksOfJob
}

// Asked are the requested logs, and why the plan left some out.
func (p *Plan) Asked() map[train.JobID]*diagnose.Asked {
	if p == nil {
		return nil
	}
	asked := map[train.JobID]*diagnose.Asked{}
	for job, rankIndices := range p.wanted {
		left := map[int]string{}
		for _, rankIndex := range rankIndices {
			if why := p.Why(job, rankIndex); why != "" {
				left[rankIndex] = why
			}
		}
		asked[job] = &diagnose.Asked{RankIndices: rankIndices, Why: left}
		if p.named {
			asked[job].NamedAt = p.At
		}
	}
	return asked
}

// Why is the reason why the log of a rank is not read, "" where it is or was
// not wanted.
func (p *Plan) Why(job train.JobID, rankIndex int) string {
	switch beyond := p.Beyond(job, rankIndex); {
	case beyond && !p.named && !p.Streams.Full(job, rankIndex):
		return fmt.Sprintf("of a job that is not named the logs of %d ranks are read; traintop diagnose JOB reads more", ranksOfJob)
	case beyond:
		return fmt.Sprintf("one diagnosis reads %d logs, those of ranks that failed first", p.bound())
	}
	return p.Streams.Why(job, rankIndex)
}

// Beyond reports whether a wanted rank is left out because of a bound.
func (p *Plan) Beyond(job train.JobID, rankIndex int) bool {
	return p.Streams.Full(job, rankIndex) || slices.Index(p.wanted[job], rankIndex) >= p.ranksBound()
}

// ranksToRead are indexes of the job's ranks: those in trouble first, of those
// the one that failed first; of a job that was not named the others only where
// some are in trouble, or where they wait to start and an init container may
// explain it.
func ranksToRead(job *train.Job, named bool) []int {
	inTrouble := slices.ContainsFunc(job.Ranks, func(r train.Rank) bool { return troubled(&r) })
	var rankIndices []int
	for i := range job.Ranks {
		r := &job.Ranks[i]
		if r.Pod != "" && (named || inTrouble || waitsToStart(r)) {
			rankIndices = append(rankIndices, i)
		}
	}
	slices.SortStableFunc(rankIndices, func(a, b int) int {
		first, second := &job.Ranks[a], &job.Ranks[b]
		return cmp.Or(boolOrder(troubled(first), troubled(second)), first.Since.Compare(second.Since))
	})
	return rankIndices
}

func waitsToStart(r *train.Rank) bool {
	return r.State == train.RankStarting || r.State == train.RankWaiting
}

// boolOrder puts true first.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

func troubled(r *train.Rank) bool {
	switch r.State {
	case train.RankFailed, train.RankCrashing, train.RankLost:
		return true
	}
	return r.Restarts > 0
}

// Problems are the logs that were not read, or not to their end.
func (p *Plan) Problems(snapshot *store.Snapshot) []jsontext.Problem {
	if p == nil {
		return nil
	}
	var all []jsontext.Problem
	for _, job := range p.jobs {
		for rank := range job.Ranks {
			if why := p.Why(job.ID, rank); why != "" && (troubled(&job.Ranks[rank]) || p.Beyond(job.ID, rank)) {
				all = append(all, jsontext.Problem{Source: RankSource(job, rank), Text: why})
			}
		}
	}
	return append(all, UnreadOf(snapshot, p.jobs)...)
}
