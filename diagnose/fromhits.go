package diagnose

import (
	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

// fromLogs are findings of what the logs of ranks say that no end of a
// container tells: a loss that is no number, ranks that wait for another, an
// error after which nothing more came.
func (s *subject) fromLogs() []train.Finding {
	found := logs.Find(s.Snapshot, s.job)
	for i := range found {
		s.completeLog(&found[i])
	}
	return found
}

// diagnoseLogs answers for a job of log files alone: there is nothing to look
// at but texts, and package logs has put them in order.
func diagnoseLogs(w *world, job *train.Job, course *course) *Answer {
	s := newSubject(w, job)
	s.seen.course = course
	s.seen.hits = hitsOf(w.Snapshot, job)
	return &Answer{Findings: s.fromLogs(), seen: s.seen}
}

// completeLog adds to a finding of logs what the list of causes knows.
func (s *subject) completeLog(f *train.Finding) {
	c := s.list.of(f.Cause)
	if c == nil {
		return
	}
	f.Stage = c.stage
	if f.Explanation == "" {
		f.Explanation = c.meaning
	}
	for i := range f.Evidence {
		if e := &f.Evidence[i]; e.Object.Kind == "" && e.Stream.Pod != "" {
			e.Object = coreRef("Pod", e.Stream.Namespace, e.Stream.Pod)
		}
	}
	if len(f.Next) == 0 && c.fix != "" {
		f.Next = []train.Step{do(c.fix)}
	}
}
