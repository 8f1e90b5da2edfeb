package kube

import (
	"path"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/sources/kube/client"
)

// exporter is a pod that exports accelerator metrics, and how to scrape it.
type exporter struct {
	namespace, pod, uid string
	// node is the pod's node: its metrics belong to this node, whatever its
	// host label names.
	node    string
	product *exporterProduct
	// guessed is true if only a port or a vague label hints at an exporter: if
	// such a pod has no accelerator metrics, it is ignored without a report.
	guessed bool
	port    int32
	https   bool
	path    string
	// down is why it cannot be scraped, "" while it runs.
	down string
}

func (e *exporter) podName() podName { return podName{e.namespace, e.pod} }

// key identifies the pod.
func (e *exporter) key() string { return e.namespace + "/" + e.pod }

// source is the exporter's name in measurements.
func (e *exporter) source() string { return "exporter/" + e.key() }

// address is the pod's name in the URL of the API server's proxy.
func (e *exporter) address() string {
	address := e.pod + ":" + strconv.Itoa(int(e.port))
	if e.https {
		return "https:" + address
	}
	return address
}

// exporterOf reports whether a pod exports accelerator metrics: by its labels,
// else by the images of its containers, else by DCGM's port.
func exporterOf(pod *corev1.Pod) (e exporter, found bool) {
	product, guessed := productByLabel(pod.Labels)
	if made := productByImage(pod); made != nil && (product == nil || guessed) {
		product, guessed = made, false
	}
	if product == nil && hasPort(pod, guessedProduct.port) {
		product, guessed = guessedProduct, true
	}
	if product == nil || pod.Spec.NodeName == "" || ended(pod) {
		return e, false
	}
	e = exporter{
		namespace: pod.Namespace, pod: pod.Name, uid: string(pod.UID), node: pod.Spec.NodeName, product: product,
		guessed: guessed, down: whyDown(pod),
	}
	e.choosePort(pod)
	e.path = annotatedPath(pod)
	return e, true
}

func productByLabel(labels map[string]string) (product *exporterProduct, vague bool) {
	for i := range exporterLabels {
		of := &exporterLabels[i]
		if value, has := labels[of.key]; has && of.products[value] != nil {
			return of.products[value], of.vague[value]
		}
	}
	return nil, false
}

func productByImage(pod *corev1.Pod) *exporterProduct {
	for i := range pod.Spec.Containers {
		for _, product := range exporterProducts {
			if product.made(&pod.Spec.Containers[i]) {
				return product
			}
		}
	}
	return nil
}

// made reports whether a container's image belongs to the product.
func (f *exporterProduct) made(c *corev1.Container) bool {
	for _, part := range f.images {
		if strings.Contains(c.Image, part) {
			return true
		}
	}
	return false
}

func hasPort(pod *corev1.Pod, port int32) bool {
	for i := range pod.Spec.Containers {
		for _, p := range pod.Spec.Containers[i].Ports {
			if p.ContainerPort == port {
				return true
			}
		}
	}
	return false
}

func ended(pod *corev1.Pod) bool {
	return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed || pod.DeletionTimestamp != nil
}

// whyDown returns why a pod cannot be scraped.
func whyDown(pod *corev1.Pod) string {
	if pod.Status.Phase != corev1.PodPending && pod.Status.PodIP != "" {
		return ""
	}
	for i := range pod.Status.ContainerStatuses {
		if waiting := pod.Status.ContainerStatuses[i].State.Waiting; waiting != nil && waiting.Reason != "" {
			return "its pod does not run: " + client.Printable(waiting.Reason)
		}
	}
	return "its pod does not run yet"
}

// The annotations that scrapers other than the Prometheus operator use.
const (
	portAnnotation   = "prometheus.io/port"
	pathAnnotation   = "prometheus.io/path"
	schemeAnnotation = "prometheus.io/scheme"
)

// choosePort takes the annotated port, else the container's port with a name
// of the product, else the only port of the exporter's container, else the
// default.
func (e *exporter) choosePort(pod *corev1.Pod) {
	e.port, e.https = e.product.port, pod.Annotations[schemeAnnotation] == "https"
	if port, err := strconv.ParseUint(pod.Annotations[portAnnotation], 10, 16); err == nil && port > 0 {
		e.port = int32(port) //nolint:gosec // 16 bits
		return
	}
	if port := e.product.portOf(pod); port != nil {
		e.port = port.ContainerPort
		e.https = e.https || strings.Contains(port.Name, "https")
	}
}

func (f *exporterProduct) portOf(pod *corev1.Pod) *corev1.ContainerPort {
	for _, name := range f.ports {
		for i := range pod.Spec.Containers {
			for j := range pod.Spec.Containers[i].Ports {
				if port := &pod.Spec.Containers[i].Ports[j]; port.Name == name && isTCP(port) {
					return port
				}
			}
		}
	}
	if hasPort(pod, f.port) {
		return nil
	}
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		if len(c.Ports) == 1 && isTCP(&c.Ports[0]) && (f.made(c) || len(pod.Spec.Containers) == 1) {
			return &c.Ports[0]
		}
	}
	return nil
}

func isTCP(port *corev1.ContainerPort) bool {
	return port.Protocol == "" || port.Protocol == corev1.ProtocolTCP
}

// annotatedPath returns the annotated path if it is a plain one: it becomes
// part of a request with the rights of this program's user, and must not lead
// out of the pod.
func annotatedPath(pod *corev1.Pod) string {
	given := pod.Annotations[pathAnnotation]
	if !strings.HasPrefix(given, "/") || path.Clean(given) != given || len(given) > 128 {
		return metricsPath
	}
	for _, r := range given {
		if !strings.ContainsRune("/-_.", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return metricsPath
		}
	}
	return given
}
