package queues

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// read parses one object and prints the result, a line for each limit.
func read(t *testing.T, with func(*unstructured.Unstructured) []limit, text string) string {
	t.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &o.Object); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, l := range mark(with(o)) {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s/%s from %q pending %d running %d telling %v %s",
			l.flavor, l.resource, l.used.String(), l.most.String(), l.behind, l.pending, l.admitted, l.telling, l.stopped)))
	}
	return strings.Join(lines, "\n")
}

func TestQueuesAreRead(t *testing.T) {
	f := func(with func(*unstructured.Unstructured) []limit, text, want string) {
		t.Helper()
		if got := read(t, with, text); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
	f(clusterQueue, `
kind: ClusterQueue
metadata: {name: gpu-cq}
spec:
  cohortName: research
  resourceGroups:
  - flavors:
    - name: h100
      resources: [{name: cpu, nominalQuota: 64}, {name: nvidia.com/gpu, nominalQuota: "8"}]
status:
  pendingWorkloads: 2
  admittedWorkloads: 1
  flavorsReservation: [{name: h100, resources: [{name: nvidia.com/gpu, total: "8"}]}]
`, "h100 cpu 0/64 from \"research\" pending 2 running 1 telling false\nh100 nvidia.com/gpu 8/8 from \"research\" pending 2 running 1 telling true")
	f(clusterQueue, `
kind: ClusterQueue
metadata: {name: stopped}
spec: {stopPolicy: HoldAndDrain, cohort: old}
`, `0/0 from "old" pending -1 running -1 telling true HoldAndDrain`)
	f(localQueue, `
kind: LocalQueue
metadata: {name: train, namespace: team-a}
spec: {clusterQueue: gpu-cq}
status:
  conditions: [{type: Active, status: "False", reason: ClusterQueueDoesNotExist}]
  flavorUsage: [{name: h100, resources: [{name: nvidia.com/gpu, total: 4}]}]
`, `h100 nvidia.com/gpu 4/0 from "gpu-cq" pending -1 running -1 telling true ClusterQueueDoesNotExist`)
	f(volcanoQueue, `
kind: Queue
metadata: {name: default}
spec: {weight: 1, capability: {nvidia.com/gpu: 16}}
status: {state: Closed, pending: 1, inqueue: 2, running: 3, allocated: {cpu: 4, nvidia.com/gpu: "12"}}
`, "cpu 4/0 from \"\" pending 3 running 3 telling false Closed\nnvidia.com/gpu 12/16 from \"\" pending 3 running 3 telling true Closed")
	f(kaiQueue, `
kind: Queue
metadata: {name: team}
spec: {parentQueue: department, resources: {gpu: {quota: -1, limit: 4}, cpu: {quota: 0.5}}}
status: {allocated: {nvidia.com/gpu: "3"}}
`, "gpu 3/4 from \"department\" pending -1 running -1 telling true\ncpu 0/500m from \"department\" pending -1 running -1 telling false")
	f(kaiQueue, `{kind: Queue, metadata: {name: odd}, spec: {resources: [1, 2]}, status: 7}`, `0/0 from "" pending -1 running -1 telling true`)
}

// A job whose place is not known follows those that have one.
func TestAnUnknownPlaceComesLast(t *testing.T) {
	places := []int{0, 3, 1, 0, 2}
	slices.SortStableFunc(places, comparePlaces)
	if got := fmt.Sprint(places); got != "[1 2 3 0 0]" {
		t.Error(got)
	}
}
