package diagnose

import (
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/train"
)

var hangNoOutput = cause{
	id: "hang-no-output", stage: train.StageProgress, overTime: true,
	meaning:  "All ranks run and nothing happens: no step, no line, for far longer than usual.",
	evidence: "The newest line is older than ten usual steps and five minutes; GPUs at 100 % with low power, or at 0 %.",
	fix:      "Take a stack of each rank with py-spy; set TORCH_NCCL_TRACE_BUFFER_SIZE for the next run, so that PyTorch's flight recorder tells; traintop reads its dumps.",
	text: logs.Words{
		Title:   "No progress",
		Meaning: "All still run, and no step is made.",
		Fix:     "Take a stack of each rank. $ py-spy dump --pid 1",
	},
	hides: []train.Cause{"low-gpu-utilisation", "slow-gpu", "straggler", "dataloader-bound"},

	find: hangs,
}

const (
	// hangLeast is the least silence that is a hang. Where the last line tells
	// of what takes long (a first step, a checkpoint, an evaluation) it is
	// hangLong: a first step of 13 minutes is on record (BigScience's
	// chronicles of tr11-176B).
	hangLeast = 5 * time.Minute
	hangLong  = 30 * time.Minute
	// hangAgain is how often a silence is looked at again.
	hangAgain = time.Minute
)

// hangs finds a job whose ranks all run, none of them anew, and which is
// silent for far longer than it was between two steps.
func hangs(s *jobContext) []train.Finding {
	speakers := s.liveLogs()
	switch {
	case s.job.Phase != train.Running:
		s.checkSkipped("the job does not run")
		return nil
	case len(speakers) == 0 && s.opening:
		s.checkUnknown("its logs were opened a moment ago, and older lines may still be coming")
		return nil
	case len(speakers) == 0:
		s.checkUnknown("no log of the job is followed")
		return nil
	}
	began, all := s.allRun()
	if !all {
		s.checkSkipped("not every rank runs")
		return nil
	}
	last := slices.MaxFunc(speakers, func(a, b liveLog) int { return a.newest.Compare(b.newest) })
	if !s.olderThan(later(last.newest, began), hangLeast) {
		s.checkPassed("lines came within the last five minutes")
		return nil
	}
	s.deps.until(s.now.Add(hangAgain))
	return s.silence(&last, speakers)
}

// allRun is when the youngest rank began, and whether all of them run.
func (s *jobContext) allRun() (began time.Time, all bool) {
	began = s.job.Started
	for i := range s.job.Ranks {
		r := &s.job.Ranks[i]
		switch r.State {
		case train.RankRunning:
			began = later(began, r.Since)
		case train.RankSucceeded:
		default:
			return began, false
		}
	}
	return began, true
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// silence judges one that has lasted for hangLeast.
func (s *jobContext) silence(last *liveLog, speakers []liveLog) []train.Finding {
	run := s.Run(s.job)
	why, limit := s.patience(run, last)
	waited := s.now.Sub(last.newest)
	switch {
	case isDone(run):
		s.checkPassed("the log says that training is over")
		return nil
	case waited < limit:
		s.checkPassed("silent, but " + why)
		return nil
	}
	if works, power := s.stillComputes(last.newest); works {
		s.checkPassed("no line comes, but the GPUs compute (" + power + "): the program's output is held back in a buffer")
		return nil
	}
	f := s.hang(run, last, why)
	s.nameBehind(&f, speakers)
	found := []train.Finding{f}
	if stuck, is := s.stuckStorage(); is {
		found = append(found, stuck)
	}
	return found
}

// isDone reports that training is over as far as the log tells.
func isDone(run *series.Run) bool {
	if run == nil {
		return false
	}
	o := &run.Outlook
	return slices.ContainsFunc(run.Marks, func(m train.Mark) bool { return m.Kind == train.MarkFinished }) ||
		o.TotalSteps > 0 && o.Step >= o.TotalSteps-1
}

// patience is how long silence is usual, and why.
func (s *jobContext) patience(run *series.Run, last *liveLog) (why string, limit time.Duration) {
	usual := time.Duration(0)
	if run != nil {
		usual = run.Patience()
	}
	switch steps := len(last.log.Samples.Rows); {
	case hasAny(last.log.Lines.Plain(last.log.Lines.Len()-1), slowWords...):
		return "the last line tells of what may take long", max(hangLong, usual)
	case steps == 0:
		return "no step has been printed yet, and the first may take long", hangLong
	case steps < 5 || usual == 0:
		return "only few steps have been printed, and the first ones may take long", hangLong
	}
	return "lines came at least every " + age(usual), max(hangLeast, usual)
}

// slowWords stand in lines after which silence is usual.
var slowWords = []string{
	"checkpoint", "saving", "saved", "save_", "eval", "valid", "generat", "compil", "warmup", "warming", "download", "tokeniz", "preprocess", "loading", "building",
}

// hang is the finding about the whole job.
func (s *jobContext) hang(run *series.Run, last *liveLog, why string) train.Finding {
	f := s.newFinding(train.SeverityError, last.newest)
	f.Confidence, f.Explanation = train.Likely, s.current.meaning
	at := last.newest.UTC().Format("15:04:05")
	f.Title = fmt.Sprintf("No rank has printed anything since %s (UTC), and all of them run", at)
	if step, known := last.lastStep(); known && run != nil {
		f.Title = fmt.Sprintf("No step since %s (UTC), after %s, and all ranks run", at, stepName(last, step))
		f.Explanation += " Before, " + why + "."
	} else {
		f.Severity, f.Confidence = train.SeverityWarning, train.Possible // it may train and print nothing
	}
	f.Evidence = append(f.Evidence, s.lastLine(last))
	s.addPower(&f, last.newest)
	f.Next = s.stackSteps(last.rank)
	f.Verify = "New lines come, and the step number goes up."
	return f
}

func stepName(v *liveLog, step float64) string {
	switch v.log.Samples.Unit {
	case series.UnitEpochs:
		return "epoch " + number(step)
	case series.UnitSamples:
		return "line " + number(float64(v.log.Samples.Rows[len(v.log.Samples.Rows)-1].Line))
	}
	return "step " + number(step)
}

// stackSteps are what tells where a rank stands.
func (s *jobContext) stackSteps(r *train.Rank) []train.Step {
	arguments := []string{"kubectl", "exec", "-n", r.Namespace, r.Pod}
	if r.Container != "" {
		arguments = append(arguments, "-c", r.Container)
	}
	name := rankName(r)
	stack := run("Take a stack of "+name+", and then of the others; the rank that is not inside a collective is the one they wait for. py-spy has to be in the image.",
		append(slices.Clone(arguments), "--", "sh", "-c", "py-spy dump --pid $(pgrep -o python)")...)
	stack.Probe = "python-stack"
	return []train.Step{
		look("See whether the GPUs of "+name+" compute: use without power is waiting.", append(slices.Clone(arguments), "--", "nvidia-smi")...),
		stack,
		do("For the next run set TORCH_NCCL_TRACE_BUFFER_SIZE=2000 and TORCH_NCCL_DUMP_ON_TIMEOUT=1, so that PyTorch's flight recorder names the collective; traintop diagnose --from FOLDER reads its dumps (/tmp/nccl_trace_rank_* of each pod, ~/.cache/torch/comm_lib_trace_rank_* in newer releases)."),
	}
}
