package kinds

import (
	"strings"
	"testing"
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
		"the largest exact": {"124999", "8", ""},
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
