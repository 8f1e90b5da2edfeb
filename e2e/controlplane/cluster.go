package controlplane

import (
	"context"
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// NotReadyAnnotation on a node keeps kwok from making it Ready.
const NotReadyAnnotation = "e2e/not-ready"

// CreateNodes makes n nodes named prefix-0, prefix-1, ... with the given
// number of GPUs each (0 for machines without), and waits until they are Ready.
func (c *ControlPlane) CreateNodes(ctx context.Context, prefix string, n, gpus int) error {
	for i := range n {
		node := gpuNode(prefix+"-"+strconv.Itoa(i), gpus)
		if _, err := c.clients.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("create node %s: %w", node.Name, err)
		}
	}
	for i := range n {
		if err := c.poll(ctx, func(ctx context.Context) error { return c.nodeReady(ctx, prefix+"-"+strconv.Itoa(i)) }); err != nil {
			return fmt.Errorf("wait for nodes %s-*: %w", prefix, err)
		}
	}
	return nil
}

func (c *ControlPlane) nodeReady(ctx context.Context, name string) error {
	node, err := c.clients.CoreV1().Nodes().Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	for _, taint := range node.Spec.Taints {
		if taint.Key == corev1.TaintNodeNotReady {
			return fmt.Errorf("node %s still has the taint %s", name, taint.Key)
		}
	}
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady && condition.Status == corev1.ConditionTrue {
			return nil
		}
	}
	return fmt.Errorf("node %s is not Ready", name)
}

// gpuNode is sized like a machine with eight accelerators: 192 cores, 2 TiB.
func gpuNode(name string, gpus int) *corev1.Node {
	resources := corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse("192"),
		corev1.ResourceMemory: resource.MustParse("2Ti"),
		corev1.ResourcePods:   resource.MustParse("1000"),
	}
	labels := map[string]string{"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}
	if gpus > 0 {
		resources["nvidia.com/gpu"] = *resource.NewQuantity(int64(gpus), resource.DecimalSI)
		labels["nvidia.com/gpu.product"] = "NVIDIA-H100-80GB-HBM3"
		labels["nvidia.com/gpu.count"] = strconv.Itoa(gpus)
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Status:     corev1.NodeStatus{Capacity: resources, Allocatable: resources},
	}
}

// CreateNamespace makes a namespace and waits until pods can be made in it.
func (c *ControlPlane) CreateNamespace(ctx context.Context, name string) error {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if _, err := c.clients.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("create namespace %s: %w", name, err)
	}
	// Admission refuses pods until a controller has made the default account.
	err := c.poll(ctx, func(ctx context.Context) error {
		_, err := c.clients.CoreV1().ServiceAccounts(name).Get(ctx, "default", metav1.GetOptions{})
		return err
	})
	if err != nil {
		return fmt.Errorf("wait for the default account of namespace %s: %w", name, err)
	}
	return nil
}
