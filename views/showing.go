package views

import "github.com/traintop/traintop/train"

// ShowsTraining reports whether the frame shows a job, and the job is training
// or known by its log alone: those are the jobs in a diagnosis of all.
func (f Frame) ShowsTraining(job *train.Job) bool {
	return (job.Training || job.LogsOnly) && f.Shows(job)
}

// Diagnosed replaces an effect that opens a job with one that opens its
// diagnosis, or a notice where there is no job.
func Diagnosed(to Effect) Effect {
	switch e := to.(type) {
	case OpenScreen:
		if about, is := e.Route.(AboutJob); is && about.JobID() != "" {
			return OpenScreen{Route: DiagnosisRoute{Job: about.JobID()}}
		}
	case Notice:
		return e
	}
	return Notice{Text: "no training job is behind this row", Failed: true}
}
