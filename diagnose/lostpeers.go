package diagnose

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// ownEnds are the ends that need no other rank: Kubernetes or the kernel reports
// them of the container itself.
var ownEnds = map[train.Cause]bool{
	"oom-killed": true, "host-oom": true, "segfault": true, "node-lost": true, "spot-interruption": true, "evicted-by-taint": true,
	"evicted-memory": true, "evicted-disk-pressure": true, "evicted-ephemeral-storage": true, "evicted-pids": true, "liveness-probe-kill": true, "preempted": true,
}

// peerLosses are the causes whose lines report that another rank is gone or does
// not answer.
var peerLosses = map[train.Cause]bool{
	"one-rank-behind": true, "ray-worker-died": true, "nccl-init-failure": true, "torchrun-child-failed": true,
}

// peerLossText matches what libraries of communication raise when the other end
// of a connection is gone, in errors of programs that no rule knows better.
var peerLossText = regexp.MustCompile(`(?i)connection (?:reset|closed|refused|aborted|lost)|broken ?pipe|socket (?:is )?closed|\bUNAVAILABLE\b|recv failed|send failed|stopped sending heartbeats|tasks? (?:is|are) unhealthy|remote process exited|lost communication|peer (?:is )?(?:gone|closed|disconnected)|marked dead|failed to connect to`)

const (
	// collectiveGivesUp is how long a rank may wait for one that is gone:
	// collectives wait up to 30 minutes by default (torch, to 2.1).
	collectiveGivesUp = time.Hour
	// restartedGivesUp is the same where the rank that ended runs again.
	restartedGivesUp = 10 * time.Minute
	// clocksDiffer is how much clocks of nodes and whole seconds may reorder.
	clocksDiffer = 2 * time.Second
)

// explainLosses lets the certain end of a rank explain what other ranks report
// afterwards because they lost it.
func explainLosses(s *rule.JobContext, found []train.Finding) []train.Finding {
	return absorb(found, func(root, other *train.Finding) bool { return lostThrough(s, root, other) })
}

// absorb removes the findings that an other one explains, and lists them as
// explained by it. The worse severity of the two holds.
func absorb(found []train.Finding, explains explainer) []train.Finding {
	gone := make([]bool, len(found))
	for i := range found {
		for k := range found {
			root, other := &found[i], &found[k]
			if i == k || gone[i] || gone[k] || !explains(root, other) {
				continue
			}
			gone[k] = true
			root.Hides = append(append(root.Hides, other.Cause), other.Hides...)
			if other.Severity.Order() < root.Severity.Order() {
				root.Severity = other.Severity
			}
		}
	}
	kept := found[:0]
	for i := range found {
		if !gone[i] {
			kept = append(kept, found[i])
		}
	}
	return kept
}

// needOthers are causes that ranks report while another has not started, so that its
// name or its port is missing.
var needOthers = map[train.Cause]bool{"mpi-launcher-ssh-failure": true, "master-addr-unresolvable": true, "gloo-connect-failure": true, "rendezvous-timeout": true}

// explainMeetings lets what keeps ranks from their start explain that others do
// not reach them: also a pull that just takes long, which is no error itself.
// That the others give up meanwhile stays a warning.
func explainMeetings(found []train.Finding) []train.Finding {
	return absorb(found, func(root, other *train.Finding) bool {
		if !needOthers[other.Cause] || isRunStage(root.Stage) || root.Stage == train.StageStart || len(root.Ranks) == 0 ||
			slices.ContainsFunc(root.Ranks, func(rank int) bool { return slices.Contains(other.Ranks, rank) }) {
			return false
		}
		if root.Severity != train.SeverityError && other.Severity == train.SeverityError {
			other.Severity = train.SeverityWarning
		}
		return true
	})
}

// explainUnreached lets the end of a worker explain that the launcher, which names it, could
// not reach it afterwards.
func explainUnreached(s *rule.JobContext, found []train.Finding) []train.Finding {
	return absorb(found, func(root, other *train.Finding) bool {
		if other.Cause != "mpi-launcher-ssh-failure" || root.Severity == train.SeverityInfo || root.Since.IsZero() || root.Since.After(other.Since) ||
			!slices.ContainsFunc(root.Evidence, func(e train.Evidence) bool { return e.Kind == train.EvidenceStatus }) {
			return false
		}
		return slices.ContainsFunc(other.Evidence, func(e train.Evidence) bool {
			r := peerIn(s, e.Text)
			return r != nil && r.Index != e.Rank && slices.Contains(root.Ranks, r.Index)
		})
	})
}

// gaveUpWithin is by how much the ranks that wait for one may give up apart.
const gaveUpWithin = 10 * time.Minute

// explainBehind lets the rank that the logs show as the one in which all others wait, or
// that they lost, explain how these ended.
func explainBehind(s *rule.JobContext, found []train.Finding) []train.Finding {
	job := s.Job
	return absorb(found, func(root, other *train.Finding) bool {
		if root.Cause != "one-rank-behind" || len(root.Ranks) != 1 || root.RootRank != root.Ranks[0] || other.Severity == train.SeverityInfo {
			return false
		}
		if endedWhileBehind(root, other) {
			nameHung(root)
			root.Evidence = firstEvidence(append(root.Evidence, other.Evidence...))
			return true
		}
		if !fromOtherRanks[other.Cause] {
			return false
		}
		if slices.Contains(other.Ranks, root.RootRank) || 2*len(other.Ranks) <= len(job.Ranks) || other.Since.Sub(root.Since).Abs() > gaveUpWithin {
			return false
		}
		if slices.ContainsFunc(job.Ranks, func(r train.Rank) bool {
			return r.Index == root.RootRank && (r.State == train.RankRunning || endOf(&r).After(other.Since))
		}) {
			nameHung(root)
		}
		root.Evidence = firstEvidence(append(root.Evidence, other.Evidence...))
		return true
	})
}

// endedWhileBehind reports whether a finding is only that the rank for which the others waited was
// killed, after they had given up: it hung, and did not end when it was asked to.
func endedWhileBehind(root, other *train.Finding) bool {
	return other.Cause == "sigkill-received" && slices.Equal(other.Ranks, root.Ranks) && !root.Since.IsZero() && other.Since.After(root.Since) &&
		other.Since.Sub(root.Since) <= gaveUpWithin && !slices.ContainsFunc(other.Evidence, func(e train.Evidence) bool { return e.Kind == train.EvidenceLog })
}

// nameHung reports that a rank whose log ends first hung: its container ran longer than those
// of the others.
func nameHung(f *train.Finding) {
	f.Title = strings.Replace(f.Title, "ended first, and all", "prints nothing more, and all", 1)
}

// lostThrough reports whether one finding is the loss of the rank whose own end
// the other one is.
func lostThrough(s *rule.JobContext, root, other *train.Finding) bool {
	if !isOwnEnd(root) || !reportsLoss(other) || root.Since.IsZero() || other.Since.IsZero() {
		return false
	}
	end := lastEnd(s, root)
	if end.After(other.Since.Add(clocksDiffer)) {
		end = root.Since
	}
	within := collectiveGivesUp
	if root.Severity != train.SeverityError {
		within = restartedGivesUp
	}
	waited := other.Since.Sub(end)
	return waited >= -clocksDiffer && waited <= within && saidByOthers(s, root, other)
}

// isOwnEnd reports whether a finding is the end of a rank, shown by its status.
func isOwnEnd(f *train.Finding) bool {
	return ownEnds[f.Cause] && len(f.Ranks) > 0 && slices.ContainsFunc(f.Evidence, func(e train.Evidence) bool { return e.Kind == train.EvidenceStatus })
}

// reportsLoss reports whether a finding rests on lines about another rank.
func reportsLoss(f *train.Finding) bool {
	if fromOtherRanks[f.Cause] && f.Cause != "abort-sigabrt" || peerLosses[f.Cause] {
		return true
	}
	if f.Cause != "python-exception" && f.Cause != "application-error" && f.Cause != "abort-sigabrt" {
		return false
	}
	lines := 0
	for i := range f.Evidence {
		if e := &f.Evidence[i]; e.Kind == train.EvidenceLog {
			if lines++; !peerLossText.MatchString(e.Text) {
				return false
			}
		}
	}
	return lines > 0
}

// lastEnd returns the newest end among the evidence of a finding.
func lastEnd(s *rule.JobContext, f *train.Finding) time.Time {
	at := f.Since
	for i := range f.Evidence {
		if e := &f.Evidence[i]; e.Kind == train.EvidenceStatus && e.Time.After(at) && !e.Time.After(s.Now) {
			at = e.Time
		}
	}
	return at
}

// saidByOthers reports whether no line of a finding is of a pod that the other
// one reports the end of.
func saidByOthers(s *rule.JobContext, root, other *train.Finding) bool {
	ended := map[string]bool{}
	for i := range s.Job.Ranks {
		if r := &s.Job.Ranks[i]; slices.Contains(root.Ranks, r.Index) {
			ended[r.Pod] = true
		}
	}
	for i := range root.Evidence {
		if e := &root.Evidence[i]; e.Object.Kind == "Pod" {
			ended[e.Object.Name] = true
		}
	}
	lines := 0
	for i := range other.Evidence {
		e := &other.Evidence[i]
		pod := e.Stream.Pod
		if pod == "" && e.Object.Kind == kinds.PodKind.Kind {
			pod = e.Object.Name
		}
		if ended[pod] {
			return false
		}
		if e.Kind == train.EvidenceLog {
			lines++
		}
	}
	return lines > 0
}

// crashes are ends by a signal, which a broken device may have caused.
var crashes = map[train.Cause]bool{
	"segfault": true, "abort-sigabrt": true, "sigkill-received": true, "bus-error": true,
}

// faultBefore is how long before a crash a fault of a device may have come, and
// faultAfter by how much an agent may report it later.
const (
	faultBefore = 10 * time.Minute
	faultAfter  = time.Minute
)

// explainCrashes lets a fault of broken hardware explain the crash by a signal
// of the ranks on that node shortly after it.
func explainCrashes(found []train.Finding) []train.Finding {
	return absorb(found, func(root, other *train.Finding) bool {
		if !deviceCauses[root.Cause] || !crashes[other.Cause] || len(other.Ranks) == 0 || !fromNode(root) {
			return false
		}
		for _, rank := range other.Ranks {
			if !slices.Contains(root.Ranks, rank) {
				return false
			}
		}
		waited := other.Since.Sub(root.Since)
		if waited > faultBefore || waited < -faultAfter {
			return false
		}
		root.Explanation += fmt.Sprintf(" What ended: %s.", other.Title)
		root.Evidence = firstEvidence(append(root.Evidence, other.Evidence...))
		return true
	})
}

// fromNode reports whether a finding is what a node reports: a fatal fault.
func fromNode(f *train.Finding) bool {
	return slices.ContainsFunc(f.Evidence, func(e train.Evidence) bool { return e.Object.Kind == kinds.NodeKind.Kind && isFatalFault(e.Text) })
}

// withoutRepeats removes from what findings explain those that are shown as
// findings of their own: a cause is one or the other.
func withoutRepeats(found []train.Finding) []train.Finding {
	var kept []train.Finding
	for _, f := range found {
		explained := slices.ContainsFunc(kept, func(root train.Finding) bool { return slices.Contains(root.Hides, f.Cause) })
		if explained && (fromOtherRanks[f.Cause] || peerLosses[f.Cause]) {
			continue
		}
		kept = append(kept, f)
	}
	for i := range kept {
		kept[i].Hides = slices.DeleteFunc(kept[i].Hides, func(c train.Cause) bool {
			return slices.ContainsFunc(kept, func(f train.Finding) bool { return f.Cause == c })
		})
	}
	return kept
}
