package exporters

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/e2e/controlplane"
)

// Namespace is where Install puts exporters; the caller makes it.
const Namespace = "gpu-operator"

// Install starts an exporter that answers with page, and makes its pod on the
// node, as NVIDIA's GPU operator does.
func Install(ctx context.Context, cluster *controlplane.ControlPlane, node string, page func() string) (*Exporter, error) {
	exporter, err := Start(page)
	if err != nil {
		return nil, err
	}
	name := "nvidia-dcgm-exporter-" + node
	_, err = cluster.Apply(ctx, fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata: {name: %s, namespace: %s, labels: {app: nvidia-dcgm-exporter}}
spec:
  nodeName: %s
  tolerations: [{operator: Exists}]
  containers:
  - name: nvidia-dcgm-exporter
    image: nvcr.io/nvidia/k8s/dcgm-exporter:4.2.3-4.1.3-ubuntu22.04
    ports: [{name: metrics, containerPort: %d}]
`, name, Namespace, node, exporter.Port))
	if err == nil {
		err = exporter.showAddress(ctx, cluster, name)
	}
	if err != nil {
		exporter.Stop()
		return nil, fmt.Errorf("install an exporter on %s: %w", node, err)
	}
	return exporter, nil
}

// showAddress writes where the exporter listens into the status of its pod,
// once that runs.
func (e *Exporter) showAddress(ctx context.Context, cluster *controlplane.ControlPlane, name string) error {
	pods := cluster.Clients().CoreV1().Pods(Namespace)
	return cluster.Wait(ctx, time.Minute, func(ctx context.Context) error {
		pod, err := pods.Get(ctx, name, metav1.GetOptions{})
		if err == nil && pod.Status.Phase != corev1.PodRunning {
			err = fmt.Errorf("pod %s is %s", name, pod.Status.Phase)
		}
		if err != nil {
			return err
		}
		patch := fmt.Appendf(nil, `{"status":{"podIP":%[1]q,"podIPs":[{"ip":%[1]q}]}}`, e.Host)
		_, err = pods.Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
		return err
	})
}
