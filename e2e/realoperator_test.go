package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/e2e/operators"
	"github.com/traintop/traintop/train"
)

// operatorJobs is the namespace of the jobs of real operators.
const operatorJobs = "train"

// realOperator is a control plane with one real operator and no nodes yet.
type realOperator struct {
	t     *testing.T
	ctx   context.Context
	plane *controlplane.ControlPlane
}

func startOperator(t *testing.T, o operators.Operator, say func(string)) *realOperator {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), operatorLife)
	t.Cleanup(stop)
	plane, err := controlplane.Start(ctx, controlplane.Options{})
	must(t, err)
	t.Cleanup(func() { must(t, plane.Stop()) })
	t.Cleanup(func() {
		if t.Failed() {
			logTail(t, filepath.Join(plane.Dir, o.Name(), o.Name()+".log"))
		}
	})
	if err := o.Start(ctx, plane, say); errors.Is(err, controlplane.ErrUnavailable) {
		t.Skip(err)
	} else {
		must(t, err)
	}
	must(t, plane.CreateNamespace(ctx, operatorJobs))
	return &realOperator{t: t, ctx: ctx, plane: plane}
}

func logTail(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	t.Logf("the end of %s (%v):\n%s", path, err, strings.Join(lines[max(0, len(lines)-25):], "\n"))
}

// apply makes objects in the namespace of the jobs. A webhook that was registered a
// moment ago may refuse the first.
func (r *realOperator) apply(text string) {
	r.t.Helper()
	objects, err := controlplane.Objects(text)
	must(r.t, err)
	for _, object := range objects {
		object.SetNamespace(operatorJobs)
	}
	r.until("the objects are made", func(ctx context.Context) error {
		_, err := r.plane.ApplyObjects(ctx, objects...)
		return err
	})
}

// nodes makes machines with eight GPUs each.
func (r *realOperator) nodes(n int) {
	r.t.Helper()
	must(r.t, r.plane.CreateNodes(r.ctx, "gpu", n, 8))
}

// until tries until it succeeds or the operator's time is over. That cuts the last
// try off, so what the one before reported is kept.
func (r *realOperator) until(what string, try func(context.Context) error) {
	r.t.Helper()
	var said error
	err := r.plane.Wait(r.ctx, operatorLife, func(ctx context.Context) error {
		err := try(ctx)
		if ctx.Err() == nil {
			said = err
		}
		return err
	})
	if err != nil {
		r.t.Fatalf("%s: %v\nit said: %v", what, err, said)
	}
}

// shows waits until `traintop jobs` shows a job as it should be.
func (r *realOperator) shows(job string, rights ...func(jobRow) error) jobRow {
	r.t.Helper()
	var row jobRow
	r.until(job+" is shown", func(ctx context.Context) error {
		a, err := jobs(ctx, r.plane.Kubeconfig, "-n", operatorJobs)
		if err != nil {
			return err
		}
		if row, err = a.job(job); err != nil {
			return err
		}
		for _, right := range rights {
			if err := right(row); err != nil {
				return fmt.Errorf("%w; it shows as %+v", err, row)
			}
		}
		return nil
	})
	return row
}

// in wants a phase, with so many of the wanted ranks ready.
func in(phase string, ready, wanted int) func(jobRow) error {
	return func(row jobRow) error {
		if row.Phase != phase || row.Ranks.Ready != ready || row.Ranks.Wanted != wanted {
			return fmt.Errorf("want %s with %d of %d ranks ready", phase, ready, wanted)
		}
		return nil
	}
}

// restarted wants a number of restarts.
func restarted(times int) func(jobRow) error {
	return func(row jobRow) error {
		if row.Restarts != times {
			return fmt.Errorf("want %d restarts", times)
		}
		return nil
	}
}

// because wants a part of the reason.
func because(text string) func(jobRow) error {
	return func(row jobRow) error {
		if !strings.Contains(row.Reason, text) {
			return fmt.Errorf("want ...%s... as the reason", text)
		}
		return nil
	}
}

// pods are the pods of a job by their rank, as `traintop gpus` has them. It waits
// until the ranks are 0, 1, ... of so many.
func (r *realOperator) pods(job string, ranks int) []string {
	r.t.Helper()
	var pods []string
	r.until("the ranks of "+job, func(ctx context.Context) error {
		out, complaints, err := run(ctx, r.plane.Kubeconfig, "gpus", "-o", "json", "-n", operatorJobs)
		if err != nil {
			return fmt.Errorf("traintop gpus: %w\n%s", err, complaints)
		}
		var answer struct {
			GPUs []struct {
				Pod, Job string
				Rank     *int
			}
		}
		if err := json.Unmarshal([]byte(out), &answer); err != nil {
			return fmt.Errorf("read the answer of traintop gpus: %w\n%s", err, out)
		}
		byRank := map[int]string{}
		for _, gpu := range answer.GPUs {
			if gpu.Rank != nil && strings.HasSuffix(gpu.Job, "/"+job) {
				byRank[*gpu.Rank] = gpu.Pod
			}
		}
		known := slices.Sorted(maps.Keys(byRank))
		if len(known) != ranks || known[0] != 0 || known[ranks-1] != ranks-1 {
			return fmt.Errorf("the ranks of its pods are %v, want 0 to %d:\n%s", known, ranks-1, out)
		}
		pods = pods[:0]
		for _, rank := range known {
			pods = append(pods, byRank[rank])
		}
		return nil
	})
	return pods
}

// ends ends pods with an exit code; reason is that of the container's end, ""
// for the usual one.
func (r *realOperator) ends(code, reason string, pods ...string) {
	r.t.Helper()
	plays := operator.Operator{Cluster: r.plane, Namespace: operatorJobs}
	for _, pod := range pods {
		if reason != "" {
			must(r.t, plays.Annotate(r.ctx, pod, "e2e/reason", reason))
		}
		must(r.t, plays.Annotate(r.ctx, pod, "e2e/exit", code))
	}
}

// finds waits until `traintop diagnose` has a cause first of all for a job, given
// as KIND/NAME, and returns the finding.
func (r *realOperator) finds(job string, cause train.Cause) *train.Finding {
	r.t.Helper()
	var first *train.Finding
	r.until("the diagnosis of "+job, func(ctx context.Context) error {
		answer, err := diagnosisOf(ctx, r.plane.Kubeconfig, "-n", operatorJobs, job)
		if err != nil {
			return err
		}
		found := answer.findings(operatorJobs + "/" + job)
		if len(found) == 0 {
			return errors.New("nothing is found")
		}
		if first = &found[0]; first.Cause != cause {
			return fmt.Errorf("%s (%s) stands first, want %s", first.Cause, first.Title, cause)
		}
		return nil
	})
	return first
}
