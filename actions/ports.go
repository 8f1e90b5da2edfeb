package actions

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Port is a port of a pod that is worth forwarding.
type Port struct {
	// Name is the program's name: "TensorBoard".
	Name string
	// Number is the container's port.
	Number int
	// Scheme and Path make the address for a browser; Scheme is "" if no browser
	// can show it.
	Scheme, Path string
	// Container is the one that declares it, "" if none does: then perhaps
	// nothing listens on it.
	Container string
}

// known is a program, its port, and the usual names of that port.
type known struct {
	port  Port
	names []string // names of container ports, and words in images and commands
}

// knownPorts are the programs that run in pods of training, each with its default port.
var knownPorts = []known{
	// tensorboard --port
	{Port{Name: "TensorBoard", Number: 6006, Scheme: "http", Path: "/"}, []string{"tensorboard", "tb"}},
	// ray start --dashboard-port; KubeRay's samples name it "dashboard"
	{Port{Name: "Ray dashboard", Number: 8265, Scheme: "http", Path: "/"}, []string{"dashboard", "ray-dashboard"}},
	// ServerApp.port; Kubeflow's notebook controller names it "notebook-port"
	{Port{Name: "Jupyter", Number: 8888, Scheme: "http", Path: "/"}, []string{"jupyter", "notebook", "notebook-port"}},
	// code-server --bind-addr
	{Port{Name: "VS Code", Number: 8080, Scheme: "http", Path: "/"}, []string{"code-server", "vscode"}},
	// mlflow server --port
	{Port{Name: "MLflow", Number: 5000, Scheme: "http", Path: "/"}, []string{"mlflow"}},
	// aim up --port
	{Port{Name: "Aim", Number: 43800, Scheme: "http", Path: "/"}, []string{"aim"}},
	// dask scheduler --dashboard-address; dask-kubernetes names it "http-dashboard"
	{Port{Name: "Dask dashboard", Number: 8787, Scheme: "http", Path: "/status"}, []string{"dask", "dask-dashboard", "http-dashboard"}},
	// GRADIO_SERVER_PORT
	{Port{Name: "Gradio", Number: 7860, Scheme: "http", Path: "/"}, []string{"gradio"}},
	// streamlit's server.port
	{Port{Name: "Streamlit", Number: 8501, Scheme: "http", Path: "/"}, []string{"streamlit"}},
	// prometheus --web.listen-address
	{Port{Name: "Prometheus", Number: 9090, Scheme: "http", Path: "/"}, []string{"prometheus"}},
	// dcgm-exporter --address
	{Port{Name: "DCGM exporter", Number: 9400, Scheme: "http", Path: "/metrics"}, []string{"dcgm", "dcgm-exporter", "gpu-metrics"}},
	// vLLM and many servers of models, beside their API
	{Port{Name: "metrics", Number: 8000, Scheme: "http", Path: "/metrics"}, []string{"metrics", "http-metrics"}},
	// debugpy's examples, and what the VS Code Python extension writes
	{Port{Name: "debugpy", Number: 5678}, []string{"debugpy", "debug"}},
	// training-operator v1: DefaultPort and DefaultPortName of PyTorchJob; 29500 is torchrun's
	{Port{Name: "PyTorch rendezvous", Number: 23456}, []string{"pytorchjob-port"}},
	{Port{Name: "torchrun rendezvous", Number: 29500}, []string{"master", "rdzv"}},
	// ray start --port, --ray-client-server-port
	{Port{Name: "Ray GCS", Number: 6379}, []string{"gcs", "gcs-server", "redis"}},
	{Port{Name: "Ray client", Number: 10001}, []string{"client"}},
}

// rayNodeType is the label that KubeRay gives its pods, rayHead its value for the pod
// whose Service has the dashboard's port even if its container declares none (KubeRay
// 1.4, BuildServiceForHeadPod).
const rayNodeType, rayHead = "ray.io/node-type", "head"

// defaultPorts are offered for pods that declare no such port: programs that a training
// script starts itself.
var defaultPorts = []int{6006, 8888}

// Ports returns the ports of a pod to offer, each once: those that its containers
// declare, the ones for a browser first, each with the name of a known program; then
// those that its labels and commands suggest or that people mostly want. A port may have
// no listener.
func Ports(pod *corev1.Pod) []Port {
	if pod == nil {
		return nil
	}
	var found []Port
	add := func(p Port) {
		if p.Number > 0 && p.Number <= 65535 && !slices.ContainsFunc(found, func(o Port) bool { return o.Number == p.Number }) {
			found = append(found, p)
		}
	}
	for i := range pod.Spec.Containers {
		container := &pod.Spec.Containers[i]
		for _, declared := range container.Ports {
			if declared.Protocol == "" || declared.Protocol == corev1.ProtocolTCP { // only TCP can be forwarded
				add(declaredPort(container.Name, declared))
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Port) int { return orderOf(a) - orderOf(b) })
	for _, one := range slices.Concat(labelled(pod), mentionedPorts(pod), usual()) {
		if !slices.ContainsFunc(found, func(o Port) bool { return o.Name == one.Name }) {
			add(one)
		}
	}
	return found
}

func usual() []Port { return numbered(defaultPorts...) }

// labelled returns the ports that an operator's label suggests.
func labelled(pod *corev1.Pod) []Port {
	if pod.Labels[rayNodeType] == rayHead {
		return numbered(8265)
	}
	return nil
}

func numbered(numbers ...int) []Port {
	var found []Port
	for _, one := range knownPorts {
		if slices.Contains(numbers, one.port.Number) {
			found = append(found, one.port)
		}
	}
	return found
}

func orderOf(p Port) int {
	if p.Scheme != "" {
		return 0
	}
	return 1
}

// declaredPort names a declared port: by the port's own name first, since different
// programs use the same number.
func declaredPort(container string, declared corev1.ContainerPort) Port {
	made := Port{Name: declared.Name, Number: int(declared.ContainerPort), Container: container}
	byName := slices.IndexFunc(knownPorts, func(k known) bool { return declared.Name != "" && slices.Contains(k.names, declared.Name) })
	byNumber := slices.IndexFunc(knownPorts, func(k known) bool { return k.port.Number == made.Number })
	switch {
	case byName >= 0:
		like := knownPorts[byName].port
		made.Name, made.Scheme, made.Path = like.Name, like.Scheme, like.Path
	case byNumber >= 0 && (declared.Name == "" || generic(declared.Name)):
		like := knownPorts[byNumber].port
		made.Name, made.Scheme, made.Path = like.Name, like.Scheme, like.Path
	case strings.HasPrefix(declared.Name, "https"):
		made.Scheme, made.Path = "https", "/"
	case strings.HasPrefix(declared.Name, "http") || strings.HasPrefix(declared.Name, "web"):
		made.Scheme, made.Path = "http", "/"
	}
	return made
}

// generic reports whether a port's name does not identify the program.
func generic(name string) bool {
	return slices.Contains([]string{"http", "web", "port", "main", "ui", "tcp"}, name)
}

// mentionedPorts returns the ports of known programs whose name is a word of a container's
// image, name or command: `tensorboard --logdir`, a jupyter image.
func mentionedPorts(pod *corev1.Pod) []Port {
	var found []Port
	for i := range pod.Spec.Containers {
		container := &pod.Spec.Containers[i]
		words := strings.ToLower(strings.Join(append(append([]string{container.Name, container.Image}, container.Command...), container.Args...), " "))
		for _, one := range knownPorts {
			if one.port.Scheme != "" && len(one.names[0]) > 3 && one.names[0] != "dashboard" && one.names[0] != "metrics" && strings.Contains(words, one.names[0]) {
				found = append(found, one.port)
			}
		}
	}
	return found
}
