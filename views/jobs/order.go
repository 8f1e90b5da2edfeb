package jobs

import (
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/train"
)

// needsYou is the first order, which the header names the first job of.
func (v *View) needsYou(a, b *train.Job) int {
	return diagnose.CompareNeed(a, v.need(a), b, v.need(b))
}

// need is how urgently a row needs a person, "" for not at all: the header counts
// those that do.
func (v *View) need(j *train.Job) train.Severity {
	if v.idle.shown[j.ID] {
		return train.SeverityWarning
	}
	return v.facts.Need(j)
}

func (v *View) needsPerson(j *train.Job) bool { return v.need(j) != "" }
