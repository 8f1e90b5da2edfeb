package signals

import "github.com/traintop/traintop/train"

// rule is one row of the table. gpu, job and node examine one GPU with its
// history, all GPUs of a running job, or one node; a rule may have several.
type rule struct {
	kind string
	// word is what screens show, where the signal has no better one.
	word    string
	cause   train.Cause
	meaning string
	limits  []Limit

	gpu  func(*gpu) (Signal, bool)
	job  func(*job) []Signal
	node func(*node) []Signal
	// stale is true for what stays true when the numbers are old: a counted
	// error does not go away because counting stopped.
	stale bool
	// board is true for what is wrong with the board as a whole, which exporters report
	// without the pods that hold its MIG slices: each of them has the signal too.
	board bool
	// together returns the sentence for several GPUs of one job; nil uses that
	// of the worst one and counts the others.
	together func(*job, []Signal) string
	// hides are kinds that the rule's signal explains: a job with the signal
	// does not report them.
	hides []string
}

// noCause means that a signal indicates no cause although its rule does.
const noCause train.Cause = "-"

// table returns all rules. Of equally severe signals the one of the earlier
// rule is the worse.
func table() []rule {
	return []rule{
		missingRule(), xidRule(), eccRule(), remapRule(), unhealthyRule(),
		spinningRule(), slowRule(), throttledRule(), hotRule(), nvlinkRule(), rdmaRule(), pcieRule(),
		idleRule(), starvedRule(), cpuThrottledRule(), pressedRule(), networkRule(), lowRule(), unheldRule(),
		fullRule(), profilingRule(), staleRule(),
	}
}
