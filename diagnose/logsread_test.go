package diagnose

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// A log that may not be read rules nothing out, in a running job and in a
// failed one; the answer changes once it may be read.
func TestALogThatWasNotReadRulesNothingOut(t *testing.T) {
	for name, pod := range map[string]func(*corev1.Pod){"runs": running("gpu-0", 9), "failed": crashing("gpu-0", 1, "Error", "", 1)} {
		st := store.New(func() time.Time { return noon })
		c := newCluster(t)
		c.node("gpu-0", 8)
		c.job(1, runs)
		c.worker(0, pod)
		st.Apply(c.events...)
		stream := train.StreamID{Namespace: ns, Pod: "bert-worker-0", Container: "pytorch"}
		look := func(before *Report, state train.StreamState) (*Report, train.Check, string) {
			t.Helper()
			st.Apply(store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: state}})
			s := st.Snapshot()
			r := Run(s, Options{}, before)
			answer := r.Job(s.Jobs()[0].ID)
			var said string
			for _, f := range answer.Findings {
				said += f.Explanation
			}
			for _, check := range answer.Checks {
				if check.Cause == "cuda-out-of-memory" {
					return r, check, said
				}
			}
			t.Fatalf("%s: nothing is said of the cause", name)
			return nil, train.Check{}, ""
		}
		report, check, said := look(nil, train.StreamForbidden)
		if check.Result != train.CheckUnknown || !strings.Contains(check.Why, "pods/log") {
			t.Errorf("%s: refused: %s: %s", name, check.Result, check.Why)
		}
		if strings.Contains(said, "log that was read") {
			t.Errorf("%s: refused: %s", name, said)
		}
		report, check, _ = look(report, train.StreamOpening)
		if check.Result != train.CheckUnknown || check.Why != rule.NoLogRead {
			t.Errorf("%s: opening: %s: %s", name, check.Result, check.Why)
		}
		_, check, _ = look(report, train.StreamLive)
		if check.Result != train.CheckPass {
			t.Errorf("%s: read: %s: %s", name, check.Result, check.Why)
		}
	}
}
