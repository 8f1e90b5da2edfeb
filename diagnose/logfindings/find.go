package logfindings

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Find diagnoses the logs of a job. The root cause is first, with the symptoms
// that it explains in Hides; further findings are independent of it. The
// engine, which knows the causes, sets Stage and Verify.
func Find(s *store.Snapshot, job *train.Job, words Wording) []train.Finding {
	return rankCandidates(job, rankLogsOf(s, job), words)
}

// rankLog is the log of one rank.
type rankLog struct {
	// rank is Rank.Index, -1 for a text of unknown rank.
	rank int
	logs []*store.Log
	// roomyShm is true when the pod's /dev/shm is large.
	roomyShm bool
	// shared are the ranks that print into these logs, where there are several: each node
	// of a job has one log. Then rank is -1.
	shared []int
	// repeated has the logs of attempts after which another made progress.
	repeated map[train.StreamID]bool
	// oneOfMany is true for a rank of several, whose nodes number their own
	// processes from 0.
	oneOfMany bool
}

// trainsBeside reports whether another container of a log's pod prints steps
// and its own does not: it is a helper, and training does not end with it.
func (v *rankLog) trainsBeside(log *store.Log) bool {
	if log.ID.Pod == "" || log.ID.Container == "" || len(log.Samples.Rows) > 0 {
		return false
	}
	return slices.ContainsFunc(v.logs, func(other *store.Log) bool {
		return other.ID.Pod == log.ID.Pod && other.ID.Namespace == log.ID.Namespace && other.ID.Container != "" &&
			other.ID.Container != log.ID.Container && len(other.Samples.Rows) >= progressAfter
	})
}

// localTag matches torchrun's tag of a process, which counts on its node alone: "[default3]:".
// Behind it a process may name its rank in the job, "[rank11]:".
var localTag = regexp.MustCompile(`^.{0,80}?\[default\d+\]:`)

// namesRank reports whether the rank that a line names counts in the job: on one of
// several nodes the number of a process there, and torchrun's tag, do not.
func (v *rankLog) namesRank(log *store.Log, line int64) bool {
	if !v.oneOfMany {
		return true
	}
	text := lineText(log, line)
	if v.rank >= 0 && byLocalRank(text) {
		return false
	}
	tag := localTag.FindString(text)
	return tag == "" || strings.HasPrefix(strings.TrimLeft(text[len(tag):], " "), "[rank")
}

// rankLogsOf returns the ranks of a job with a log that was read. Of a pod's log
// only the newest container instance counts; how earlier ones ended is
// examined elsewhere. A log that was not read does not count: its content is
// unknown.
func rankLogsOf(s *store.Snapshot, job *train.Job) []rankLog {
	var rankLogs []rankLog
	repeated := Repeated(s, job)
	for i := range job.Ranks {
		r := &job.Ranks[i]
		v := rankLog{rank: r.Index, logs: s.RankLogs(job, i), roomyShm: RoomyShm(s.Pod(r.Namespace, r.Pod)), oneOfMany: len(job.Ranks) > 1, repeated: repeated}
		if job.LogsOnly && r.Assumed && len(job.Ranks) == 1 {
			v.rank = -1
		}
		if !job.LogsOnly {
			newest := newestLog(s, job, i)
			v.logs = slices.DeleteFunc(slices.Clone(v.logs), func(l *store.Log) bool { return l != newest || isOver(s, l.ID) })
		}
		v.logs = slices.DeleteFunc(slices.Clone(v.logs), func(l *store.Log) bool { return !l.WasRead() || OfEarlierRun(s, l) })
		if len(v.logs) > 0 {
			rankLogs = append(rankLogs, v)
		}
	}
	if job.LogsOnly {
		findShared(rankLogs)
	}
	return rankLogs
}

// findShared finds logs of several ranks each, as those of nodes are: the number of such a
// log is no rank. Where two logs have lines of the same rank, it counts on its node alone.
func findShared(rankLogs []rankLog) {
	shared := make([][]int, len(rankLogs))
	seen := map[int]bool{}
	for i := range rankLogs {
		shared[i] = printing(rankLogs[i].logs)
		for _, rank := range shared[i] {
			if seen[rank] {
				return
			}
			seen[rank] = true
		}
	}
	for i := range rankLogs {
		if len(shared[i]) > 1 {
			rankLogs[i].shared, rankLogs[i].rank = shared[i], -1
		}
	}
}

// printing returns the ranks that lines with samples name, sorted.
func printing(logs []*store.Log) (ranks []int) {
	seen := map[int32]bool{}
	for _, log := range logs {
		for i := range log.Samples.Rows {
			if rank := log.Samples.Rows[i].Rank; rank >= 0 && !seen[rank] {
				seen[rank] = true
				ranks = append(ranks, int(rank))
			}
		}
	}
	slices.Sort(ranks)
	return ranks
}

// rankOf returns the rank in the job that a line names. torchrun's agent counts the
// processes of its node, whose ranks follow one another.
func (v *rankLog) rankOf(log *store.Log, hit *train.LogHit) int {
	local := byLocalRank(lineText(log, hit.Line)) || localTag.MatchString(lineText(log, hit.Line))
	switch {
	case v.rank < 0 && local && hit.Rank < len(v.shared):
		return v.shared[hit.Rank]
	case !v.namesRank(log, hit.Line):
		return v.rank
	}
	return hit.Rank
}

// newestLog returns the newest log of the training container or, where that
// never began, of an init container that it waits for.
func newestLog(s *store.Snapshot, job *train.Job, rankIndex int) *store.Log {
	if log := s.RankLog(job, rankIndex); log != nil {
		return log
	}
	r := &job.Ranks[rankIndex]
	var newest *store.Log
	for _, log := range s.RankLogs(job, rankIndex) {
		if log.ID.Pod == r.Pod && (log.ID.UID == "" || log.ID.UID == r.PodUID) {
			newest = log
		}
	}
	return newest
}

// isOver reports whether the container runs a later instance by now, whose log
// is not followed.
func isOver(s *store.Snapshot, id train.StreamID) bool {
	pod := s.Pod(id.Namespace, id.Pod)
	if pod == nil || id.File != "" { // a file may not name its container instance
		return false
	}
	return slices.ContainsFunc(pod.Status.ContainerStatuses, func(c corev1.ContainerStatus) bool {
		return c.Name == id.Container && c.State.Running != nil && int(c.RestartCount) > id.Restart
	})
}

// allRead reports whether the log of every rank was read to its end, so that
// a rank without an error is known to have none.
func allRead(job *train.Job, rankLogs []rankLog) bool {
	if !job.LogsOnly && len(rankLogs) < len(job.Ranks) {
		return false
	}
	return !slices.ContainsFunc(rankLogs, func(v rankLog) bool {
		return slices.ContainsFunc(v.logs, (*store.Log).BrokeOff)
	})
}

// rankCandidates combines the logs of all ranks.
func rankCandidates(job *train.Job, rankLogs []rankLog, words Wording) []train.Finding {
	var all []candidate
	for i := range rankLogs {
		all = append(all, rankLogs[i].candidates()...)
	}
	yieldToExceptions(all)
	demoteAnswers(all)
	demoteNameless(all)
	demoteCleanUp(all)
	demoteScaleUps(all)
	demoteWorkers(all)
	demoteAborts(all)
	demoteActors(all)
	demoteNoise(all)
	demoteAfterLoss(all)
	all = append(all, collectives(rankLogs, withoutSilence(all), allRead(job, rankLogs))...)
	countPods(job, all, rankLogs)
	demoteSilence(all)
	putAside(all)
	putSignalsFirst(all)
	nameHangups(all)
	all = slices.DeleteFunc(all, onlyCompared)
	all = slices.DeleteFunc(all, func(c candidate) bool { return ofAnotherKubectl(&c, all) })
	slices.SortStableFunc(all, compare)
	var found []train.Finding
	for i := range all {
		c := &all[i]
		if at := slices.IndexFunc(found, func(f train.Finding) bool { return f.Cause == c.cause }); at >= 0 {
			c.addTo(&found[at])
			continue
		}
		found = append(found, c.finding(job, words(c.cause)))
	}
	if len(found) == 0 {
		return guess(job, rankLogs, words)
	}
	found = hide(found, all, rankLogs)
	if !slices.ContainsFunc(all, func(c candidate) bool { return !c.saysNoCause() }) {
		return nameByWords(job, rankLogs, words, found)
	}
	return found
}

// compare orders candidates: unhealed ones, then the kind, then the time on
// different ranks, then how much the text shows, then the line.
func compare(a, b candidate) int {
	if order := cmp.Or(compareBool(a.healed, b.healed), compareBool(a.aside, b.aside), cmp.Compare(a.tier(), b.tier())); order != 0 {
		return order
	}
	if a.rank != b.rank && !a.at.IsZero() && !b.at.IsZero() && a.tier() == tierOwn && apart(a.at, b.at) {
		return a.at.Compare(b.at)
	}
	return cmp.Or(cmp.Compare(b.weight, a.weight), a.at.Compare(b.at), cmp.Compare(a.hit.Line, b.hit.Line))
}

// apart reports times that are not those of one event on two ranks.
func apart(a, b time.Time) bool { return a.Sub(b).Abs() >= time.Second }

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// hide keeps the root and all that it does not explain. An own error explains every
// symptom and every less informative error; another own error is reported too: a text
// may be about many pods and jobs.
func hide(found []train.Finding, all []candidate, rankLogs []rankLog) []train.Finding {
	tiers := map[train.Cause]tier{}
	healed, aside := map[train.Cause]bool{}, map[train.Cause]bool{}
	for i := range all {
		aside[all[i].cause] = aside[all[i].cause] || all[i].aside
		if _, known := tiers[all[i].cause]; !known {
			tiers[all[i].cause], healed[all[i].cause] = all[i].tier(), all[i].healed
		}
	}
	root := &found[0]
	kept := found[:1]
	for _, f := range found[1:] {
		if !aside[f.Cause] && !unrelated(all, string(root.Cause), string(f.Cause)) && !pullsApart(all, string(root.Cause), string(f.Cause)) && !healed[root.Cause] && (tiers[f.Cause] > tierOwn || explained(root.Cause, f.Cause)) {
			root.Hides = append(root.Hides, f.Cause)
			continue
		}
		kept = append(kept, f)
	}
	slices.Sort(root.Hides)
	if root.RootRank < 0 {
		root.RootRank = reportedRoot(all, root.Cause, len(rankLogs))
	}
	if root.RootRank < 0 {
		root.RootRank = soleRank(all, root.Cause, len(rankLogs))
	}
	if root.RootRank < 0 {
		root.RootRank = namedPeer(all, root.Cause)
	}
	if root.RootRank < 0 && len(rankLogs) > 1 && root.Cause == "sigterm-received" {
		root.RootRank = signalled(all)
	}
	return kept
}

// explained are own errors that follow from another within one process.
func explained(root, other train.Cause) bool {
	return slices.Contains(follows[root], other)
}

var follows = map[train.Cause][]train.Cause{
	"shm-too-small":            {"no-space-left", "nccl-init-failure", "dataloader-worker-killed", "too-many-open-files", "oom-killed", "sigkill-received", "segfault"},
	"too-many-open-files":      {"shm-too-small", "dataloader-worker-killed"},
	"device-side-assert":       {"illegal-memory-access", "gpu-xid-error", "cuda-unknown-error", "cuda-out-of-memory", "abort-sigabrt"},
	"illegal-memory-access":    {"gpu-xid-error", "cuda-unknown-error", "abort-sigabrt"},
	"gpu-ecc-error":            {"gpu-xid-error", "illegal-memory-access", "nvlink-error", "cuda-unknown-error"},
	"nvlink-error":             {"gpu-xid-error", "cuda-unknown-error", "nccl-init-failure"},
	"gpu-fell-off-bus":         {"gpu-xid-error", "cuda-unknown-error", "no-gpu-visible", "device-allocation-failed"},
	"gpu-xid-error":            {"illegal-memory-access", "cuda-unknown-error"},
	"oom-killed":               {"dataloader-worker-killed", "host-oom", "segfault", "sigkill-received"},
	"sigkill-received":         {"dataloader-worker-killed"},
	"host-oom":                 {"oom-killed", "sigkill-received"},
	"no-space-left":            {"checkpoint-write-failed", "checkpoint-corrupt", "image-disk-full"},
	"no-gpu-visible":           {"python-import-error", "cuda-driver-mismatch"},
	"cuda-driver-mismatch":     {"no-gpu-visible", "python-import-error", "cuda-arch-mismatch"},
	"dataloader-worker-killed": {"segfault", "oom-killed", "sigkill-received", "python-exception"},
	"cuda-out-of-memory":       {"nccl-init-failure", "gpu-in-use-by-other"},
	"nccl-init-failure":        {"nccl-ib-error", "port-in-use", "python-import-error"},
	"hf-hub-auth":              {"dataset-download-failure", "file-not-found"},
	"storage-hang":             {"nccl-timeout", "hang-no-output"},
	"nan-loss":                 {"loss-scale-minimum"},
	"mpi-launcher-ssh-failure": {"master-addr-unresolvable"},
	"insufficient-gpu":         {"node-selector-mismatch"},
}

// reportedRoot returns the rank that a launcher's report names as the first
// that failed, when the error itself names none. For a lost connection it is that
// rank alone if others lost it, and it did not abort itself after it had lost them.
func reportedRoot(all []candidate, cause train.Cause, logs int) int {
	lost := cause == "nccl-connection-lost" || cause == "gloo-connection-lost"
	if logs > 1 || isCollective(cause) && !lost {
		return -1
	}
	for i := range all {
		if c := &all[i]; c.reported && c.hit.Rank >= 0 {
			if lost && !lostByOthers(all, cause, c) {
				return -1
			}
			return c.hit.Rank
		}
	}
	return -1
}

// lostByOthers reports whether all that report a lost connection are other ranks
// than the one of a launcher's report.
func lostByOthers(all []candidate, cause train.Cause, report *candidate) bool {
	if signal, _ := signatures.EndReported(report.hit.Signature); signal == 6 {
		return false
	}
	others := false
	for i := range all {
		if c := &all[i]; c.cause == cause {
			if c.hit.Rank < 0 || c.hit.Rank == report.hit.Rank {
				return false
			}
			others = true
		}
	}
	return others
}

// namedPeer returns the one rank that reports of this cause name as the one that
// ended: JAX's coordinator lists the tasks that stopped.
func namedPeer(all []candidate, cause train.Cause) int {
	peer := -1
	for i := range all {
		c := &all[i]
		if c.cause != cause && !(c.hit.Signature == "jax-unhealthy" && cause == "rendezvous-timeout") || !c.reported || c.hit.Rank < 0 || c.hit.Rank == peer || !strings.HasPrefix(c.hit.Signature, "jax-") {
			continue
		}
		if peer >= 0 {
			return -1
		}
		peer = c.hit.Rank
	}
	return peer
}

// soleRank returns the rank that repeats of an error name, when its first line
// names none and the others only one: a watchdog prints its own rank, a
// traceback does not.
func soleRank(all []candidate, cause train.Cause, logs int) int {
	sole := -1
	if logs > 1 || isCollective(cause) {
		return sole
	}
	for i := range all {
		c := &all[i]
		if c.cause != cause || c.nobody || c.tier() != tierOwn || c.hit.Rank < 0 {
			continue
		}
		if sole >= 0 && sole != c.hit.Rank {
			return -1
		}
		sole = c.hit.Rank
	}
	return sole
}

// signalled returns the one rank that was signalled to end, when the others
// were not.
func signalled(all []candidate) int {
	sole := -1
	for i := range all {
		c := &all[i]
		if c.cause != "sigterm-received" || c.rank == sole {
			continue
		}
		if sole >= 0 {
			return -1
		}
		sole = c.rank
	}
	return sole
}
