package diagnose

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

// fromLogs are findings of what the logs of ranks say that no end of a
// container tells: a loss that is no number, ranks that wait for another, an
// error after which nothing more came.
func (s *jobContext) fromLogs() []train.Finding {
	found := logs.Find(s.Snapshot, s.job, s.causes.words)
	for i := range found {
		s.completeLog(&found[i])
	}
	return found
}

// diagnoseLogs answers for a job of log files alone: there is nothing to look
// at but texts, and package logs has put them in order.
func diagnoseLogs(w *pass, job *train.Job, course *trends) *Answer {
	s := newSubject(w.clusterContext, job)
	n := newAnswerInputs(w, s, course)
	return &Answer{Findings: s.fromLogs(), seen: n}
}

// completeLog adds to a finding of logs what the list of causes knows.
func (s *jobContext) completeLog(f *train.Finding) {
	c := s.causes.of(f.Cause)
	if c == nil {
		return
	}
	f.Stage, f.Verify = c.stage, verifyOf(c.stage)
	if f.Explanation == "" {
		f.Explanation = c.meaning
	}
	for i := range f.Evidence {
		if e := &f.Evidence[i]; e.Object.Kind == "" && e.Stream.Pod != "" {
			e.Object = coreRef("Pod", e.Stream.Namespace, e.Stream.Pod)
		}
	}
	s.explainLostPeer(f)
	if len(f.Next) == 0 && c.fix != "" {
		f.Next = []train.Step{do(c.fix)}
	}
}

// explainLostPeer names the rank to which a connection was lost, by the pod's name
// or address in the line, and how to read why it went: its own log tells.
func (s *jobContext) explainLostPeer(f *train.Finding) {
	if f.Cause != "nccl-connection-lost" && f.Cause != "gloo-connection-lost" && f.Cause != "mpi-worker-lost" {
		return
	}
	for i := range f.Evidence {
		if r := s.peerIn(f.Evidence[i].Text); r != nil && r.Index != f.Evidence[i].Rank {
			f.Explanation += fmt.Sprintf(" The lost rank is %s (pod %s).", rankName(r), r.Pod)
			f.Next = append([]train.Step{
				look("Read the end of its log: it failed first, and says why.", "kubectl", "logs", "-n", r.Namespace, r.Pod, "--tail=100"),
				look("See how its pod ended.", kubectl("describe", coreRef("Pod", r.Namespace, r.Pod))...),
			}, f.Next...)
			return
		}
	}
}

// peerIn is the rank whose pod a text names, nil for none.
func (s *jobContext) peerIn(text string) *train.Rank {
	for i := range s.job.Ranks {
		r := &s.job.Ranks[i]
		if r.Pod == "" {
			continue
		}
		names := []string{r.Pod}
		if pod := s.Pod(r.Namespace, r.Pod); pod != nil && pod.Status.PodIP != "" {
			names = append(names, pod.Status.PodIP)
		}
		for _, name := range names {
			if standsIn(text, name) {
				return r
			}
		}
	}
	return nil
}

// standsIn reports whether a name stands in a text as a whole: train-1 does not
// stand in train-10.
func standsIn(text, name string) bool {
	part := func(at int) bool {
		return at >= 0 && at < len(text) && (text[at] >= '0' && text[at] <= '9' || text[at] >= 'a' && text[at] <= 'z' || text[at] == '-')
	}
	for from := 0; ; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return false
		}
		at += from
		if !part(at-1) && !part(at+len(name)) {
			return true
		}
		from = at + 1
	}
}
