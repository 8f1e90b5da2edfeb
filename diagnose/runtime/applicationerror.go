package runtime

import (
	"cmp"
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var applicationError = rule.Cause{
	ID: "application-error", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "The program ended with an error",
		Meaning: "A container ended with an error of its own, and neither its status nor a log that was read says more.",
		Fix:     "Read the container's log; if it was restarted, the log from before the restart. $ kubectl logs --previous",
	},
	Evidence: "Container state terminated with a non-zero exit code and reason Error.",
	Hides:    []train.Cause{"backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed"},

	MatchesEnd: func(f *rule.Failure) bool { return true },
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		if match.Failure == nil {
			return
		}
		end := match.Failure
		said := end.Hit != nil && end.SaysWhy()
		switch {
		case said:
			// the program's last line is the title
		case end.LastWords != "":
			f.Title = fmt.Sprintf("%s ended with exit code %d, and its log with: %s", s.RanksOf(f), end.Code, end.LastWords)
		default:
			f.Title = fmt.Sprintf("%s ended with exit code %d", s.RanksOf(f), end.Code)
		}
		if end.Code < 0 {
			f.Title = fmt.Sprintf("%s failed: %s", s.RanksOf(f), cmp.Or(end.Message, end.Reason, "no reason is given"))
		}
		if f.Explanation = exitMeaning(end.Code); end.LastWords == "" {
			f.Explanation += s.SilentLogs()
		}
		if end.Pod != nil {
			f.Explanation += fmt.Sprintf(" Its restart policy is %s.", restartPolicy(end))
		}
		if n := int(restarts(end)); n > 1 {
			f.Title += fmt.Sprintf(", %d times so far", n)
		}
		if neverRan(end) {
			f.Title = fmt.Sprintf("The node cannot start container %s of %s: %s", end.Container, s.RanksOf(f), end.Message)
			f.Confidence = train.Likely
			f.Next = []train.Step{rule.Do("Read the message of the container runtime. If it names something in the job's manifest or image, correct it there; if not, look at the node's container runtime."), s.ShowStep(match)}
			return
		}
		f.Next = []train.Step{s.ShowStep(match), rule.Do("Run with TORCH_SHOW_CPP_STACKTRACES=1 and an error file (torchrun's @record) if the log says too little.")}
		if f.Confidence = train.Possible; end.SaysWhy() {
			f.Confidence = train.Likely
		}
	},
}

// neverRan reports an end of a container that the runtime could not start, with
// its words (kubelet's convertToAPIContainerStatuses, containerd and dockershim).
func neverRan(f *rule.Failure) bool {
	return (f.Reason == "StartError" || f.Reason == "ContainerCannotRun") && f.Message != ""
}

// restartPolicy returns that of the container that ended: a native sidecar has
// one of its own, whatever that of its pod.
func restartPolicy(f *rule.Failure) string {
	if kinds.IsNativeSidecar(f.Pod.Pod, f.Container) {
		return "Always"
	}
	return cmp.Or(string(f.Pod.Spec.RestartPolicy), "not known")
}

func restarts(f *rule.Failure) int32 {
	if f.Pod == nil {
		return 0
	}
	if now := rule.StatusNow(f); now != nil {
		return now.RestartCount
	}
	return 0
}

// exitMeaning returns what shells and container runtimes mean by an exit code.
func exitMeaning(code int) string {
	switch {
	case code < 0:
		return "The pod failed without a container having run."
	case code == 1:
		return "Exit code 1 is an error of the program itself."
	case code == 2:
		return "Exit code 2 is wrong usage: an option or argument that the program does not know."
	case code == 128:
		return "Exit code 128 means that the container could not be started."
	case code == 135:
		return "Exit code 135 means that signal 7 (SIGBUS) ended it. " + logfindings.BusErrorMeaning
	case code == 255:
		return "Exit code 255 is an error of unknown kind, or of ssh."
	case code > 128 && code < 160:
		return fmt.Sprintf("Exit code %d means that signal %d ended it.", code, code-128)
	}
	return fmt.Sprintf("Exit code %d is the program's own.", code)
}
