package logfindings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/traintop/traintop/train"
)

// A line names a process of the program, and a finding about a job with pods counts pods. They
// differ where a pod runs several processes, where the program numbers them in another order,
// and where an MPI launcher prints the lines of all.

// processes knows in which pod each process of a program runs.
type processes struct {
	job  *train.Job
	logs []rankLog
	pods map[int]int
}

// countPods turns the processes of candidates into the ranks of their pods. A process that another
// one names, and whose own lines are unknown, is in no pod that is known.
func countPods(job *train.Job, all []candidate, rankLogs []rankLog) {
	if job.LogsOnly {
		return
	}
	p := processes{job: job, logs: rankLogs, pods: map[int]int{}}
	if !p.learn(all) {
		return
	}
	for i := range all {
		p.translate(&all[i])
	}
}

// learn reads in which pod each process wrote its lines. It reports whether any process has
// another number than its pod.
func (p *processes) learn(all []candidate) (differ bool) {
	for i := range all {
		c := &all[i]
		if at := p.writer(c); at >= 0 && c.rank >= 0 && c.hit.Rank >= 0 {
			pod := p.podOf(at, c.rank)
			p.pods[c.rank] = pod
			differ = differ || c.rank != pod
		}
	}
	return differ
}

// writer returns the place in the logs of the pod in whose log a candidate speaks of itself, -1
// for none.
func (p *processes) writer(c *candidate) int {
	if c.byPod || c.ranks != nil || c.log == nil || strings.HasPrefix(c.hit.Signature, "jax-") && c.reported {
		return -1
	}
	return slices.IndexFunc(p.logs, func(v rankLog) bool { return v.rank >= 0 && slices.Contains(v.logs, c.log) })
}

// podOf returns the rank of the pod of a process in the log of a rank.
func (p *processes) podOf(at, process int) int {
	rank := p.logs[at].rank
	for i := range p.job.Ranks {
		if r := &p.job.Ranks[i]; r.Index == rank {
			return PodOfProcess(p.job, r, process).Index
		}
	}
	return rank
}

func (p *processes) translate(c *candidate) {
	at := p.writer(c)
	switch {
	case c.byPod:
		return
	case at >= 0:
		if c.rank >= 0 && c.hit.Rank >= 0 {
			c.process, c.rank = c.rank+1, p.podOf(at, c.rank)
			c.hit.Rank = c.rank
		}
		return
	case c.ranks == nil:
		return
	}
	pod := func(process int) int {
		if pod, known := p.pods[process]; known {
			return pod
		}
		return -1
	}
	if c.rank >= 0 {
		c.process, c.rank = c.rank+1, pod(c.rank)
	}
	pods := []int{}
	for _, process := range c.ranks {
		if rank := pod(process); rank >= 0 && !slices.Contains(pods, rank) {
			pods = append(pods, rank)
		}
	}
	c.ranks = pods
}

// PodOfProcess returns the rank whose pod runs a process that the log of a rank names: that rank
// itself, and for an MPI launcher the worker whose slots have that number, where the job shows how
// many a worker has. mpirun fills the slots of one worker after another, unless an option
// changes that.
func PodOfProcess(job *train.Job, r *train.Rank, process int) *train.Rank {
	if !IsLauncher(r) || job.Slots < 1 || process < 0 {
		return r
	}
	for i := range job.Ranks {
		if host := &job.Ranks[i]; !host.Unranked && host.Index == process/job.Slots {
			return host
		}
	}
	return r
}

// IsLauncher reports whether a rank is an MPI launcher, which prints what all processes print.
func IsLauncher(r *train.Rank) bool { return strings.EqualFold(r.Role, "launcher") }

// ProcessNote names the pod in which a process runs, "" where its number is that of the pod.
func ProcessNote(job *train.Job, r *train.Rank, process int) string {
	host := PodOfProcess(job, r, process)
	switch {
	case process < 0 || process == host.Index && !IsLauncher(r):
		return ""
	case host != r:
		return fmt.Sprintf(" Process %d runs on %s: each worker has slots for %d, and mpirun fills them in order unless it is told otherwise.", process, safe(host.ShortName()), job.Slots)
	case IsLauncher(r):
		return fmt.Sprintf(" Process %d printed it; on which worker that runs is not known.", process)
	}
	return fmt.Sprintf(" It is rank %d of the program, which runs in %s.", process, safe(host.ShortName()))
}
