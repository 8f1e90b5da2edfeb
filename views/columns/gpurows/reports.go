package gpurows

import "github.com/traintop/traintop/diagnose"

// Reports numbers the diagnoses that a screen has received, so that it makes
// its rows again when there is a new one.
type Reports struct {
	last   *diagnose.Report
	number uint64
}

// Number is that of a diagnosis; it only grows.
func (r *Reports) Number(report *diagnose.Report) uint64 {
	if r.last != report {
		*r = Reports{report, r.number + 1}
	}
	return r.number
}
