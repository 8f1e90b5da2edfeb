package cli

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// twoJobs are a Job of batch that failed and one of Volcano that is held up, of one
// name, each with a pod that holds a GPU.
const twoJobs = `apiVersion: batch/v1
kind: Job
metadata: {name: x, namespace: ml, uid: b}
spec: {completions: 1, parallelism: 1, template: {spec: {containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]}}}
status: {failed: 1, conditions: [{type: Failed, status: "True", reason: BackoffLimitExceeded, lastTransitionTime: "2026-11-20T10:00:00Z"}]}
---
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: x, namespace: ml, uid: v}
spec: {minAvailable: 1, tasks: [{name: w, replicas: 1, template: {spec: {containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]}}}]}
status: {state: {phase: Pending}}
---
apiVersion: v1
kind: Pod
metadata: {name: x-b, namespace: ml, uid: p1, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: x, uid: b, controller: true}]}
spec: {nodeName: node-0, containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]}
status: {phase: Failed, containerStatuses: [{name: c, restartCount: 0, state: {terminated: {exitCode: 3, reason: Error, finishedAt: "2026-11-20T10:00:00Z"}}}]}
---
apiVersion: v1
kind: Pod
metadata:
  name: x-w-0
  namespace: ml
  uid: p2
  labels: {volcano.sh/job-name: x, volcano.sh/task-spec: w}
  annotations: {volcano.sh/task-index: "0"}
  ownerReferences: [{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, name: x, uid: v, controller: true}]
spec: {nodeName: node-0, containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]}
status: {phase: Pending, containerStatuses: [{name: c, restartCount: 0, state: {waiting: {reason: ImagePullBackOff, message: "Back-off pulling image \"i\""}}}]}
---
apiVersion: v1
kind: Node
metadata: {name: node-0, uid: node}
status: {capacity: {nvidia.com/gpu: 8, cpu: 8, memory: 8Gi, pods: 9}, allocatable: {nvidia.com/gpu: 8, cpu: 8, memory: 8Gi, pods: 9}, conditions: [{type: Ready, status: "True"}]}
`

// Each answer calls the two jobs of one name differently, and each command takes
// either by the name that it printed.
func TestJobsOfOneNameAreDistinct(t *testing.T) {
	file := page(t, "two.yaml", twoJobs)
	const batch, volcano = "ml/Job/x", "ml/Job.batch.volcano.sh/x"
	name := regexp.MustCompile(`\b(?:ml/)?Job[.a-z]*/x\b`)
	for _, line := range []string{"jobs -o name", "diagnose", "diagnose -o json", "wait x --timeout 1s -o json", "wait x --timeout 1s", "compare -o json " + batch + " " + volcano, "logs x", "watch"} {
		out, messages, _ := command(t, "", append(strings.Fields(line), "--from", file)...)
		printed := name.FindAllString(out+messages, -1)
		slices.Sort(printed)
		if got := slices.Compact(printed); !slices.Equal(got, []string{volcano, batch}) {
			t.Errorf("%s calls them %q:\n%s%s", line, got, out, messages)
		}
	}
	if out, _, _ := command(t, "", "jobs", "--from", file); !regexp.MustCompile(`x +Job\.batch\.volcano\.sh `).MatchString(out) || !regexp.MustCompile(`x +Job `).MatchString(out) {
		t.Errorf("the table is\n%s", out)
	}
	for typed, want := range map[string]string{batch: batch, volcano: volcano, "job/x": batch, "vcjob/x": volcano} {
		for _, line := range []string{"diagnose ", "wait --timeout 1s ", "logs ", "curves -o json "} {
			out, messages, _ := command(t, "", append(strings.Fields(line+typed), "--from", file)...)
			for _, printed := range name.FindAllString(out+messages, -1) {
				if printed != want {
					t.Errorf("%s%s speaks of %s:\n%s%s", line, typed, printed, out, messages)
				}
			}
			if line != "curves -o json " && !strings.Contains(out+messages, want) {
				t.Errorf("%s%s says nothing of %s:\n%s%s", line, typed, want, out, messages)
			}
		}
	}
}
