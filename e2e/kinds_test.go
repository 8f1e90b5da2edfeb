package e2e

import (
	"context"
	"fmt"
	"testing"

	"github.com/traintop/traintop/e2e/crds"
	"github.com/traintop/traintop/e2e/operator"
)

// Jobs of every kind go through all phases, played as their operators do it,
// and the program shows each phase.
func TestEveryKindThroughItsLife(t *testing.T) {
	t.Parallel()
	const namespace = "lives"
	namespaces(t, namespace)
	_, err := cluster.ApplyObjects(t.Context(), crds.Objects(crds.All()...)...)
	must(t, err)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	good, bad := cast(t, "good"), cast(t, "bad")
	all := append(append([]part{}, good...), bad...)

	each(t, all, plays.Create)
	shows(t, all, func(p part) stage {
		if p.life.Suspended {
			return stage{phase: "Suspended"}
		}
		return stage{phase: "Pending"}
	})

	each(t, all, plays.Run)
	shows(t, all, func(p part) stage { return stage{phase: "Running", ready: p.life.Ranks} })

	each(t, ending(good), plays.Succeed)
	each(t, ending(bad), plays.Fail)
	shows(t, ending(good), func(p part) stage { return stage{phase: "Succeeded", ready: left(p)} })
	shows(t, ending(bad), func(p part) stage { return stage{phase: "Failed", ready: left(p)} })
	// Jobs without an end keep running.
	shows(t, endless(good), func(p part) stage { return stage{phase: "Running", ready: p.life.Ranks} })
}

// part is one job in the play.
type part struct {
	kind operator.Kind
	life operator.Life
}

// stage is how a row should look.
type stage struct {
	phase string
	ready int
}

func cast(t *testing.T, suffix string) []part {
	t.Helper()
	var parts []part
	for _, kind := range operator.Kinds() {
		life, err := kind.Life(kind.SampleName() + "-" + suffix)
		must(t, err)
		parts = append(parts, part{kind, life})
	}
	return parts
}

// left counts the ranks that are ready when the job has ended.
func left(p part) int {
	if p.life.KeepsPods {
		return p.life.Ranks
	}
	return 0
}

func ending(parts []part) []part  { return only(parts, true) }
func endless(parts []part) []part { return only(parts, false) }

func only(parts []part, ends bool) []part {
	var kept []part
	for _, p := range parts {
		if p.life.Ends() == ends {
			kept = append(kept, p)
		}
	}
	return kept
}

func each(t *testing.T, parts []part, play func(context.Context, operator.Life) error) {
	t.Helper()
	for _, p := range parts {
		if err := play(t.Context(), p.life); err != nil {
			t.Fatalf("%s: %v", p.kind.Kind, err)
		}
	}
}

// shows waits until the program shows each job, once, at its stage.
func shows(t *testing.T, parts []part, at func(part) stage) {
	t.Helper()
	eventually(t, cluster.Kubeconfig, []string{"-n", "lives"}, func(a answer) error {
		for _, p := range parts {
			// A gang of plain pods exists once its pods do.
			if p.life.Object == nil && at(p).phase == "Pending" {
				continue
			}
			row, err := a.job(p.life.Name)
			if err != nil {
				return err
			}
			want := at(p)
			if row.Phase != want.phase || row.Ranks.Ready != want.ready || row.Ranks.Wanted != p.life.Ranks ||
				row.Kind != p.kind.Kind || row.Group != p.kind.Group {
				return fmt.Errorf("%s/%s shows as %+v, want %s with %d of %d ranks ready", p.kind.Group, p.kind.Kind, row, want.phase, want.ready, p.life.Ranks)
			}
		}
		return nil
	})
}
