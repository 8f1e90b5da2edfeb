package cli

import (
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/columns/comparison"
)

// compareAnswer is the output of `traintop compare -o json`. Scripts rely on it:
// fields are only ever added. Unknown facts are left out.
type compareAnswer struct {
	Runs []comparedAnswer `json:"runs"`
	// Step is where values are compared: the last that all runs have reached;
	// Unit is what it counts: step, epoch, sample.
	Step *number64 `json:"step,omitempty"`
	Unit string    `json:"unit,omitempty"`
	// Differences are the settings that are not the same in all runs.
	Differences []differenceAnswer `json:"differences"`
	Notes       []string           `json:"notes,omitempty"`
	Problems    []problemAnswer    `json:"problems,omitempty"`
}

type comparedAnswer struct {
	Job         string      `json:"job"`
	Phase       train.Phase `json:"phase,omitempty"`
	Step        *number64   `json:"step,omitempty"`
	TotalSteps  *number64   `json:"totalSteps,omitempty"`
	StepSeconds *number64   `json:"stepSeconds,omitempty"`
	Seconds     *number64   `json:"seconds,omitempty"`
	GPUs        int         `json:"gpus,omitempty"`
	GPUHours    *number64   `json:"gpuHours,omitempty"`
	Restarts    *int        `json:"restarts,omitempty"`
	Attempts    int         `json:"attempts,omitempty"`
	LostSteps   *number64   `json:"lostSteps,omitempty"`
	// Metrics are by name.
	Metrics map[string]statAnswer `json:"metrics"`
}

// statAnswer is what a run has of a metric. Best is left out for metrics that
// are neither better high nor low.
type statAnswer struct {
	Best *valueAnswer `json:"best,omitempty"`
	Last *valueAnswer `json:"last,omitempty"`
	// AtStep is the newest value at the step of the comparison.
	AtStep *valueAnswer `json:"atStep,omitempty"`
	Mean   *number64    `json:"mean,omitempty"`
}

type valueAnswer struct {
	Value number64 `json:"value"`
	Step  number64 `json:"step"`
}

// differenceAnswer is a setting; its values are in the order of the runs, null
// where a run does not have it.
type differenceAnswer struct {
	Name   string    `json:"name"`
	Values []*string `json:"values"`
}

func answerComparison(c *comparison.Comparison, problems []problemAnswer) compareAnswer {
	answer := compareAnswer{Runs: []comparedAnswer{}, Step: given(c.At), Differences: []differenceAnswer{}, Notes: c.Notes, Problems: problems}
	if answer.Step != nil {
		answer.Unit = c.Unit
	}
	for i := range c.Runs {
		answer.Runs = append(answer.Runs, answerRun(&c.Runs[i]))
	}
	for _, d := range c.Differences {
		one := differenceAnswer{Name: d.Name}
		for i := range d.Values {
			if d.Values[i] == "" {
				one.Values = append(one.Values, nil)
			} else {
				one.Values = append(one.Values, &d.Values[i])
			}
		}
		answer.Differences = append(answer.Differences, one)
	}
	return answer
}

func answerRun(r *comparison.Run) comparedAnswer {
	a := comparedAnswer{
		Job: r.Job.Ref.String(), Step: given(r.Step), TotalSteps: given(r.TotalSteps), GPUs: r.Job.GPUs,
		StepSeconds: positiveNumber(r.StepTime.Seconds()), Seconds: positiveNumber(r.Duration.Seconds()),
		GPUHours: given(r.GPUHours), Attempts: r.Attempts, LostSteps: positiveNumber(r.LostSteps), Metrics: map[string]statAnswer{},
	}
	if !r.Job.LogsOnly {
		a.Phase, a.Restarts = r.Job.Phase, &r.Job.Restarts
	}
	for metric, s := range r.Stats {
		a.Metrics[metric] = statAnswer{Best: answerValue(s.Best), Last: answerValue(s.Last), AtStep: answerValue(s.At), Mean: given(s.Mean)}
	}
	return a
}

func answerValue(v comparison.Value) *valueAnswer {
	if !v.Known() {
		return nil
	}
	return &valueAnswer{number64(v.Value), number64(v.Step)}
}

// positiveNumber is a number, nil for one that is not more than 0.
func positiveNumber(v float64) *number64 {
	if !(v > 0) {
		return nil
	}
	return given(v)
}
