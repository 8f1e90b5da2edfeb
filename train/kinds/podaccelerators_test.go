package kinds

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

func TestTemplateAccelerators(t *testing.T) {
	limits := func(list string) string { return "{resources: {limits: {" + list + "}}}" }
	claims := map[string]string{
		"four":   "{spec: {spec: {devices: {requests: [{exactly: {deviceClassName: gpu.nvidia.com, count: 4}}]}}}}",
		"old":    "{spec: {spec: {devices: {requests: [{deviceClassName: mig.nvidia.com}]}}}}",
		"choice": "{spec: {spec: {devices: {requests: [{firstAvailable: [{deviceClassName: gpu.nvidia.com, count: 2}, {deviceClassName: mig.nvidia.com, count: 7}]}]}}}}",
		"domain": "{spec: {spec: {devices: {requests: [{exactly: {deviceClassName: compute-domain-default-channel.nvidia.com}}]}}}}",
	}
	find := claimFinder{namespace: "ml", find: func(kind schema.GroupKind, _, name string) (*unstructured.Unstructured, train.Presence) {
		text, known := claims[name]
		if !known || kind != resourceClaimTemplateKind {
			return nil, train.Unknown
		}
		return object(t, "{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: "+name+"}, "+text[1:]), train.Present
	}}
	claimed := func(template string) string {
		return "containers: [{}], resourceClaims: [{name: c, resourceClaimTemplateName: " + template + "}]"
	}
	for name, c := range map[string]struct {
		spec, annotations string
		want              int
		resource          string
	}{
		"whole GPUs":              {"containers: [" + limits("nvidia.com/gpu: 8, cpu: 4") + "]", "", 8, "nvidia.com/gpu"},
		"quoted":                  {"containers: [" + limits("nvidia.com/gpu: '8'") + "]", "", 8, "nvidia.com/gpu"},
		"requests alone":          {"containers: [{resources: {requests: {amd.com/gpu: 2}}}]", "", 2, "amd.com/gpu"},
		"two containers":          {"containers: [" + limits("nvidia.com/gpu: 1") + ", " + limits("nvidia.com/gpu: 3") + "]", "", 4, "nvidia.com/gpu"},
		"init takes turns":        {"containers: [" + limits("nvidia.com/gpu: 2") + "], initContainers: [" + limits("nvidia.com/gpu: 1") + ", " + limits("nvidia.com/gpu: 3") + "]", "", 3, "nvidia.com/gpu"},
		"sidecar stays":           {"containers: [" + limits("nvidia.com/gpu: 2") + "], initContainers: [{restartPolicy: Always, resources: {limits: {nvidia.com/gpu: 1}}}]", "", 3, "nvidia.com/gpu"},
		"slices":                  {"containers: [" + limits("nvidia.com/mig-1g.5gb: 2, nvidia.com/mig-2g.10gb: 3") + "]", "", 5, "nvidia.com/mig-2g.10gb"},
		"memory beside a device":  {"containers: [" + limits("nvidia.com/gpu: 1, nvidia.com/gpumem: 30000") + "]", "", 1, "nvidia.com/gpu"},
		"memory alone is a share": {"containers: [" + limits("aliyun.com/gpu-mem: 8") + "]", "", 1, "nvidia.com/gpu"},
		"fraction by annotation":  {"containers: [{}]", "gpu-fraction: '0.5'", 1, "nvidia.com/gpu"},
		"network cards":           {"containers: [" + limits("rdma/hca: 8, vpc.amazonaws.com/efa: 4") + "]", "", 0, ""},
		"claim":                   {claimed("four"), "", 4, "gpu.nvidia.com"},
		"claim of v1beta1":        {claimed("old"), "", 1, "mig.nvidia.com"},
		"claim with a choice":     {claimed("choice"), "", 2, "gpu.nvidia.com"},
		"NVLink domain":           {claimed("domain"), "", 0, ""},
		"claim unseen":            {claimed("elsewhere"), "", 1, ""},
		"nonsense":                {"containers: [" + limits("nvidia.com/gpu: [many]") + ", 7, {resources: 3}]", "", 0, ""},
		"below zero":              {"containers: [" + limits("nvidia.com/gpu: -3") + "]", "", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			template := object(t, "{apiVersion: v1, kind: PodTemplate, metadata: {annotations: {"+c.annotations+"}}, spec: {"+c.spec+"}}")
			got := templateAccelerators(fieldsOf(template), find)
			if got.devices() != c.want || got.own.main() != c.resource {
				t.Errorf("%d of %q, want %d of %q", got.devices(), got.own.main(), c.want, c.resource)
			}
		})
	}
}

// TestCountsOfClaimsAndSharesThatCannotBeReadAreNamed: they count as one device, and
// the job and the node report it.
func TestCountsOfClaimsAndSharesThatCannotBeReadAreNamed(t *testing.T) {
	const counts = ", which cannot be read and counts as one device"
	for _, c := range []struct {
		count, annotations string
		gpus               int
		says               string
	}{
		{"4", "", 4, ""}, {`"4"`, "", 4, ""}, {"null", "", 1, ""}, {"0", "", 1, ""},
		{"many", "", 1, `count in request gpus of ResourceClaimTemplate pool of role Job is "many"` + counts},
		{"2.5", "", 1, `count in request gpus of ResourceClaimTemplate pool of role Job is 2.5` + counts},
		{"-3", "", 1, `count in request gpus of ResourceClaimTemplate pool of role Job is -3` + counts},
		{"[2]", "", 1, `count in request gpus of ResourceClaimTemplate pool of role Job is a list` + counts},
		{"", "gpu-fraction: '0.5'", 1, ""}, {"", "gpu-memory: '2000', gpu-fraction-num-devices: '3'", 3, ""},
		{"", "gpu-fraction: half", 1, `gpu-fraction in the annotations of role Job is "half"` + counts},
		{"", "gpu-fraction: NaN", 1, `gpu-fraction in the annotations of role Job is "NaN"` + counts},
		{"", "gpu-memory: 2Gi", 1, `gpu-memory in the annotations of role Job is "2Gi"` + counts},
		{"", "gpu-fraction: '0.5', gpu-fraction-num-devices: two", 1, `gpu-fraction-num-devices in the annotations of role Job is "two"` + counts},
		{"", "gpu-fraction: '0.5', gpu-fraction-num-devices: '0'", 1, `gpu-fraction-num-devices in the annotations of role Job is "0"` + counts},
	} {
		claims := ""
		if c.count != "" {
			claims = ", resourceClaims: [{name: c, resourceClaimTemplateName: pool}]"
		}
		f := familyOf(t, `{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: ml}, spec: {parallelism: 1, completions: 1,
		  template: {metadata: {annotations: {`+c.annotations+`}}, spec: {containers: [{}]`+claims+`}}}}`)
		f.Find = func(schema.GroupKind, string, string) (*unstructured.Unstructured, train.Presence) {
			return object(t, `{apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: pool},
			  spec: {spec: {devices: {requests: [{name: gpus, exactly: {deviceClassName: gpu.nvidia.com, count: `+c.count+`}}]}}}}`), train.Present
		}
		job := Assemble(f)
		if job.GPUs != c.gpus || strings.ReplaceAll(job.CountsCut, " of role "+job.Roles[0].Name, " of role Job") != c.says {
			t.Errorf("count %s, annotations %s: %d GPUs, %q; want %d, %q", c.count, c.annotations, job.GPUs, job.CountsCut, c.gpus, c.says)
		}
	}
	p := holder("p", corev1.PodRunning, nil)
	p.Annotations = map[string]string{"gpu-fraction": "half"}
	if got := Node(&corev1.Node{}, []*corev1.Pod{p}); !strings.Contains(got.CountsCut, `gpu-fraction in the annotations of pod ml/p is "half"`+counts) || got.Held != 1 {
		t.Errorf("the node holds %d, %q", got.Held, got.CountsCut)
	}
}

// TestSharedClaim: pods that share one claim request its devices once.
func TestSharedClaim(t *testing.T) {
	f := familyOf(t, `{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: ml}, spec: {parallelism: 3,
	  template: {spec: {containers: [{}], resourceClaims: [{name: c, resourceClaimName: pool}]}}}}`)
	f.Find = func(kind schema.GroupKind, _, name string) (*unstructured.Unstructured, train.Presence) {
		if kind != resourceClaimKind || name != "pool" {
			return nil, train.Absent
		}
		return object(t, `{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: pool},
		  spec: {devices: {requests: [{exactly: {deviceClassName: gpu.nvidia.com, allocationMode: All}}]}},
		  status: {allocation: {devices: {results: [{device: a}, {device: b}]}}}}`), train.Present
	}
	if job := Assemble(f); job.GPUs != 2 || job.Roles[0].GPUs != 2 {
		t.Errorf("job asks for %d, each pod can use %d, want 2 and 2", job.GPUs, job.Roles[0].GPUs)
	}
}
