package jobmetrics

import (
	"cmp"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// longestLabel is the length of a label's value, in letters: that of the longest
// names of Kubernetes.
const longestLabel = 253

// label makes a text from the cluster a label's value: valid UTF-8 on one line,
// of bounded length.
func label(text string) string { return termtext.Form{Most: longestLabel}.Of(text) }

// logLabel makes a text from a log a label's value; a secret in it is masked.
func logLabel(text string) string { return label(redact.Text(text)) }

// kindOf is the kind of a job as a label, spelled as in the job's name.
func kindOf(ref train.Ref) string {
	return label(ref.KindName())
}

// queueOf is the name of a job's queue as the job list shows it, "" without one.
func queueOf(job *train.Job) string {
	if job.Queue == nil {
		return ""
	}
	return label(cmp.Or(job.Queue.Name, job.Queue.ClusterQueue))
}
