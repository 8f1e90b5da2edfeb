package diagnose

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// concluder builds the conclusion of one job.
type concluder struct {
	*pass
	job     *train.Job
	answer  *Answer
	logs    *logsRead
	missing []Missing
}

// conclusionSort is what the conclusion on a calm job depends on when none of
// its logs was requested.
type conclusionSort struct {
	phase                   train.Phase
	pods, gpus, measured    bool
	eventsKnown, podsListed bool
	readings                readings
}

// conclusionOf returns the conclusion on a job, shared by those that just run.
func (w *pass) conclusionOf(job *train.Job, answer *Answer) *Conclusion {
	answer.seen.faultyDevices = holdsFaultyDevices(w.ClusterContext, job)
	answer.seen.asked, answer.seen.unmeasured, answer.seen.readings = w.asked[job.ID], w.unmeasuredRanks(job), w.readingsBeside(job)
	if len(answer.Findings) > 0 || job.LogsOnly || job.Outlined || job.Gone || job.Restarts > 0 || w.JobLogsVersion(job.ID) != 0 ||
		w.asked[job.ID] != nil || len(w.probes[job.ID]) > 0 || withoutPods(job) || len(answer.seen.unmeasured) > 0 || w.endsUnnoticed(job, answer) || answer.seen.unknown != (unknownTrouble{}) || !healthy(w.ClusterContext, job, nil) || w.failedUnseen(job) > 0 {
		return w.conclude(job, answer)
	}
	sort := conclusionSort{
		phase: job.Phase, pods: slices.ContainsFunc(job.Ranks, func(r train.Rank) bool { return r.Pod != "" }),
		gpus: job.GPUs > 0, measured: w.JobMeasured(job.ID), eventsKnown: w.eventsKnown(job.Ref.Namespace),
		podsListed: w.Complete(kinds.PodKind, job.Ref.Namespace), readings: answer.seen.readings,
	}
	known := w.conclusions[sort]
	if known == nil {
		if w.conclusions == nil {
			w.conclusions = map[conclusionSort]*Conclusion{}
		}
		known = w.conclude(job, answer)
		w.conclusions[sort] = known
	}
	return known
}

func (w *pass) eventsKnown(namespace string) bool {
	return w.Count(kinds.EventKind) > 0 || w.Complete(kinds.EventKind, namespace)
}

// conclude returns the verdict on a job from its findings and checks, and from
// what was read and what was not.
func (w *pass) conclude(job *train.Job, answer *Answer) *Conclusion {
	c := &concluder{pass: w, job: job, answer: answer, logs: w.logsOf(job, answer)}
	c.collectMissing()
	verdict := c.verdict()
	return &Conclusion{Verdict: verdict, Sentence: c.sentence(verdict), LookedAt: c.lookedAt(), Missing: c.missing, LogsUnread: c.withoutLogs(), logsRead: len(c.logs.read), because: c.because()}
}

func (c *concluder) verdict() Verdict {
	switch {
	case c.job.Outlined:
		return NotEnoughRead
	case c.hasCause():
		return CauseFound
	case c.job.LogsOnly && c.hasHint():
		return NotEnoughRead
	case c.job.Phase == train.Succeeded && !c.job.LogsOnly:
		return NothingWrong
	case c.guess() != nil:
		return NotEnoughRead
	case c.unexplained() != nil, InTrouble(c.job), slices.ContainsFunc(c.missing, func(m Missing) bool { return m.decisive }):
		return NotEnoughRead
	}
	return NothingWrong
}

// hasCause reports whether a finding contains the reason for the job's state.
// That a process ended, or that something is slow, is no reason why a job
// failed.
func (c *concluder) hasCause() bool {
	return slices.ContainsFunc(c.answer.Findings, func(f train.Finding) bool {
		switch {
		case f.Severity == train.SeverityInfo, f.Severity != train.SeverityError && c.job.Phase == train.Failed:
			return false
		case f.Confidence == train.Possible:
			return false
		case f.Severity == train.SeverityWarning && c.job.LogsOnly && c.endGuessed():
			return false // it shows how the run went, and not why it ended
		case onlyEnds[f.Cause]:
			return saysWhy(&f)
		case fromOtherRanks[f.Cause], c.logs.troubledUnread && isOfRunningRanks(c.job, &f):
			return !c.logs.troubledUnread
		case f.Cause == initFails:
			return !c.logs.initLost
		case f.Cause == killed:
			return !c.logs.troubledUnread
		}
		return true
	})
}

// saysWhy reports whether a finding of an end rests on a text that contains
// the reason, not on an exit code alone.
func saysWhy(f *train.Finding) bool {
	return f.Cause == "application-error" && f.Confidence != train.Possible
}

// isUnexplained reports whether a finding reports that something ended, or the
// effect of another rank's end, and none contains the reason.
func isUnexplained(answer *Answer) bool {
	open := false
	for i := range answer.Findings {
		f := &answer.Findings[i]
		says := onlyEnds[f.Cause] && !saysWhy(f) || fromOtherRanks[f.Cause] || f.Cause == initFails || f.Cause == killed
		if f.Severity != train.SeverityInfo && !says {
			return false
		}
		open = open || f.Severity != train.SeverityInfo
	}
	return open
}

// onlyEnds are the causes that name an end without its reason, which the log
// contains.
var onlyEnds = map[train.Cause]bool{
	"application-error": true, "end-unknown": true, "backoff-limit-exceeded": true, "pod-failure-policy": true, "torchrun-child-failed": true, "restart-loop-waste": true,
}

// initFails reports that an init container fails, without the reason: its log
// contains it.
const initFails train.Cause = "init-container-failing"

// killed reports SIGKILL without who sent it: the exit code alone does not
// distinguish a kill for memory from a person's, and the last lines of the log may.
const killed train.Cause = "sigkill-received"

// hasHint reports whether a text hints at a cause, of which it does not state later
// that training is over: what a run survived is no hint.
func (c *concluder) hasHint() bool {
	return slices.ContainsFunc(c.answer.Findings, func(f train.Finding) bool {
		return f.Confidence == train.Possible && (f.Severity != train.SeverityInfo || !c.finishedAfter(&f))
	})
}

// finishedAfter reports whether the log of a finding's newest line states behind it
// that training is over.
func (c *concluder) finishedAfter(f *train.Finding) bool {
	if len(f.Evidence) == 0 {
		return false
	}
	newest := f.Evidence[len(f.Evidence)-1]
	if logfindings.Repeated(c.Snapshot, c.job)[newest.Stream] {
		return finished(c.Snapshot, c.job)
	}
	log := c.Snapshot.Log(newest.Stream)
	return log != nil && slices.ContainsFunc(log.Marks, func(m train.Mark) bool { return m.Kind == train.MarkFinished && m.Line > newest.Line })
}

// guess returns the first finding of trouble whose cause is only possible, nil
// where there is none: what was read does not prove it.
func (c *concluder) guess() *train.Finding {
	for i := range c.answer.Findings {
		if f := &c.answer.Findings[i]; f.Confidence == train.Possible && f.Severity != train.SeverityInfo && !onlyEnds[f.Cause] {
			return f
		}
	}
	return nil
}

// unexplained returns the first finding that is an error which nothing that was read
// explains, nil where there is none.
func (c *concluder) unexplained() *train.Finding {
	for i := range c.answer.Findings {
		if f := &c.answer.Findings[i]; f.Severity == train.SeverityError && onlyEnds[f.Cause] && !saysWhy(f) {
			return f
		}
	}
	return nil
}

// missingBefore adds the log of the container instance that ended without a word why, where
// the rank runs again and only its log since then was read.
func (c *concluder) missingBefore() {
	f := c.unexplained()
	if f == nil || c.hasCause() {
		return
	}
	for i := range f.Evidence {
		e := &f.Evidence[i]
		if e.Kind == train.EvidenceStatus && strings.HasSuffix(e.Field, ".lastState.terminated") && slices.Contains(c.logs.read, e.Rank) && isRunning(c.job, e.Rank) {
			m := c.missingLogs(c.job, &lostLogs{gap: gapBefore, trouble: true, ranks: []int{e.Rank}})
			m.decisive = true
			c.missing = append(c.missing, m)
			return
		}
	}
}

func isRunning(job *train.Job, rank int) bool {
	return slices.ContainsFunc(job.Ranks, func(r train.Rank) bool { return r.Index == rank && r.State == train.RankRunning })
}

// endGuessed reports whether the first finding is an end whose cause is only possible.
func (c *concluder) endGuessed() bool {
	first := &c.answer.Findings[0]
	return first.Severity == train.SeverityError && first.Confidence == train.Possible
}

// InTrouble reports whether a job or one of its ranks failed, or is restarted
// repeatedly.
func InTrouble(job *train.Job) bool {
	return job.Phase == train.Failed || job.Phase == train.Restarting ||
		job.Phase != train.Succeeded && slices.ContainsFunc(job.Ranks, func(r train.Rank) bool { return fails(&r) })
}

func fails(r *train.Rank) bool {
	return r.State == train.RankFailed || r.State == train.RankCrashing || r.State == train.RankLost
}

// troubled reports whether the log of a rank is always needed: it failed, or
// was restarted.
func troubled(r *train.Rank) bool { return fails(r) || r.Restarts > 0 }

// lacksRanks reports whether not all ranks of a job run.
func lacksRanks(job *train.Job) bool {
	return job.Phase == train.Pending || job.Phase == train.Queued || job.Phase == train.Running && job.Ready < job.Wanted
}

func (c *concluder) sentence(verdict Verdict) string {
	switch {
	case c.job.Outlined:
		return outlineOnly
	case verdict == CauseFound:
		return c.answer.Findings[0].Title
	case verdict == NotEnoughRead && c.guess() != nil:
		return "possible is: " + strings.TrimSuffix(c.guess().Title, ".") + "; it is not certain because " + c.because()
	case verdict == NotEnoughRead && InTrouble(c.job):
		return failureOf(c.job) + ", and why is not known because " + c.because() + c.statusSays()
	case verdict == NotEnoughRead && (c.logs.initLost || c.unexplained() != nil) && isUnexplained(c.answer):
		return strings.TrimSuffix(c.answer.Findings[0].Title, ".") + ", and why is not known because " + c.because()
	case verdict == NotEnoughRead:
		return "whether anything is wrong is not known because " + c.because()
	case c.job.LogsOnly && len(c.answer.Findings) > 0:
		return "what it tells of did not end it"
	case c.job.LogsOnly:
		return "no line of it tells of a failure that is known"
	}
	if c.withoutLogs() {
		return phaseText(c.job) + ", and none of its logs was read"
	}
	return phaseText(c.job)
}

// withoutLogs reports whether a job runs of which no log was read: it may hang.
func (c *concluder) withoutLogs() bool {
	return c.job.Phase == train.Running && !c.job.LogsOnly && len(c.logs.read) == 0
}

// failureOf returns what is known of a failure without its reason.
func failureOf(job *train.Job) string {
	switch job.Phase {
	case train.Failed:
		return "it failed"
	case train.Restarting:
		return "it is started again"
	}
	words := map[train.RankState]string{train.RankFailed: "failed", train.RankCrashing: "crashes again and again", train.RankLost: "is lost"}
	for i := range job.Ranks {
		if r := &job.Ranks[i]; fails(r) {
			return "rank " + termtext.RankRanges([]int{r.Index}) + " " + words[r.State]
		}
	}
	return "it failed"
}

// phaseText returns the state of a job that has no findings.
func phaseText(job *train.Job) string {
	if job.Phase.Terminal() {
		return "it has " + strings.ToLower(string(job.Phase))
	}
	return "it is " + strings.ToLower(string(job.Phase))
}

// becauseMost is how many reasons a sentence contains; the others are listed
// below it.
const becauseMost = 2

// because returns what is missing for a verdict, the decisive part first.
func (c *concluder) because() string {
	var why []string
	for _, decisive := range []bool{true, false} {
		for _, m := range c.missing {
			if m.decisive == decisive && (decisive || len(why) == 0 && InTrouble(c.job)) && len(why) < becauseMost {
				why = append(why, m.Why)
			}
		}
	}
	if len(why) == 0 {
		return "nothing that was read says it"
	}
	return strings.Join(why, ", and ")
}

// statusSays quotes the operator, which knows at least that the job ended.
func (c *concluder) statusSays() string {
	if c.job.Reason == "" {
		return ""
	}
	return "; its status says: " + strings.TrimSuffix(rule.Plain(c.job.Reason), ".")
}
