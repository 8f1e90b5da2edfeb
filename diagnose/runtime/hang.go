package runtime

import (
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var hangNoOutput = rule.Cause{
	ID: HangCause, Stage: train.StageProgress, OverTime: true,
	Words: logfindings.Words{
		Title:   "No progress",
		Meaning: "All ranks run, but none makes a step or prints a line, for far longer than usual.",
		Fix: "Take a stack of each rank. $ py-spy dump --pid 1\n" +
			"Set TORCH_NCCL_TRACE_BUFFER_SIZE for the next run, so that PyTorch's flight recorder writes dumps; traintop reads them.",
	},
	Evidence: "The newest line is older than ten usual steps, five minutes and the pauses before; GPUs at 100 % with low power, or at 0 %.",
	Hides:    []train.Cause{"low-gpu-utilisation", "slow-gpu", "straggler", "dataloader-bound"},

	Find: hangs,
}

// HangCause is the cause of a job that hangs.
const HangCause train.Cause = "hang-no-output"

const (
	// hangLeast is the least silence that is a hang. Where the last line
	// announces something slow (a first step, a checkpoint, an evaluation) it
	// is hangLong: a first step of 13 minutes is on record (BigScience's
	// chronicles of tr11-176B).
	hangLeast = 5 * time.Minute
	hangLong  = 30 * time.Minute
	// pauseGrows is how much longer than the longest before a pause may be, as of an
	// evaluation that prints nothing.
	pauseGrows = 10 * time.Minute
	// hangRestarted is the least silence that is a hang of a job of which a rank was restarted
	// and has printed no step yet, startsAgain how many times as long as the first start a
	// restart may take: it also reads a checkpoint.
	hangRestarted = 10 * time.Minute
	startsAgain   = 3
	// hangAgain is how often a silence is checked again.
	hangAgain = time.Minute
)

// hangs finds a job whose ranks all run, and which is silent for far longer
// than between two steps since the youngest rank began.
func hangs(s *rule.JobContext) []train.Finding {
	speakers := withoutEnded(s, s.LiveLogs())
	switch {
	case s.Job.Phase != train.Running:
		s.CheckSkipped("the job does not run")
		return nil
	case len(speakers) == 0 && s.Opening:
		s.MayHang = mayHang(s)
		s.CheckUnknown("its logs were opened a moment ago, and older lines may still be coming")
		return nil
	case len(speakers) == 0:
		return silentFiles(s)
	}
	began, all := allRun(s)
	if !all {
		s.CheckSkipped("not every rank runs")
		return nil
	}
	last := newestOf(speakers)
	if !s.OlderThan(Later(last.Newest, began), hangLeast) {
		s.CheckPassed("lines came within the last five minutes")
		return nil
	}
	s.Deps.NoteDue(s.Now.Add(hangAgain))
	return silence(s, &last, speakers)
}

// silentFiles finds a job whose ranks all run and whose logs, which are files, end far
// longer before the newest time of its objects than a step takes. They may have been
// copied before the objects were, so that it is not known whether the job hangs.
func silentFiles(s *rule.JobContext) []train.Finding {
	s.CheckUnknown(Unfollowed)
	files, whole := rule.EndedFiles(s)
	began, all := allRun(s)
	if len(files) == 0 || !whole || !all {
		return nil
	}
	last := newestOf(files)
	if !s.OlderThan(Later(last.Newest, began), hangLeast) {
		return nil
	}
	found := silence(s, &last, files)
	if len(found) == 0 {
		s.CheckUnknown(Unfollowed)
		return nil
	}
	f := &found[0]
	f.Severity, f.Confidence, f.RootRank = train.SeverityInfo, train.Possible, -1
	f.Title = fmt.Sprintf("The logs that were read end at %s (UTC), %s before what else was read of the job", last.Newest.UTC().Format("15:04:05"), termtext.Duration(s.Now.Sub(last.Newest)))
	f.Explanation = "All ranks run. Either no line has come since, and the job hangs, or its logs were copied earlier than its objects: files do not say which."
	return found[:1]
}

// Unfollowed is why it is not known whether a job hangs.
const Unfollowed = "no log of the job is followed"

// mayHang reports whether the logs that were opened a moment ago would be a hang
// if no newer line came.
func mayHang(s *rule.JobContext) bool {
	opened := withoutEnded(s, s.Opened)
	began, all := allRun(s)
	if len(opened) == 0 || !all {
		return false
	}
	last := newestOf(opened)
	return s.OlderThan(Later(last.Newest, began), hangLeast) && len(silence(s, &last, opened)) > 0
}

// newestOf returns the log with the newest line.
func newestOf(logs []rule.LiveLog) rule.LiveLog {
	return slices.MaxFunc(logs, func(a, b rule.LiveLog) int { return a.Newest.Compare(b.Newest) })
}

// allRun returns when the youngest rank began, and whether all of them run.
func allRun(s *rule.JobContext) (began time.Time, all bool) {
	began = s.Job.Started
	for i := range s.Job.Ranks {
		r := &s.Job.Ranks[i]
		switch r.State {
		case train.RankRunning:
			began = Later(began, r.Since)
		case train.RankSucceeded:
		default:
			return began, false
		}
	}
	return began, true
}

// partOfSilence returns what is known of a silence where the newest line of
// some ranks is not: they may still print.
func partOfSilence(f train.Finding, last *rule.LiveLog, unread []int) train.Finding {
	of := termtext.Ranks(unread)
	f.Severity, f.Confidence = train.SeverityInfo, train.Possible
	f.Title = fmt.Sprintf("The logs that were read are silent since %s (UTC), and what %s printed since is not known", last.Newest.UTC().Format("15:04:05"), of)
	f.Explanation = "All ranks run. Whether the job hangs shows only the log of " + of + ", which was not read, broke off or is empty."
	return f
}

// unreadRanks returns the running ranks whose newest line is not known though
// their logs were tried: they were refused, broke off or are empty, and may
// print elsewhere. A log that nobody asked for, or no longer follows, counts
// as none.
func unreadRanks(s *rule.JobContext, speakers []rule.LiveLog) []int {
	var unread []int
	for i := range s.Job.Ranks {
		r := &s.Job.Ranks[i]
		log := s.RankLog(s.Job, i)
		if r.State != train.RankRunning || log == nil || slices.ContainsFunc(speakers, func(v rule.LiveLog) bool { return v.Rank == r }) {
			continue
		}
		if log.Status.State != train.StreamStopped || log.Lines.Len() == 0 {
			unread = append(unread, r.Index)
		}
	}
	return unread
}

func Later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// silence examines a silence that has lasted for hangLeast.
func silence(s *rule.JobContext, last *rule.LiveLog, speakers []rule.LiveLog) []train.Finding {
	run := s.Run(s.Job)
	why, limit := patience(s, run, last)
	waited := s.Now.Sub(last.Newest)
	switch {
	case isDone(s, run, speakers):
		s.CheckPassed("the log says that training is over")
		return nil
	case waited < limit:
		s.CheckPassed("silent, but " + why)
		return nil
	}
	if works, power := stillComputes(s, last.Newest); works {
		s.CheckPassed("no line comes, but the GPUs compute (" + power + "): the program's output is held back in a buffer")
		return nil
	}
	f := hang(s, run, stepping(speakers, last), why, speakers)
	if unread := unreadRanks(s, speakers); len(unread) > 0 {
		return []train.Finding{partOfSilence(f, last, unread)}
	}
	if !doubtClock(s, &f, last, limit) {
		nameBehind(s, &f, speakers)
	}
	found := []train.Finding{f}
	if stuck, is := stuckStorage(s); is {
		found = append(found, stuck)
	}
	return found
}

// doubtClock calls a silence possible that may be none: the clocks of this machine and of
// the API server differ by as much, no line shows which of them the node agrees with, and
// the log was not followed for as long.
func doubtClock(s *rule.JobContext, f *train.Finding, last *rule.LiveLog, limit time.Duration) bool {
	status := &last.Log.Status
	if status.ClocksDiffer == 0 || s.Now.Sub(last.Newest)-status.ClocksDiffer >= limit || status.State == train.StreamLive && s.OlderThan(status.Since, limit) {
		return false
	}
	f.Severity, f.Confidence = train.SeverityWarning, train.Possible
	f.Explanation += fmt.Sprintf(" The clocks of this machine and of the API server differ by %s, and which of them the node's agrees with is not known: the line may have come just now.", termtext.Duration(status.ClocksDiffer))
	return true
}

// patience returns how long silence is usual, and a sentence that explains why.
func patience(s *rule.JobContext, run *series.Run, last *rule.LiveLog) (why string, limit time.Duration) {
	usual, pause := time.Duration(0), time.Duration(0)
	if run != nil {
		usual, pause = run.Patience(), run.Pause()+min(run.Pause()/2, pauseGrows)
	}
	switch steps := len(last.Log.Samples.Rows); {
	case rule.HasAny(last.Log.Lines.Plain(last.Log.Lines.Len()-1), slowWords...):
		return "The last line tells of what may take long, though rarely as long as this", max(hangLong, usual)
	case steps == 0:
		if took := startTook(s); took > 0 {
			return "The first step came " + termtext.Duration(took) + " after the start before, and now none has come for far longer", min(max(hangRestarted, startsAgain*took), hangLong)
		}
		return "No step has been printed yet, and the first may take long", hangLong
	case steps < 5 || usual == 0:
		return "Only few steps have been printed, and the first ones may take long", hangLong
	case pause > max(hangLeast, usual):
		return "The job has paused for " + termtext.Duration(run.Pause()) + " before, and went on", pause
	}
	return "Before, lines came at least every " + termtext.Duration(usual), max(hangLeast, usual)
}

// startTook returns how long after the start of a container its first step came, in the rank and
// the attempt in which that took longest; 0 where it is not known.
func startTook(s *rule.JobContext) (longest time.Duration) {
	for i := range s.Job.Ranks {
		for _, log := range s.RankLogs(s.Job, i) {
			if len(log.Samples.Rows) == 0 || log.Samples.Rows[0].Time == 0 {
				continue
			}
			first, began := time.Unix(0, log.Samples.Rows[0].Time), time.Time{}
			for k := range s.Job.Ranks[i].Attempts {
				if at := s.Job.Ranks[i].Attempts[k].Started; !at.After(first) {
					began = Later(began, at)
				}
			}
			if !began.IsZero() {
				longest = max(longest, first.Sub(began))
			}
		}
	}
	return longest
}

// stepping returns the log with the newest line where it has a step, or else the newest of those
// that have: of a rank that was just restarted no step is known.
func stepping(logs []rule.LiveLog, last *rule.LiveLog) *rule.LiveLog {
	if len(last.Log.Samples.Rows) > 0 {
		return last
	}
	newest := last
	for i := range logs {
		if len(logs[i].Log.Samples.Rows) > 0 && (newest == last || logs[i].Newest.After(newest.Newest)) {
			newest = &logs[i]
		}
	}
	return newest
}

// slowWords occur in lines after which silence is usual.
var slowWords = []string{
	"checkpoint", "saving", "saved", "save_", "eval", "valid", "generat", "compil", "warmup", "warming", "download", "tokeniz", "preprocess", "loading", "building",
}

// hang returns the finding about the whole job.
func hang(s *rule.JobContext, run *series.Run, last *rule.LiveLog, why string, speakers []rule.LiveLog) train.Finding {
	f := s.NewFinding(train.SeverityError, last.Newest)
	f.Confidence, f.Explanation = train.Likely, s.Current.Meaning
	at := last.Newest.UTC().Format("15:04:05")
	f.Title = fmt.Sprintf("No rank has printed anything since %s (UTC): %s", at, unmoved(s, speakers))
	if step, known := last.LastStep(); known && run != nil {
		if rows := last.Log.Samples.Rows; len(rows) > 0 && rows[len(rows)-1].Time != 0 { // other lines may have come since
			at = time.Unix(0, rows[len(rows)-1].Time).UTC().Format("15:04:05")
		}
		f.Title = fmt.Sprintf("No step since %s (UTC), after %s: %s", at, stepName(last, step), unmoved(s, speakers))
	} else {
		f.Severity, f.Confidence = train.SeverityWarning, train.Possible // it may train and print nothing
	}
	f.Explanation += " " + why + "."
	f.Evidence = append(f.Evidence, s.LastLine(last))
	addPower(s, &f, last.Newest)
	nameEnded(s, &f)
	f.Next = stackSteps(s, last.Rank)
	f.Verify = "New lines come, and the step number goes up."
	return f
}

// unmoved reports for how many logs a silence is known.
func unmoved(s *rule.JobContext, speakers []rule.LiveLog) string {
	running, read := 0, map[*train.Rank]bool{}
	for i := range speakers {
		read[speakers[i].Rank] = true
	}
	for i := range s.Job.Ranks {
		if s.Job.Ranks[i].State == train.RankRunning {
			running++
		}
	}
	if running < 2 {
		return "its log has not moved, and it runs"
	}
	return fmt.Sprintf("no log of %d of %d ranks has moved, and all of them run", len(read), max(running, len(read)))
}

func stepName(v *rule.LiveLog, step float64) string {
	switch v.Log.Samples.Unit {
	case series.UnitEpochs:
		return "epoch " + rule.Number(step)
	case series.UnitSamples:
		return "line " + rule.Number(float64(v.Log.Samples.Rows[len(v.Log.Samples.Rows)-1].Line))
	}
	return "step " + rule.Number(step)
}

// stackSteps returns steps that show where a rank hangs.
func stackSteps(s *rule.JobContext, r *train.Rank) []train.Step {
	arguments := []string{"kubectl", "exec", "-n", r.Namespace, r.Pod}
	if r.Container != "" {
		arguments = append(arguments, "-c", r.Container)
	}
	name := rule.RankName(r)
	stack := rule.Run("Take a stack of "+name+", and then of the others; the rank that is not inside a collective is the one they wait for. py-spy has to be in the image.",
		append(slices.Clone(arguments), "--", "sh", "-c", "py-spy dump --pid $(pgrep -o python)")...)
	stack.Probe = "python-stack"
	return []train.Step{
		rule.Look("See whether the GPUs of "+name+" compute: use without power is waiting.", append(slices.Clone(arguments), "--", "nvidia-smi")...),
		stack,
		rule.Do("For the next run set TORCH_NCCL_TRACE_BUFFER_SIZE=2000 and TORCH_NCCL_DUMP_ON_TIMEOUT=1, so that PyTorch's flight recorder names the collective; traintop diagnose --from FOLDER reads its dumps (/tmp/nccl_trace_rank_* of each pod, ~/.cache/torch/comm_lib_trace_rank_* in newer releases)."),
	}
}
