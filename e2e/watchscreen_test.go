package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/traintop/traintop/e2e/operator"
)

// quietFor is how long a sink has to get nothing to be told apart from one that
// gets a notice each few seconds: marks are read after 5 s at most.
const quietFor = 15 * time.Second

// A watcher of a namespace repeats what nobody took. A screen of the same
// context shows what it sent and when; what a person takes or mutes there, the
// watcher does not repeat, and what is given back it does.
func TestSlowAScreenAndAWatcherShareIncidents(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for notices that must not come, which takes two minutes")
	}
	const namespace = "watch-screen"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	brokenJob(t, plays)
	must(t, plays.ApplyOwned(t.Context(), fastJob("dies")))
	must(t, setStatus(t.Context(), namespace, "dies", condition("Running")))
	s := newSink(t)
	home := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(home, "traintop"), 0o700))
	must(t, os.WriteFile(filepath.Join(home, "traintop", "config.yaml"), fmt.Appendf(nil, `
receivers: {team: {type: webhook, url: %s}}
alertRules: [{name: failed, repeat: 3s}]
`, s.URL), 0o600))
	w := startWatch(t, home, cluster.Kubeconfig, "-n", namespace)
	watchBegun(t, w, namespace)
	screen := openEmulated(t, home, cluster.Kubeconfig, nil, "-n", namespace)
	screen.shows("broken", "dies")

	must(t, setStatus(t.Context(), namespace, "dies", condition("Failed")))
	s.until(t, 30*time.Second, "dies", 3, w)
	screen.goes("incidents", namespace+"/dies")
	screen.shows("! open", "to 1")

	repeats := func(after string) {
		t.Helper()
		s.until(t, 30*time.Second, "dies", len(s.of("dies"))+2, w)
		screen.shows(after)
	}
	rests := func(after string) {
		t.Helper()
		screen.shows(after)
		time.Sleep(7 * time.Second) // until the watcher has read the mark
		before := s.of("dies")
		time.Sleep(quietFor)
		if got := s.of("dies"); len(got) != len(before) {
			t.Errorf("%s, and it is sent: %q, before %q\n%s", after, got, before, w.text())
		}
	}
	screen.press("a")
	rests("1 taken")
	screen.press("a")
	repeats("1 open")
	screen.press("m")
	rests("1 muted")
	screen.press("m")
	repeats("1 open")

	must(t, cluster.Delete(t.Context(), named("kubeflow.org/v1", "PyTorchJob", namespace, "dies")))
	screen.shows("resolved")
	must(t, cluster.Wait(t.Context(), 90*time.Second, func(context.Context) error {
		if got := s.of("dies"); got[len(got)-1] != "resolved " {
			return fmt.Errorf("at the end it sends %q", got)
		}
		return nil
	}))
}
