package kinds

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// JobSet 0.12 restarts single child Jobs, and counts each apart from the
// restarts of the whole. In-place attempts are restarts of containers.
func TestRestartsOfSingleJobsCount(t *testing.T) {
	set := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(`
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: gpt, namespace: ml, uid: u}
spec:
  failurePolicy: {maxRestarts: 4, rules: [{name: host, action: RestartJob, onJobFailureReasons: [PodFailurePolicy]}]}
  replicatedJobs:
  - {name: workers, replicas: 3, template: {spec: {parallelism: 2, completions: 2, template: {spec: {containers: [{name: main}]}}}}}
status:
  restarts: 1
  restartsCountTowardsMax: 1
  currentInPlaceRestartAttempt: 7
  replicatedJobsStatus:
  - {name: workers, ready: 3, succeeded: 0, failed: 0, active: 3, suspended: 0, jobRestarts: [2, 0, 1], jobRestartsCountTowardsMax: [1, 0, 1]}
`), &set.Object); err != nil {
		t.Fatal(err)
	}
	job := Assemble(&Family{Ref: RefOfSelf(set), Top: set})
	if job.Restarts != 4 || job.Wanted != 6 {
		t.Errorf("%d restarts of %d ranks", job.Restarts, job.Wanted)
	}
}

// A replicated job with dependsOn has no pods until the one before is Complete or Ready
// (JobSet 0.12).
func TestRanksThatDependOnAnotherRole(t *testing.T) {
	for _, c := range []struct{ name, dependsOn, status, want string }{
		{"it runs", "{name: init, status: Complete}", "{name: init, ready: 1, active: 1, succeeded: 0}", "init"},
		{"it is complete", "{name: init, status: Complete}", "{name: init, ready: 0, active: 0, succeeded: 1}", ""},
		{"it is not ready", "{name: init, status: Ready}", "{name: init, ready: 0, active: 1, succeeded: 0}", "init"},
		{"it is ready", "{name: init, status: Ready}", "{name: init, ready: 1, active: 1, succeeded: 0}", ""},
		{"it is not counted yet", "{name: init, status: Complete}", "{name: other, ready: 1}", ""},
		{"no such job", "{name: data, status: Complete}", "{name: init, ready: 1, active: 1, succeeded: 0}", ""},
	} {
		set := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(`
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: gpt, namespace: ml, uid: u}
spec:
  replicatedJobs:
  - {name: init, replicas: 1, template: {spec: {template: {spec: {containers: [{name: main}]}}}}}
  - {name: node, replicas: 1, dependsOn: [`+c.dependsOn+`], template: {spec: {parallelism: 2, completions: 2, template: {spec: {containers: [{name: main}]}}}}}
status:
  replicatedJobsStatus:
  - `+c.status+`
`), &set.Object); err != nil {
			t.Fatal(err)
		}
		for _, r := range Assemble(&Family{Ref: RefOfSelf(set), Top: set}).Ranks {
			if want := c.want; r.Role == "node" && r.DependsOn != want || r.Role == "init" && r.DependsOn != "" {
				t.Errorf("%s: %s %d depends on %q, want %q", c.name, r.Role, r.RoleIndex, r.DependsOn, want)
			}
		}
	}
}
