package e2e

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/train"
)

// startProvocations are pods that have a node and do not start. kwok writes
// what a kubelet 1.36 writes then.
func startProvocations() []provocation {
	waits := func(name string, cause train.Cause, container, reason, message, evidence, says string, thenApply ...string) provocation {
		return provocation{
			name: name, nodes: 1, cause: cause, mild: true, evidence: []string{evidence}, says: []string{says},
			make: func(p *place) error {
				return p.apply(batchJob{pod: onPool, container: container, annotations: fmt.Sprintf("e2e/waiting: %s, e2e/message: %q", reason, message)}.String())
			},
			heal: func(p *place) error { return both(p.apply(thenApply...), p.startAgain) },
		}
	}
	return []provocation{
		waits("no-config", "configmap-not-found", "env: [{name: LR, valueFrom: {configMapKeyRef: {name: hyper, key: lr}}}],", "CreateContainerConfigError", `configmap "hyper" not found`,
			`configmap "hyper" not found`, "ConfigMap hyper", "{apiVersion: v1, kind: ConfigMap, metadata: {name: hyper}, data: {lr: '3e-4'}}"),
		waits("no-secret", "secret-not-found", "env: [{name: TOKEN, valueFrom: {secretKeyRef: {name: hub, key: token}}}],", "CreateContainerConfigError", `secret "hub" not found`,
			`secret "hub" not found`, "Secret hub", "{apiVersion: v1, kind: Secret, metadata: {name: hub}, stringData: {token: t}}"),
		waits("no-image", "image-not-found", "", "ImagePullBackOff", `Back-off pulling image "registry.example/pytorch:2.8": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "registry.example/pytorch:2.8": failed to resolve reference "registry.example/pytorch:2.8": registry.example/pytorch:2.8: not found`,
			"not found", "registry.example/pytorch:2.8"),
		waits("no-pull-right", "image-pull-unauthorized", "", "ImagePullBackOff", `Back-off pulling image "registry.example/pytorch:2.8": ErrImagePull: failed to pull and unpack image "registry.example/pytorch:2.8": failed to resolve reference "registry.example/pytorch:2.8": failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://registry.example/token?scope=repository%3Apytorch%3Apull&service=registry.example: 401 Unauthorized`,
			"401 Unauthorized", "imagePullSecret"),
	}
}

// runProvocations end pods that ran.
func runProvocations(t *testing.T) []provocation {
	good := func(p *place) error { return p.replaceJob(batchJob{pod: onPool}.String()) }
	return []provocation{
		{
			name: "oom", nodes: 1, cause: "oom-killed", evidence: []string{"OOMKilled"}, says: []string{"memory"}, hides: []train.Cause{"backoff-limit-exceeded"}, heal: good,
			make: func(p *place) error {
				return p.apply(batchJob{pod: onPool, job: "backoffLimit: 0,", container: asks("memory: 8Gi"), annotations: `e2e/exit: "137", e2e/reason: OOMKilled`}.String())
			},
		},
		{
			name: "backoff", nodes: 1, cause: "backoff-limit-exceeded", evidence: []string{"Job has reached the specified backoff limit"}, says: []string{"too many failures"}, heal: good,
			make: func(p *place) error {
				if err := p.apply(batchJob{pod: onPool, job: "backoffLimit: 0,", annotations: `e2e/exit: "1"`}.String()); err != nil {
					return err
				}
				return both(p.eventually("the job has failed", p.hasFailed), func() error { return deletePods(p.t, p.namespace()) })
			},
		},
		{
			name: "deadline", nodes: 1, cause: "active-deadline-exceeded", evidence: []string{"Job was active longer than specified deadline"}, says: []string{"deadline"}, heal: good,
			make: func(p *place) error { return p.apply(batchJob{pod: onPool, job: "activeDeadlineSeconds: 3,"}.String()) },
		},
		{
			name: "silent-node", nodes: 1, cause: "node-not-ready", evidence: []string{"diag-silent-node-0", "Kubelet stopped posting node status"}, says: []string{"diag-silent-node-0 does not answer", "--force"},
			make: func(p *place) error {
				return both(p.apply(batchJob{pod: onPool}.String()), func() error {
					return both(p.running("train"), func() error {
						return p.silenceNode()
					})
				})
			},
			heal: func(p *place) error {
				return both(p.repairNode(), func() error { return p.markPods(corev1.ConditionTrue) })
			},
		},
		{
			name: "given-up", nodes: 1, cause: "node-lost", evidence: []string{"diag-given-up"}, says: []string{"diag-given-up-0"},
			make: func(p *place) error {
				impatient := "nodeSelector: {e2e/pool: given-up}, tolerations: [{key: e2e/pool, operator: Exists}, {key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 1}],"
				return both(p.apply(batchJob{pod: impatient, job: "backoffLimit: 0,"}.String()), func() error {
					return both(p.running("train"), func() error {
						return both(p.silenceNode(), func() error { return p.eventually("the job has failed", p.hasFailed) })
					})
				})
			},
			heal: func(p *place) error { return both(p.repairNode(), func() error { return good(p) }) },
		},
		{
			name: "gpu-memory", kind: "PyTorchJob", nodes: 1, cause: "cuda-out-of-memory", inLogs: true, evidence: []string{"torch.OutOfMemoryError: CUDA out of memory"}, says: []string{"worker-1: The GPU ran out of memory", "batch size", "kubectl logs pod/train-worker-1"},
			hides: []train.Cause{"nccl-connection-lost"},
			make:  func(p *place) error { return p.runOutOfGPUMemory(t) },
			heal:  (*place).runAnew,
		},
	}
}

// breakNode writes the condition of a failing kubelet, or that of the control
// plane for a silent one; kwok leaves it.
func (p *place) breakNode(ready, reason, message string) error {
	if err := p.patch("v1", "Node", p.node(0), "metadata: {annotations: {e2e/not-ready: 'true'}}"); err != nil {
		return err
	}
	now := time.Now().UTC().Format(time.RFC3339)
	return p.patch("v1", "Node", p.node(0), fmt.Sprintf("status: {conditions: [{type: Ready, status: %q, reason: %s, message: %q, lastHeartbeatTime: %q, lastTransitionTime: %q}]}", ready, reason, message, now, now), "status")
}

// silenceNode writes what the node lifecycle controller (1.36) writes about a
// node without a heartbeat: the nodes of these tests have none, and the
// controller is configured to wait for a day.
func (p *place) silenceNode() error {
	silent := p.breakNode("Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.")
	return both(silent, func() error { return p.markPods(corev1.ConditionFalse) })
}

// markPods sets whether the job's pods are ready.
func (p *place) markPods(ready corev1.ConditionStatus) error {
	pods, err := p.pods(p.t.Context())
	if err != nil {
		return err
	}
	body := fmt.Sprintf(`{"status":{"conditions":[{"type":"Ready","status":%q,"lastTransitionTime":%q}]}}`, ready, time.Now().UTC().Format(time.RFC3339))
	for i := range pods {
		if _, err := cluster.Clients().CoreV1().Pods(p.namespace()).Patch(p.t.Context(), pods[i].Name, types.StrategicMergePatchType, []byte(body), metav1.PatchOptions{}, "status"); err != nil {
			return fmt.Errorf("mark pod %s: %w", pods[i].Name, err)
		}
	}
	return nil
}

// repairNode gives the node back to kwok, which makes it ready.
func (p *place) repairNode() error {
	return p.patch("v1", "Node", p.node(0), "metadata: {annotations: {e2e/not-ready: null}}")
}

func (p *place) hasFailed(ctx context.Context) error {
	job, err := cluster.Clients().BatchV1().Jobs(p.namespace()).Get(ctx, "train", metav1.GetOptions{})
	if err != nil {
		return err
	}
	for _, condition := range job.Status.Conditions {
		if condition.Type == "Failed" && condition.Status == corev1.ConditionTrue {
			return nil
		}
	}
	return errors.New("the job has not failed yet")
}

func (p *place) hasPods(ctx context.Context) error {
	pods, err := p.pods(ctx)
	if err == nil && len(pods) == 0 {
		err = errors.New("there is no pod")
	}
	return err
}

func (p *place) endJob(name string) error {
	background := metav1.DeletePropagationBackground
	return cluster.Clients().BatchV1().Jobs(p.namespace()).Delete(p.t.Context(), name, metav1.DeleteOptions{PropagationPolicy: &background})
}

// twoRanks is a PyTorchJob named train of two ranks.
func twoRanks() string {
	text := `
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: train}
spec:
  pytorchReplicaSpecs:
    Worker: {replicas: 2, restartPolicy: Never, template: {spec: {containers: [{name: pytorch, image: registry.example/pytorch:2.8}]}}}
`
	for rank := range 2 {
		text += fmt.Sprintf(`---
apiVersion: v1
kind: Pod
metadata:
  name: train-worker-%[1]d
  annotations: {e2e/owner: PyTorchJob/train}
  labels: {training.kubeflow.org/job-name: train, training.kubeflow.org/operator-name: pytorchjob-controller, training.kubeflow.org/replica-type: worker, training.kubeflow.org/replica-index: "%[1]d"}
spec: {nodeSelector: {e2e/pool: gpu-memory}, tolerations: [{key: e2e/pool, operator: Exists}], restartPolicy: Never, containers: [{name: pytorch, image: registry.example/pytorch:2.8}]}
`, rank)
	}
	return text
}

// runOutOfGPUMemory has rank 1 run out of its GPU's memory and rank 0 lose it,
// in the messages of PyTorch 2.8 and NCCL 2.27. Rank 0 prints more.
func (p *place) runOutOfGPUMemory(t *testing.T) error {
	plays := operator.Operator{Cluster: cluster, Namespace: p.namespace()}
	if err := plays.ApplyOwned(t.Context(), twoRanks()); err != nil {
		return err
	}
	logs := [2]*containerLog{newContainerLog(t, "rank-0"), newContainerLog(t, "rank-1")}
	for rank, log := range logs {
		log.print("step 100 loss 2.31", "step 101 loss 2.30")
		serveLogs(t, plays, fmt.Sprintf("train-worker-%d", rank), log, nil)
	}
	logs[1].print(
		"[rank1]: Traceback (most recent call last):",
		`[rank1]:   File "/workspace/train.py", line 88, in <module>`,
		"[rank1]:     loss.backward()",
		"[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of 79.11 GiB of which 1.21 GiB is free. Process 41 has 77.89 GiB memory in use. Of the allocated memory 74.02 GiB is allocated by PyTorch, and 2.91 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.")
	logs[0].print(
		"train-worker-0:41:210 [0] NCCL WARN socketProgress: Connection closed by remote peer train-worker-1.train.diag-gpu-memory.svc.cluster.local<43210>",
		"[rank0]: Traceback (most recent call last):",
		`[rank0]:   File "/workspace/train.py", line 88, in <module>`,
		"[rank0]:     loss.backward()",
		"[rank0]: torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:3690, remote process exited or there was a network error, NCCL version 2.27.3",
		"[rank0]: ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.")
	for _, rank := range []int{1, 0} {
		if err := p.patch("v1", "Pod", fmt.Sprintf("train-worker-%d", rank), `metadata: {annotations: {e2e/exit: "1"}}`); err != nil {
			return err
		}
	}
	return nil
}

// runAnew starts the job again, as a person does after lowering the batch size.
func (p *place) runAnew() error {
	if err := p.remove("kubeflow.org/v1", "PyTorchJob", "train"); err != nil {
		return err
	}
	for rank := range 2 {
		name := fmt.Sprintf("train-worker-%d", rank)
		log := newContainerLog(p.t, "again-"+name)
		log.print("step 1 loss 9.01")
		if err := errors.Join(p.remove("v1", "Pod", name), p.remove("kwok.x-k8s.io/v1alpha1", "Logs", name)); err != nil {
			return err
		}
		plays := operator.Operator{Cluster: cluster, Namespace: p.namespace()}
		serveLogs(p.t, plays, name, log, nil)
	}
	return both(p.eventually("the old pods are gone", func(ctx context.Context) error {
		_, err := cluster.Clients().CoreV1().Pods(p.namespace()).Get(ctx, "train-worker-1", metav1.GetOptions{})
		if err == nil {
			return errors.New("a pod is there")
		}
		return nil
	}), func() error {
		return operator.Operator{Cluster: cluster, Namespace: p.namespace()}.ApplyOwned(p.t.Context(), twoRanks())
	})
}
