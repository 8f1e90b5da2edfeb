package operator

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/e2e/controlplane"
)

// Fleet is many running PyTorchJobs of the same size, for tests of speed.
type Fleet struct {
	Namespace         string
	Jobs, RanksPerJob int
	// Nodes named prefix-0, prefix-1, ... get the pods in turn; the scheduler
	// is not used.
	NodePrefix string
	Nodes      int
}

// creators are how many jobs are made at a time; more do not make the API
// server any faster on a small machine.
const creators = 32

// fleetWait bounds how long ten thousand pods may take until they run.
const fleetWait = 5 * time.Minute

// Create makes the jobs and their pods and waits until every pod runs.
func (f Fleet) Create(ctx context.Context, cluster *controlplane.ControlPlane) error {
	if err := cluster.CreateNamespace(ctx, f.Namespace); err != nil {
		return err
	}
	numbers := make(chan int)
	failures := make(chan error, creators)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var workers sync.WaitGroup
	for range creators {
		workers.Go(func() {
			for number := range numbers {
				if err := f.createJob(ctx, cluster, number); err != nil {
					failures <- err
					cancel()
					return
				}
			}
		})
	}
	for number := range f.Jobs {
		select {
		case numbers <- number:
		case <-ctx.Done():
		}
	}
	close(numbers)
	workers.Wait()
	close(failures)
	for err := range failures {
		if !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return f.waitRunning(ctx, cluster)
}

func (f Fleet) waitRunning(ctx context.Context, cluster *controlplane.ControlPlane) error {
	return cluster.Wait(ctx, fleetWait, func(ctx context.Context) error {
		late, err := cluster.Clients().CoreV1().Pods(f.Namespace).List(ctx, metav1.ListOptions{
			FieldSelector: "status.phase!=Running", Limit: 1, ResourceVersion: "0",
		})
		if err == nil && len(late.Items) > 0 {
			err = fmt.Errorf("pod %s and perhaps others do not run yet", late.Items[0].Name)
		}
		return err
	})
}

func (f Fleet) createJob(ctx context.Context, cluster *controlplane.ControlPlane, number int) error {
	life, err := PyTorchJob(f.RanksPerJob - 1).Life("train-" + strconv.Itoa(number))
	if err != nil {
		return err
	}
	life.Object["metadata"] = map[string]any{"name": life.Name, "namespace": f.Namespace}
	jobs, err := cluster.Resource(object(life.Object))
	if err != nil {
		return fmt.Errorf("create %s: %w", life.Name, err)
	}
	job, err := jobs.Create(ctx, object(life.Object), metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("create %s: %w", life.Name, err)
	}
	for i, fields := range life.Below {
		pod := f.pod(job, object(fields), number*f.RanksPerJob+i)
		if _, err := cluster.Clients().CoreV1().Pods(f.Namespace).Create(ctx, pod, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("create %s: %w", pod.Name, err)
		}
	}
	job.Object["status"] = life.Running
	if _, err := jobs.UpdateStatus(ctx, job, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("write the status of %s: %w", life.Name, err)
	}
	return nil
}

// pod is of the size that training pods have: an environment for the
// rendezvous and NCCL, mounts for data and shared memory.
func (f Fleet) pod(job, like *unstructured.Unstructured, number int) *corev1.Pod {
	gpu := corev1.ResourceList{
		"nvidia.com/gpu": resource.MustParse("1"), corev1.ResourceCPU: resource.MustParse("8"), corev1.ResourceMemory: resource.MustParse("64Gi"),
	}
	var environment []corev1.EnvVar
	for _, of := range [][2]string{
		{"PYTHONUNBUFFERED", "1"}, {"MASTER_PORT", "23456"}, {"PET_MASTER_PORT", "23456"},
		{"MASTER_ADDR", job.GetName() + "-master-0"}, {"PET_MASTER_ADDR", job.GetName() + "-master-0"},
		{"WORLD_SIZE", strconv.Itoa(f.RanksPerJob)}, {"RANK", like.GetLabels()["training.kubeflow.org/replica-index"]},
		{"PET_NPROC_PER_NODE", "auto"}, {"PET_NNODES", strconv.Itoa(f.RanksPerJob)},
		{"NCCL_DEBUG", "INFO"}, {"NCCL_IB_HCA", "mlx5_0,mlx5_1,mlx5_2,mlx5_3"}, {"NCCL_SOCKET_IFNAME", "eth0"},
	} {
		environment = append(environment, corev1.EnvVar{Name: of[0], Value: of[1]})
	}
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: like.GetName(), Namespace: f.Namespace, Labels: like.GetLabels(),
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(job, job.GroupVersionKind())},
		},
		Spec: corev1.PodSpec{
			NodeName:      f.NodePrefix + "-" + strconv.Itoa(number%f.Nodes),
			RestartPolicy: corev1.RestartPolicyNever,
			Containers: []corev1.Container{{
				Name: "pytorch", Image: "registry.example/pytorch:2.7.1-cuda12.8-cudnn9-runtime",
				Command:   []string{"torchrun", "--nnodes=$(PET_NNODES)", "--nproc-per-node=1", "train.py", "--config=/config/train.yaml"},
				Env:       environment,
				Resources: corev1.ResourceRequirements{Limits: gpu, Requests: gpu},
				Ports:     []corev1.ContainerPort{{Name: "pytorchjob-port", ContainerPort: 23456}},
				VolumeMounts: []corev1.VolumeMount{
					{Name: "data", MountPath: "/data"}, {Name: "shm", MountPath: "/dev/shm"},
				},
			}},
			Volumes: []corev1.Volume{
				{Name: "data", VolumeSource: corev1.VolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/mnt/data"}}},
				{Name: "shm", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{Medium: corev1.StorageMediumMemory}}},
			},
			Tolerations: []corev1.Toleration{{Key: "nvidia.com/gpu", Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule}},
		},
	}
}
