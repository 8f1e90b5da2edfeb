package views

import "github.com/traintop/traintop/train"

// ShowsTraining reports whether the frame shows a job, and the job is training
// or known by its log alone: what a diagnosis of all is about.
func (f Frame) ShowsTraining(job *train.Job) bool {
	return (job.Training || job.LogsOnly) && f.Shows(job)
}
