package kube

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/redact/declared"
)

// TestExporterPods reads pods as the exporters' manifests create them, cut to
// the relevant fields. Each begins with its origin.
func TestExporterPods(t *testing.T) {
	for name, c := range map[string]struct{ pod, product, address, path string }{
		"GPU operator": {`
# gpu-operator 25.3, assets/state-dcgm-exporter/0800_daemonset.yaml
metadata: {labels: {app: nvidia-dcgm-exporter, app.kubernetes.io/managed-by: gpu-operator}}
spec: {nodeName: gpu-0, containers: [{image: "nvcr.io/nvidia/k8s/dcgm-exporter:4.2.3", ports: [{name: metrics, containerPort: 9400}]}]}`,
			"dcgm-exporter", "p:9400", "/metrics"},
		"Helm chart, another port": {`
# dcgm-exporter 4.8, deployment/templates/daemonset.yaml with service.port 9500
metadata: {labels: {app.kubernetes.io/name: dcgm-exporter, app.kubernetes.io/component: dcgm-exporter}}
spec: {nodeName: gpu-0, containers: [{name: exporter, image: mirror.example/x, ports: [{name: metrics, containerPort: 9500}]}]}`,
			"dcgm-exporter", "p:9500", "/metrics"},
		"by its image": {`
# a platform's own labels
metadata: {labels: {app: gpu-monitoring}}
spec: {nodeName: gpu-0, containers: [{image: "registry.example/nvidia/dcgm-exporter@sha256:00", ports: [{containerPort: 9401}]}]}`,
			"dcgm-exporter", "p:9401", "/metrics"},
		"by its port alone": {`
metadata: {labels: {app: something}}
spec: {nodeName: gpu-0, containers: [{image: "registry.example/gpu-stats:1", ports: [{containerPort: 9400}]}]}`,
			"what listens on 9400", "p:9400", "/metrics"},
		"two containers": {`
# gpu-monitoring-tools 1.x: dcgm-exporter collects, pod-gpu-metrics-exporter serves
metadata: {labels: {app: gpu-metrics-exporter}}
spec: {nodeName: gpu-0, containers: [{image: "nvidia/pod-gpu-metrics-exporter:v1.0.0-alpha", ports: [{name: gpu-metrics, containerPort: 9400}]}, {image: "nvidia/dcgm-exporter:1.4.6"}]}`,
			"pod-gpu-metrics-exporter", "p:9400", "/metrics"},
		"annotated, with TLS": {`
# dcgm-exporter with --web-config-file, and the annotations that Prometheus' own example goes by
metadata: {labels: {app.kubernetes.io/name: dcgm-exporter}, annotations: {prometheus.io/port: "9443", prometheus.io/scheme: https, prometheus.io/path: /gpu/metrics}}
spec: {nodeName: gpu-0, containers: [{image: dcgm-exporter, ports: [{name: metrics, containerPort: 9400}]}]}`,
			"dcgm-exporter", "https:p:9443", "/gpu/metrics"},
		"a port named https": {`
metadata: {labels: {app.kubernetes.io/name: dcgm-exporter}}
spec: {nodeName: gpu-0, containers: [{image: dcgm-exporter, ports: [{name: https-metrics, containerPort: 9400}]}]}`,
			"dcgm-exporter", "https:p:9400", "/metrics"},
		"a path that leads out": {`
metadata: {labels: {app.kubernetes.io/name: dcgm-exporter}, annotations: {prometheus.io/path: /../../../../secrets}}
spec: {nodeName: gpu-0, containers: [{image: dcgm-exporter}]}`,
			"dcgm-exporter", "p:9400", "/metrics"},
		"a path with a query": {`
metadata: {labels: {app.kubernetes.io/name: dcgm-exporter}, annotations: {prometheus.io/path: "/metrics?watch=true", prometheus.io/port: "99999"}}
spec: {nodeName: gpu-0, containers: [{image: dcgm-exporter}]}`,
			"dcgm-exporter", "p:9400", "/metrics"},
		"AMD": {`
# ROCm gpu-operator 1.4, DaemonSet NAME-metrics-exporter in kube-amd-gpu
metadata: {labels: {app.kubernetes.io/name: metrics-exporter, daemonset-name: default}}
spec: {nodeName: gpu-0, containers: [{name: metrics-exporter-container, image: "docker.io/rocm/device-metrics-exporter:v1.4.1", ports: [{containerPort: 5000}]}]}`,
			"device-metrics-exporter", "p:5000", "/metrics"},
		"Intel": {`
# xpumanager 1.2, deployment/kubernetes/daemonset-intel-xpum.yaml
metadata: {labels: {app: intel-xpumanager}}
spec: {nodeName: gpu-0, hostNetwork: true, containers: [{name: xpumd, image: intel/xpumanager}, {name: python-exporter, image: intel/xpumanager, ports: [{name: metrics, containerPort: 29999, hostPort: 29999}]}]}`,
			"XPU Manager", "p:29999", "/metrics"},
		"Habana": {`
# metric-exporter 1.19
metadata: {labels: {app.kubernetes.io/name: habana-metric-exporter-ds, app.kubernetes.io/version: v0.0.1}}
spec: {nodeName: gpu-0, containers: [{image: "vault.habana.ai/gaudi-metric-exporter/metric-exporter:1.19.0-561", ports: [{name: habana-metrics, containerPort: 41611}]}]}`,
			"habana-metric-exporter", "p:41611", "/metrics"},
		"Neuron": {`
# neuron-monitor 1.1
metadata: {labels: {app: neuron-monitor, version: v1}}
spec: {nodeName: gpu-0, containers: [{image: "public.ecr.aws/neuron/neuron-monitor:1.1.0", ports: [{containerPort: 8000}]}]}`,
			"neuron-monitor", "p:8000", "/metrics"},
		"HAMi's monitor beside its device plugin": {`
metadata: {name: p, labels: {app.kubernetes.io/component: hami-device-plugin, app.kubernetes.io/name: hami}}
spec: {nodeName: gpu-0, containers: [{name: device-plugin, image: "projecthami/hami:v2.7.0"}, {name: vgpu-monitor, image: "projecthami/hami:v2.7.0", ports: [{name: metrics, containerPort: 9394}]}]}`,
			"HAMi's monitor", "p:9394", "/metrics"},
		"HAMi's monitor of a chart without ports": {`
metadata: {name: p, labels: {app.kubernetes.io/component: hami-device-plugin}}
spec: {nodeName: gpu-0, containers: [{name: device-plugin, image: "projecthami/hami:v2.4.0"}, {name: vgpu-monitor, image: "projecthami/hami:v2.4.0"}]}`,
			"HAMi's monitor", "p:9394", "/metrics"},
		"HAMi's Ascend plugin": {`
metadata: {name: p, labels: {app.kubernetes.io/component: hami-ascend-device-plugin}}
spec: {nodeName: gpu-0, containers: [{image: "projecthami/ascend-device-plugin:v1.1.0"}]}`,
			"hami-ascend-device-plugin", "p:9395", "/metrics"},
		"all-smi by its image": {`
metadata: {name: p, labels: {app: gpu-monitor}}
spec: {nodeName: gpu-0, containers: [{image: "registry.example/tools/all-smi:0.20.0", args: [api, --port, "9090"]}]}`,
			"all-smi", "p:9090", "/metrics"},
		"mindprince's exporter by its image": {`
metadata: {name: p, labels: {app: gpu-exporter}}
spec: {nodeName: gpu-0, containers: [{image: "mindprince/nvidia_gpu_prometheus_exporter:0.1", ports: [{containerPort: 9445}]}]}`,
			"nvidia_gpu_prometheus_exporter", "p:9445", "/metrics"},
		"nvidia_gpu_exporter": {`
# utkuozdemir helm-charts, nvidia-gpu-exporter
metadata: {labels: {app.kubernetes.io/name: nvidia-gpu-exporter, app.kubernetes.io/instance: r}}
spec: {nodeName: gpu-0, containers: [{image: "docker.io/utkuozdemir/nvidia_gpu_exporter:1.3.1", ports: [{name: http, containerPort: 9835}]}]}`,
			"nvidia_gpu_exporter", "p:9835", "/metrics"},
		"TPU": {`
metadata: {labels: {k8s-app: tpu-device-plugin}}
spec: {nodeName: gpu-0, containers: [{image: "gke.gcr.io/tpu-device-plugin:1.35", ports: [{name: metrics, containerPort: 2112}]}]}`,
			"tpu-device-plugin", "p:2112", "/metrics"},
		"not scheduled yet": {`
metadata: {labels: {app: nvidia-dcgm-exporter}}
spec: {containers: [{image: dcgm-exporter}]}`, "", "", ""},
		"ended": {`
metadata: {labels: {app: nvidia-dcgm-exporter}}
spec: {nodeName: gpu-0, containers: [{image: dcgm-exporter}]}
status: {phase: Failed}`, "", "", ""},
		"a training pod": {`
metadata: {labels: {training.kubeflow.org/job-name: bert, app: bert}}
spec: {nodeName: gpu-0, containers: [{image: "registry.example/train:1", ports: [{containerPort: 23456}]}]}`, "", "", ""},
		"the host engine": {`
# gpu-operator 25.3, assets/state-dcgm
metadata: {labels: {app: nvidia-dcgm}}
spec: {nodeName: gpu-0, containers: [{image: "nvcr.io/nvidia/cloud-native/dcgm:4.2.3", ports: [{name: dcgm, containerPort: 5555}]}]}`, "", "", ""},
	} {
		var pod corev1.Pod
		if err := yaml.UnmarshalStrict([]byte(c.pod), &pod); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		pod.Name, pod.Namespace = "p", "gpu-operator"
		e, found := exporterOf(&pod)
		if found != (c.product != "") {
			t.Errorf("%s: found %v", name, found)
			continue
		}
		if found && (e.product.name != c.product || e.address() != c.address || e.path != c.path || e.node != "gpu-0") {
			t.Errorf("%s: %s at %s%s, want %s at %s%s", name, e.product.name, e.address(), e.path, c.product, c.address, c.path)
		}
	}
}

// Slimming keeps the fields by which exporters are found.
func TestExportersAreFoundAfterSlimming(t *testing.T) {
	var pod corev1.Pod
	err := yaml.Unmarshal([]byte(`
metadata: {labels: {app: x}, annotations: {prometheus.io/port: "9500"}}
spec: {nodeName: gpu-0, containers: [{image: "nvcr.io/nvidia/k8s/dcgm-exporter:4", ports: [{name: metrics, containerPort: 9400}]}]}
status: {phase: Running, podIP: 10.0.0.9, podIPs: [{ip: 10.0.0.9}]}`), &pod)
	if err != nil {
		t.Fatal(err)
	}
	before, _ := exporterOf(&pod)
	slimmer(client.CoreResources[0], &declared.Values{})(&pod)
	if after, found := exporterOf(&pod); !found || after != before || after.port != 9500 || after.down != "" {
		t.Errorf("after slimming %+v, before %+v", after, before)
	}
}
