package views

import "github.com/traintop/traintop/train"

// ShowsTraining reports whether the frame shows a job, and the job is training
// or known by its log alone: what a diagnosis of all is about.
func (f Frame) ShowsTraining(job *train.Job) bool {
	return (job.Training || job.LogsOnly) && f.Shows(job)
}

// Diagnosed leads to the diagnosis of the job that an effect leads to, and
// says so where that is none.
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
