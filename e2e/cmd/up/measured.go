package main

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/exporters"
)

// slowNode and slowGPU are the one GPU that computes slower than the others of
// its job.
const (
	slowNode = "h100-1"
	slowGPU  = 3
)

// measure puts an exporter of GPU metrics on every ready node, which reports
// the holder and the load of each GPU.
func measure(ctx context.Context, cluster *controlplane.ControlPlane) error {
	if err := cluster.CreateNamespace(ctx, exporters.Namespace); err != nil {
		return err
	}
	nodes, err := cluster.Clients().CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("list nodes: %w", err)
	}
	for i := range nodes.Items {
		node := &nodes.Items[i]
		gpus := node.Status.Allocatable["nvidia.com/gpu"]
		if gpus.Value() == 0 || node.Spec.Unschedulable || node.Annotations["e2e/not-ready"] != "" {
			continue
		}
		name, n := node.Name, int(gpus.Value())
		exporter, err := exporters.Install(ctx, cluster, name, func() string { return page(ctx, cluster, name, n) })
		if err != nil {
			return err
		}
		context.AfterFunc(ctx, exporter.Stop)
	}
	return nil
}

// page is the current page of a node's exporter.
func page(ctx context.Context, cluster *controlplane.ControlPlane, node string, gpus int) string {
	all, err := boards(ctx, cluster, node, gpus)
	if err != nil {
		return ""
	}
	return exporters.DCGM(all...)
}

// boards are the GPUs of a node with the containers that hold them.
func boards(ctx context.Context, cluster *controlplane.ControlPlane, node string, gpus int) ([]exporters.GPU, error) {
	all := make([]exporters.GPU, gpus)
	for i := range all {
		all[i] = exporters.GPU{
			Index: fmt.Sprint(i), UUID: fmt.Sprintf("GPU-%x-%04x", node, i),
			Values: map[string]float64{"DCGM_FI_DEV_GPU_UTIL": 0, "DCGM_FI_DEV_POWER_USAGE": 30, "DCGM_FI_DEV_FB_USED": 4,
				"DCGM_FI_DEV_SM_CLOCK": 345, "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE": 0, "DCGM_FI_PROF_GR_ENGINE_ACTIVE": 0, "DCGM_FI_DEV_XID_ERRORS": 0},
		}
	}
	next := 0
	pods, err := cluster.Clients().CoreV1().Pods("").List(ctx, metav1.ListOptions{FieldSelector: "spec.nodeName=" + node})
	if err != nil {
		return nil, fmt.Errorf("list the pods on %s: %w", node, err)
	}
	for i := range pods.Items {
		pod := &pods.Items[i]
		if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
			continue
		}
		for k := range pod.Spec.Containers {
			asked := pod.Spec.Containers[k].Resources.Limits["nvidia.com/gpu"]
			for n := asked.Value(); n > 0 && next < gpus; n-- {
				hold(&all[next], pod, pod.Spec.Containers[k].Name, node == slowNode && next == slowGPU)
				next++
			}
		}
	}
	return all, nil
}

// hold gives a GPU to a container, which computes with it while it runs.
func hold(gpu *exporters.GPU, pod *corev1.Pod, container string, slow bool) {
	gpu.Namespace, gpu.Pod, gpu.Container = pod.Namespace, pod.Name, container
	if pod.Status.Phase != corev1.PodRunning || strings.Contains(pod.Name, "notebook") {
		return
	}
	wave := math.Sin(float64(time.Now().Unix()) / 20)
	gpu.Values["DCGM_FI_DEV_GPU_UTIL"] = math.Round(96 + 2*wave)
	gpu.Values["DCGM_FI_DEV_POWER_USAGE"] = 62 + 4*wave
	gpu.Values["DCGM_FI_DEV_FB_USED"] = 12000
	gpu.Values["DCGM_FI_DEV_SM_CLOCK"] = 1560
	gpu.Values["DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"], gpu.Values["DCGM_FI_PROF_GR_ENGINE_ACTIVE"] = 0.36, 0.95
	if slow {
		gpu.Values["DCGM_FI_DEV_POWER_USAGE"] = 34 + 2*wave
		gpu.Values["DCGM_FI_DEV_SM_CLOCK"], gpu.Values["DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"] = 600, 0.16
	}
}
