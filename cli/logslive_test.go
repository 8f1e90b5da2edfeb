package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/cli/arguments"
	"github.com/traintop/traintop/cli/mergedlogs"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
)

// twoContainers is a pod that trains beside a container that ships its logs.
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
		{"all", logsWanted{all: true}, []string{"train", "shipper"}, ""},
		{"the life before", logsWanted{previous: true}, []string{"train"}, ""},
		{"no life before", logsWanted{previous: true, container: "shipper"}, nil, ""},
	} {
		got, said := chosenContainers(t, &c.asked)
		if !slices.Equal(got, c.want) || !strings.Contains(said, c.said) {
			t.Errorf("%s: got %q, want %q; said %q", c.name, got, c.want, said)
		}
	}
}
