package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/operators"
)

const (
	// operatorBuilds bounds what building operators may take in one run, beside
	// the other slow tests: a build that is cut off goes on where it stopped in
	// the next.
	operatorBuilds = 3 * time.Minute
	// buildsVariable in the environment is a longer time for that ("1h"): all of
	// them take a quarter of an hour on two cores.
	buildsVariable = "OPERATOR_BUILDS"
	// operatorLife bounds the life of an operator's jobs, once it is built: half a
	// minute on two quiet cores.
	operatorLife = 4 * time.Minute
)

// buildTime is what building operators may take in this run.
func buildTime() (time.Duration, error) {
	text := os.Getenv(buildsVariable)
	if text == "" {
		return operatorBuilds, nil
	}
	most, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("read %s, a time such as 40m: %w", buildsVariable, err)
	}
	return most, nil
}

// livedOperator is a real operator and the life of its jobs.
type livedOperator struct {
	operator operators.Operator
	live     func(*realOperator)
}

// livedOperators are those that are built soonest first.
func livedOperators() []livedOperator {
	return []livedOperator{
		{operators.JobSet(), liveJobSet},
		{operators.TrainingOperator(), liveTrainingOperator},
		{operators.MPI(), liveMPIOperator},
		{operators.Trainer(), liveTrainer},
		{operators.KubeRay(), liveKubeRay},
		{operators.Kueue(), liveKueue},
	}
}

// Jobs of each real operator go from their creation to their ends, and the program
// shows what the operator's own objects report: phases, ranks, attempts and causes.
// Each has a control plane of its own, which keeps its definitions and webhooks
// away from other tests.
func TestSlowOperators(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the real operators, which takes minutes")
	}
	say := func(text string) { fmt.Fprintln(os.Stderr, "e2e:", text) }
	most, err := buildTime()
	must(t, err)
	builds, stop := context.WithTimeout(t.Context(), most)
	defer stop()
	for _, lived := range livedOperators() {
		name := lived.operator.Name()
		t.Run(name, func(t *testing.T) {
			err := lived.operator.Build(builds, say)
			if errors.Is(err, controlplane.ErrUnavailable) {
				err = fmt.Errorf("%s is left out of TestSlowOperators, %s gives more time than %s: %w", name, buildsVariable, most, err)
				say(err.Error())
				t.Skip(err)
			}
			must(t, err)
			began := time.Now()
			lived.live(startOperator(t, lived.operator, say))
			t.Logf("%s %s and its jobs lived %s", name, lived.operator.Program.Version, time.Since(began).Round(time.Second))
		})
	}
}
