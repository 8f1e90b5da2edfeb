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
	// operatorBuilds bounds what building operators may take in one run: a build
	// that is cut off goes on where it stopped in the next.
	operatorBuilds = 20 * time.Minute
	// operatorLife bounds the life of an operator's jobs, once it is built.
	operatorLife = 90 * time.Second
)

// livedOperator is a real operator and the life of its jobs.
type livedOperator struct {
	operator operators.Operator
	live     func(*realOperator)
}

// livedOperators are those that are built soonest first.
func livedOperators() []livedOperator {
	return []livedOperator{
		{operators.JobSet(), liveJobSet},
	}
}

// Jobs of each real operator go from their creation to their ends, and the program
// shows what the operator's own objects say: phases, ranks, attempts and causes.
// Each has a control plane of its own, which keeps its definitions and webhooks
// away from other tests.
func TestSlowOperators(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the real operators, which takes minutes")
	}
	say := func(text string) { fmt.Fprintln(os.Stderr, "e2e:", text) }
	builds, stop := context.WithTimeout(t.Context(), operatorBuilds)
	defer stop()
	for _, lived := range livedOperators() {
		name := lived.operator.Name()
		t.Run(name, func(t *testing.T) {
			err := lived.operator.Build(builds, say)
			if errors.Is(err, controlplane.ErrUnavailable) {
				say(fmt.Sprintf("%s is left out of TestSlowOperators: %v", name, err))
				t.Skip(err)
			}
			must(t, err)
			began := time.Now()
			lived.live(startOperator(t, lived.operator, say))
			t.Logf("%s %s and its jobs lived %s", name, lived.operator.Program.Version, time.Since(began).Round(time.Second))
		})
	}
}
