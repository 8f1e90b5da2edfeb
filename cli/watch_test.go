package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/sources/kube"
)

// Files are of the past: what is wrong in them is listed and not sent.
func TestWatchListsWhatFilesSay(t *testing.T) {
	out, said, code := command(t, "", "watch", "--from", "../testdata/demo", "-A")
	if code != exitDone || out != "" || !strings.Contains(said, "in trouble before this watcher began, and not sent (11):") || !strings.Contains(said, "ERROR ") {
		t.Errorf("exit %d: %s\n%s", code, out, said)
	}
}

func TestWatchRefusesWhatMeansNothing(t *testing.T) {
	for _, args := range [][]string{{"-o", "yaml"}, {"--lease", "watch"}, {"--lease", "a/b/c"}, {"--dry-run"}, {"--metrics", ""}} {
		if _, said, code := command(t, "", append([]string{"watch", "--from", "testdata/pending.yaml"}, args...)...); code != exitUsage {
			t.Errorf("%q: exit %d: %s", args, code, said)
		}
	}
	if _, said, code := command(t, "", "watch", "--from", "testdata/pending.yaml", "--lease", "a/b"); code != exitFailed || !strings.Contains(said, "--lease needs a cluster") {
		t.Errorf("exit %d: %s", code, said)
	}
	if _, said, code := command(t, "", "watch", "--from", "testdata/pending.yaml", "--notify", "nobody"); code != exitFailed || !strings.Contains(said, `there is no receiver "nobody"`) {
		t.Errorf("exit %d: %s", code, said)
	}
}

// A test message reaches the receiver; one that refuses it is named without its
// address, and the exit code shows it.
func TestReceiversAreTried(t *testing.T) {
	var got struct {
		Change   string
		Incident struct{ Title string }
	}
	sink := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/secret-path" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
	}))
	defer sink.Close()
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	t.Setenv("REFUSES", sink.URL+"/secret-path")
	if err := os.MkdirAll(filepath.Join(home, "traintop"), 0o700); err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("receivers:\n  team: {type: webhook, url: %q}\n  refuses: {type: webhook, url: {env: REFUSES}}\n", sink.URL)
	if err := os.WriteFile(filepath.Join(home, "traintop", "config.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, said, code := command(t, "", "notify", "test", "team", "refuses")
	if code != exitFailed || !strings.Contains(out, "team: it took the message") || !strings.Contains(out, "403") || strings.Contains(out+said, "secret-path") {
		t.Errorf("exit %d: %s\n%s", code, out, said)
	}
	if got.Change != "test" || !strings.Contains(got.Incident.Title, "can reach this receiver") {
		t.Errorf("it got %+v", got)
	}
	if out, said, code := command(t, "", "notify", "list"); code != exitDone || !strings.Contains(out, "team") || !strings.Contains(out, "a node is lost") {
		t.Errorf("exit %d: %s\n%s", code, out, said)
	}
}

// A watcher of one namespace has a state of its own: jobs outside of it must not
// look deleted.
func TestEachScopeHasItsState(t *testing.T) {
	state := func(namespace, selector string) string {
		parsed, err := labels.Parse(selector)
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Base((&watchFlags{}).statePath(&session{context: "prod", namespace: namespace, selector: parsed, cluster: &kube.Cluster{}}))
	}
	if all, one, some := state("", ""), state("ml", ""), state("", "team=a"); all != "prod.json" || one != "prod_ml.json" || some != "prod__team-a.json" {
		t.Errorf("%s, %s, %s", all, one, some)
	}
	if dotted := filepath.Base((&watchFlags{}).statePath(&session{context: "prod.ml", selector: labels.Everything(), cluster: &kube.Cluster{}})); dotted == state("ml", "") {
		t.Errorf("the context prod.ml has the state of the namespace ml of prod: %s", dotted)
	}
	// Clusters of one context name do not share a state, whoever began it.
	home := xdg.StateHome
	t.Cleanup(func() { xdg.StateHome = home })
	xdg.StateHome = t.TempDir()
	at := func(address string) string {
		return (&watchFlags{}).statePath(&session{context: "prod", place: address, selector: labels.Everything(), cluster: &kube.Cluster{}})
	}
	begin := func(address string) error {
		w := alerts.NewWatcher("prod", nil, func(string) {})
		w.Address = address
		if err := w.Begin(at(address), nil); err != nil {
			return err
		}
		w.Look(alerts.Observation{At: time.Now()})
		return nil
	}
	for range 2 {
		if err := errors.Join(begin("https://10.0.0.1:6443"), begin("https://10.0.0.2:6443")); err != nil {
			t.Fatal(err)
		}
	}
	if a, b := filepath.Base(at("https://10.0.0.1:6443")), filepath.Base(at("https://10.0.0.2:6443")); a != "prod.json" || b == a || !strings.HasPrefix(b, "prod___") {
		t.Errorf("%s and %s", a, b)
	}
	other := alerts.NewWatcher("prod", nil, func(string) {})
	other.Address = "https://10.0.0.2:6443"
	if err := other.Begin(at("https://10.0.0.1:6443"), nil); err == nil || !strings.Contains(err.Error(), "is of the cluster at https://10.0.0.1:6443") {
		t.Error(err)
	}
	if err := os.WriteFile(at("https://10.0.0.1:6443"), []byte(`{"version":1,"cluster":"prod"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if old := filepath.Base(at("https://10.0.0.2:6443")); old != "prod.json" {
		t.Errorf("a state of an earlier version is left for %s", old)
	}
	if none := (&watchFlags{state: "none"}).statePath(&session{}); none != "" {
		t.Error(none)
	}
}

// A recording is replayed by its own time: what went wrong in it opens then, and
// nothing is sent to anybody.
func TestWatchReplaysARecording(t *testing.T) {
	const story = "../testdata/story/demo.ttrec"
	out, said, code := command(t, "", "watch", "--from", story, "-o", "json")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, said)
	}
	opened := map[string]bool{}
	for line := range strings.Lines(out) {
		var n struct {
			Change   string
			At       time.Time
			Incident struct{ Rule, Cause string }
		}
		if err := json.Unmarshal([]byte(line), &n); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if n.At.Year() != 2026 {
			t.Errorf("%s is not of the recording's time", line)
		}
		opened[n.Change+" "+n.Incident.Cause] = true
	}
	if !opened["opened cuda-out-of-memory"] {
		t.Errorf("it prints %v", opened)
	}
	if _, said, code := command(t, "", "watch", "--from", story, "--notify", "all"); code != exitFailed || !strings.Contains(said, "is over, and is not sent") {
		t.Errorf("exit %d: %s", code, said)
	}
}

// One state has one watcher: the second names who has it, and sends nothing.
func TestOneStateHasOneWatcher(t *testing.T) {
	state := filepath.Join(t.TempDir(), "new", "state.json")
	watching := []string{"watch", "--from", "testdata/pending.yaml", "--state", state}
	unlock, err := lockState(state, func(line string) { t.Error(line) })
	if err != nil {
		t.Fatal(err)
	}
	out, messages, code := command(t, "", watching...)
	if code != exitFailed || out != "" || !strings.Contains(messages, "watches with the state "+state+" already; end it first") || !strings.Contains(messages, fmt.Sprintf("process %d", os.Getpid())) {
		t.Errorf("exit %d, %s, %s", code, out, messages)
	}
	unlock()
	if _, messages, code := command(t, "", watching...); code != exitDone || strings.Contains(messages, "already") {
		t.Errorf("exit %d, %s", code, messages)
	}
	if _, err := os.Stat(state + ".lock"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the lock stays: %v", err)
	}
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	said := ""
	if _, err := lockState(filepath.Join(blocked, "state.json"), func(line string) { said = line }); err != nil || !strings.Contains(said, "cannot be locked") {
		t.Errorf("%v, %q", err, said)
	}
}

// lockedText is a buffer that several goroutines write to.
type lockedText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lockedText) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(text)
}

func (l *lockedText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// A person who watches or records a namespace that is not there learns so, and what
// is there.
func TestWatchersSayThatTheirNamespaceIsNotThere(t *testing.T) {
	kubeconfig := busy().serve(t, nil, nil)
	for _, f := range []struct {
		arguments []string
		said      bool
	}{
		{[]string{"watch", "--state", "none", "-n", "nosuch"}, true},
		{[]string{"watch", "--state", "none", "-n", "ml"}, false},
		{[]string{"record", "-o", filepath.Join(t.TempDir(), "a.ttrec"), "-n", "nosuch"}, true},
	} {
		t.Run(f.arguments[0]+" "+f.arguments[len(f.arguments)-1], func(t *testing.T) {
			t.Parallel()
			ctx, stop := context.WithTimeout(t.Context(), 4*time.Second)
			defer stop()
			said := &lockedText{}
			a := &app{out: io.Discard, err: said, clock: time.Now}
			a.run(ctx, append([]string{"--kubeconfig", kubeconfig, "--prometheus", "off"}, f.arguments...))
			if strings.Contains(said.String(), `namespace "nosuch" does not exist`) != f.said {
				t.Errorf("%v: %s", f.arguments, said)
			}
		})
	}
	_, said, code := command(t, "", "watch", "--state", "none", "-n", "nosuch", "--from", "testdata/pending.yaml")
	if code != exitDone || !strings.Contains(said, "No training jobs in namespace nosuch") || !strings.Contains(said, "1 in namespace llm") {
		t.Errorf("of files: exit %d: %s", code, said)
	}
	if _, said, _ := command(t, "", "watch", "--state", "none", "-A", "--from", "testdata/pending.yaml"); strings.Contains(said, "No training jobs") {
		t.Errorf("with jobs: %s", said)
	}
}
