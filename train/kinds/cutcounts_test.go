package kinds

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// A number that is greater than what is counted is never shown as if it were the
// true one.
func TestCountsThatAreCutAreSaid(t *testing.T) {
	const job = `{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j, uid: u}, spec: {pytorchReplicaSpecs: {Worker: {replicas: %REPLICAS, template: {spec: {containers: [{resources: {limits: {nvidia.com/gpu: %GPUS}}}]}}}}}}`
	for name, c := range map[string]struct{ replicas, gpus, says string }{
		"ranks":             {"3000000", "0", "1000000 or more ranks,"},
		"GPUs of one rank":  {"2", "3000000", "1000000 or more GPUs,"},
		"GPUs together":     {"500000", "8", "1000000 or more GPUs,"},
		"ranks and GPUs":    {"9223372036854775807", "8", "1000000 or more ranks and GPUs,"},
		"the largest exact": {"99999", "8", ""},
	} {
		got := Assemble(familyOf(t, strings.NewReplacer("%REPLICAS", c.replicas, "%GPUS", c.gpus).Replace(job)))
		if (got.CountsCut == "") != (c.says == "") || !strings.Contains(got.CountsCut, c.says) || !strings.Contains(got.Reason, got.CountsCut) {
			t.Errorf("%s: %d ranks, %d GPUs, %q, reason %q", name, got.Wanted, got.GPUs, got.CountsCut, got.Reason)
		}
	}
	ray := Assemble(familyOf(t, `{apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: j}, spec: {headGroupSpec: {}, workerGroupSpecs: [{groupName: g, replicas: 1, maxReplicas: 2147483647}]}}`))
	if ray.CountsCut != "" {
		t.Errorf("a cluster that may grow without a bound: %q", ray.CountsCut)
	}
}

// Ranks beyond those that are listed are counted and named.
func TestRanksBeyondTheListAreSaid(t *testing.T) {
	for replicas, want := range map[string]struct {
		unlisted int
		says     string
	}{
		"99999":   {0, ""},
		"100000":  {1, "of the 100001 ranks that its object wants, 0-99999 are listed"},
		"1000000": {900_001, "of the 1000001 ranks that its object wants, 0-99999 are listed"},
	} {
		job := Assemble(familyOf(t, `{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j, uid: u}, spec: {pytorchReplicaSpecs: {Master: {replicas: 1}, Worker: {replicas: `+replicas+`}}}}`))
		if job.Unlisted != want.unlisted || len(job.Ranks)+job.Unlisted != job.Wanted || (want.says == "") != (job.CountsCut == "") || !strings.Contains(job.CountsCut, want.says) {
			t.Errorf("%s: %d ranks are listed of %d, %d not; says %q", replicas, len(job.Ranks), job.Wanted, job.Unlisted, job.CountsCut)
		}
	}
}

// A restart count below 0 is no count: it is named and not counted.
func TestRestartCountsThatAreNone(t *testing.T) {
	const wrong = "restartCount of container pytorch of pod j-worker-0 is -7, which is no number of restarts and is not counted"
	for restarts, says := range map[int32]string{0: "", 3: "", -7: wrong, 2147483647: ""} {
		f := familyOf(t, `{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j, namespace: ml}, spec: {pytorchReplicaSpecs: {Worker: {}}}}`)
		p := pod("worker", "0", corev1.PodRunning)
		p.Spec.Containers = []corev1.Container{{Name: "pytorch"}}
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "pytorch", RestartCount: restarts}}
		f.Pods, f.PodsListed = []*corev1.Pod{p}, true
		if job := Assemble(f); job.CountsCut != says || job.Restarts != int(max(0, restarts)) {
			t.Errorf("%d: %d restarts, says %q", restarts, job.Restarts, job.CountsCut)
		}
	}
}
