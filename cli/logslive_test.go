package cli

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/cli/arguments"
	"github.com/traintop/traintop/cli/mergedlogs"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// twoContainers is a pod that trains beside a container that ships its logs, and in
// which somebody ran kubectl debug.
const twoContainers = `
apiVersion: v1
kind: List
items:
- apiVersion: batch/v1
  kind: Job
  metadata: {name: bert, namespace: ml, uid: 11111111-1111-4111-8111-111111111111}
  spec: {template: {spec: {containers: [{name: train, image: t, resources: {limits: {nvidia.com/gpu: 1}}}]}}}
- apiVersion: v1
  kind: Pod
  metadata:
    name: bert-abcde
    namespace: ml
    uid: 22222222-2222-4222-8222-222222222222
    ownerReferences: [{apiVersion: batch/v1, kind: Job, name: bert, uid: 11111111-1111-4111-8111-111111111111, controller: true}]
  spec: {containers: [{name: train, image: t}, {name: shipper, image: s}]}
  status:
    phase: Running
    containerStatuses:
    - {name: train, restartCount: 1, state: {running: {startedAt: "2026-11-20T09:00:00Z"}}, lastState: {terminated: {exitCode: 1}}}
    - {name: shipper, restartCount: 0, state: {running: {startedAt: "2026-11-20T09:00:00Z"}}}
    ephemeralContainerStatuses:
    - {name: debugger-x7k2p, restartCount: 0, state: {terminated: {exitCode: 137, finishedAt: "2026-11-20T09:20:00Z"}}}
`

// chosenContainers are the containers whose logs are read, and the messages.
func chosenContainers(t *testing.T, w *logsWanted) (containers []string, said string) {
	t.Helper()
	s := store.New(time.Now)
	if err := dump.New([]string{"-"}, dump.Options{Stdin: strings.NewReader(twoContainers)}).Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	snapshot := s.Snapshot()
	var messages bytes.Buffer
	out := newLogPrinter(&bytes.Buffer{}, &messages, logLook{})
	w.ranks = &arguments.Ranks{}
	l := &liveLogs{wanted: w, out: out, merge: mergedlogs.New(&w.filter, w.heldFor(), time.Now, out.line)}
	if n := len(snapshot.Jobs()); n != 1 {
		t.Fatalf("%d jobs", n)
	}
	for _, chosen := range l.choose(snapshot, snapshot.Jobs()[0], []int{0}).Chosen {
		containers = append(containers, chosen.ID.Container)
	}
	return containers, messages.String()
}

func TestWhichContainersArePrinted(t *testing.T) {
	for _, c := range []struct {
		name  string
		asked logsWanted
		want  []string
		said  string
	}{
		{"the one that trains", logsWanted{}, []string{"train"}, ""},
		{"a named one", logsWanted{container: "shipper"}, []string{"shipper"}, ""},
		{"one that is not there", logsWanted{container: "shiper"}, nil, `no container "shiper"`},
		{"all", logsWanted{all: true}, []string{"train", "shipper", "debugger-x7k2p"}, ""},
		{"that of kubectl debug", logsWanted{container: "debugger-x7k2p"}, []string{"debugger-x7k2p"}, ""},
		{"the life before", logsWanted{previous: true}, []string{"train"}, ""},
		{"no life before", logsWanted{previous: true, container: "shipper"}, nil, ""},
	} {
		got, said := chosenContainers(t, &c.asked)
		if !slices.Equal(got, c.want) || !strings.Contains(said, c.said) {
			t.Errorf("%s: got %q, want %q; said %q", c.name, got, c.want, said)
		}
	}
}

// TestOnlyTheLastLinesOfAServerThatSendsEverything: a proxy or a server may drop
// tailLines from the query; the last lines are printed all the same.
func TestOnlyTheLastLinesOfAServerThatSendsEverything(t *testing.T) {
	o := busy()
	const pod = "/api/v1/namespaces/ml/pods/runs-0"
	config := o.serve(t, []string{"all of " + pod, "all of " + pod + "/log"}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == pod {
			object, _ := yaml.YAMLToJSON([]byte(o["/api/v1/pods"][0]))
			_, _ = w.Write(object)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		for n := range 50 {
			fmt.Fprintf(w, "2026-11-20T09:30:%02d.000000001Z line %d\n", n, n)
		}
	})
	var stdout, stderr bytes.Buffer
	a := &app{in: strings.NewReader(""), out: &stdout, err: &stderr, clock: time.Now}
	code := a.run(t.Context(), []string{"--kubeconfig", config, "--prometheus", "off", "logs", "runs", "--tail", "2", "--no-prefix"})
	if code != exitDone || stdout.String() != "line 48\nline 49\n" {
		t.Errorf("exit %d, %q, %q", code, stdout.String(), stderr.String())
	}
}

// TestLastLinesAreHeldInBoundedMemory: lines that wait for the end of their log are
// printed once they are too many, and a log that then is too long is counted.
func TestLastLinesAreHeldInBoundedMemory(t *testing.T) {
	long := strings.Repeat("x", 64<<10)
	const lines = mergedlogs.HeldBytes/(64<<10) + 500
	for _, c := range []struct{ tail, want, overlong int }{{lines * 2, lines, 0}, {lines - 100, lines, 1}, {100, 100, 0}} {
		w := &logsWanted{}
		w.filter.KeepLast(c.tail)
		printed := 0
		m := mergedlogs.New(&w.filter, 0, time.Now, func(mergedlogs.LogSource, *train.LogLine) { printed++ })
		m.Open(of(0), mergedlogs.LogSource{})
		m.Seal()
		go func() {
			for n := range int64(lines) {
				m.Add(of(0), []train.LogLine{{Number: n + 1, Text: long}}, false)
			}
			m.State(of(0), false, false, true)
		}()
		if err := m.Run(t.Context(), noFlush); err != nil || printed != c.want || m.Overlong != c.overlong {
			t.Errorf("the last %d: %d were printed, %d logs were too long, %v", c.tail, printed, m.Overlong, err)
		}
	}
}
