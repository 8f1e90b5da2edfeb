package kube

import (
	"slices"
	"strings"
)

// exporterProduct describes how one exporter of accelerator metrics is
// installed: how to find its pods, and where they serve metrics.
// sources/metrics interprets the metrics.
type exporterProduct struct {
	// name is shown to people.
	name string
	// labels are "key=value"; one of them on a pod is enough.
	labels []string
	// vague labels are also used by other programs: a pod that has one, and no
	// image of the product, may export no accelerator metrics.
	vague []string
	// images are parts of image names, for installations with their own
	// labels.
	images []string
	// ports are names of container ports, the preferred one first.
	ports []string
	// port is the default port.
	port int32
}

// metricsPath is the path of all of them, unless the pod has an annotation.
const metricsPath = "/metrics"

// exporterProducts in the order in which images are compared. Never modified.
var exporterProducts = []*exporterProduct{
	{
		// GPU operator (assets/state-dcgm-exporter/0800_daemonset.yaml, 25.3): app=nvidia-dcgm-exporter.
		// Helm chart and dcgm-exporter.yaml (dcgm-exporter 4.8): app.kubernetes.io/name=dcgm-exporter, port "metrics".
		// GKE's managed one and several platforms (cnvrg): app or k8s-app of the plain name.
		name:   "dcgm-exporter",
		labels: []string{"app=nvidia-dcgm-exporter", "app.kubernetes.io/name=dcgm-exporter", "app.kubernetes.io/name=nvidia-dcgm-exporter", "app=dcgm-exporter", "k8s-app=dcgm-exporter", "app.kubernetes.io/name=gke-managed-dcgm-exporter"},
		images: []string{"dcgm-exporter"},
		ports:  []string{"metrics", "gpu-metrics", "http-metrics", "https-metrics"}, port: 9400,
	},
	{
		// gpu-monitoring-tools 1.x: two containers; this one serves what the
		// other collects.
		name:   "pod-gpu-metrics-exporter",
		vague:  []string{"app=gpu-metrics-exporter"},
		images: []string{"pod-gpu-metrics-exporter"},
		ports:  []string{"gpu-metrics", "metrics"}, port: 9400,
	},
	{
		// ROCm device-metrics-exporter 1.5: docs of the GPU operator (namespace kube-amd-gpu) and its own chart.
		name:   "device-metrics-exporter",
		labels: []string{"app.kubernetes.io/name=device-metrics-exporter", "app.kubernetes.io/name=amdgpu-metrics-exporter-charts"},
		vague:  []string{"app.kubernetes.io/name=metrics-exporter"},
		images: []string{"device-metrics-exporter", "amd-metrics-exporter"},
		ports:  []string{"metrics", "exporter-port", "http"}, port: 5000,
	},
	{
		// XPU Manager 1.2 (deployment/kubernetes/daemonset-intel-xpum.yaml): a REST server in Python beside the
		// daemon. XPU Manager 2 (xpumd) serves by itself at 8080, which its manifests name "metrics".
		name:   "XPU Manager",
		labels: []string{"app=intel-xpumanager", "app.kubernetes.io/name=xpu-manager", "app.kubernetes.io/name=intel-xpumanager", "app.kubernetes.io/name=xpumd", "app=xpumd"},
		images: []string{"xpumanager", "xpumd"},
		ports:  []string{"metrics", "rest", "http"}, port: 29999,
	},
	{
		// Intel Gaudi's metric exporter 1.19: one DaemonSet, port 41611.
		name:   "habana-metric-exporter",
		labels: []string{"app.kubernetes.io/name=habana-metric-exporter-ds", "app.kubernetes.io/name=habana-metric-exporter", "name=habana-metric-exporter"},
		images: []string{"metric-exporter/habana", "habana-metric-exporter", "gaudi-metric-exporter"},
		ports:  []string{"habana-metrics", "metrics"}, port: 41611,
	},
	{
		// AWS neuron-monitor 1.x as a DaemonSet (neuron-monitor-prometheus.py).
		name:   "neuron-monitor",
		labels: []string{"app=neuron-monitor", "app.kubernetes.io/name=neuron-monitor", "k8s-app=neuron-monitor"},
		images: []string{"neuron-monitor"},
		ports:  []string{"metrics", "prometheus"}, port: 8000,
	},
	{
		// GKE's TPU device plugin 1.35 exports by itself.
		name:   "tpu-device-plugin",
		labels: []string{"k8s-app=tpu-device-plugin"},
		images: []string{"tpu-device-plugin"},
		ports:  []string{"metrics"}, port: 2112,
	},
	{
		// HAMi's monitor, a container beside its device plugins. Charts of HAMi 2.4 to 2.9
		// (charts/hami/templates/device-plugin/daemonsetnvidia.yaml: the label, and the port "metrics" in
		// newer ones; monitorservice.yaml: 9394).
		name:   "HAMi's monitor",
		labels: []string{"app.kubernetes.io/component=hami-device-plugin"},
		images: []string{"vgpu-monitor"},
		ports:  []string{"metrics", "monitorport"}, port: 9394,
	},
	{
		// HAMi's device plugin for Ascend exports by itself where it slices in software (docs
		// of ascend-device-plugin).
		name:   "hami-ascend-device-plugin",
		labels: []string{"app.kubernetes.io/component=hami-ascend-device-plugin"},
		ports:  []string{"metrics"}, port: 9395,
	},
	{
		// lablup/all-smi 0.9 to 0.20, "all-smi api": 9090 unless it is configured otherwise.
		// It has no chart; people name pods and images like the program.
		name:   "all-smi",
		labels: []string{"app.kubernetes.io/name=all-smi", "app=all-smi"},
		images: []string{"all-smi"},
		ports:  []string{"metrics", "http"}, port: 9090,
	},
	{
		// mindprince/nvidia_gpu_prometheus_exporter 0.1 and its forks (Dockerfile: 9445).
		name:   "nvidia_gpu_prometheus_exporter",
		labels: []string{"app=nvidia-gpu-prometheus-exporter"},
		images: []string{"nvidia_gpu_prometheus_exporter", "nvidia-gpu-prometheus-exporter"},
		ports:  []string{"metrics", "http"}, port: 9445,
	},
	{
		// utkuozdemir/nvidia_gpu_exporter 1.x (helm-charts/nvidia-gpu-exporter).
		name:   "nvidia_gpu_exporter",
		labels: []string{"app.kubernetes.io/name=nvidia-gpu-exporter", "app=nvidia-gpu-exporter"},
		images: []string{"nvidia_gpu_exporter", "nvidia-gpu-exporter"},
		ports:  []string{"http", "metrics"}, port: 9835,
	},
}

// guessedProduct is for a pod that only has the port of DCGM's exporter.
var guessedProduct = &exporterProduct{name: "what listens on 9400", port: 9400}

// labelled maps the values of one label to products.
type labelled struct {
	key      string
	products map[string]*exporterProduct
	vague    map[string]bool
}

// exporterLabels are the labels of all products, by key.
var exporterLabels = func() []labelled {
	var all []labelled
	at := func(key string) *labelled {
		for i := range all {
			if all[i].key == key {
				return &all[i]
			}
		}
		all = append(all, labelled{key, map[string]*exporterProduct{}, map[string]bool{}})
		return &all[len(all)-1]
	}
	for _, product := range exporterProducts {
		for _, label := range slices.Concat(product.labels, product.vague) {
			key, value, _ := strings.Cut(label, "=")
			of := at(key)
			of.products[value] = product
			of.vague[value] = slices.Contains(product.vague, label)
		}
	}
	return all
}()
