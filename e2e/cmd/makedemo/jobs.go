package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/e2e/operator"
)

// job is one of the story: the object that a person submits, and the output and
// behaviour of its pods.
type job struct {
	namespace, name string
	kind            operator.Kind
	// gpus each pod asks for, on nodes of the pool.
	gpus int64
	pool string
	// image and command are those of each pod's first container.
	image, command string
	// pod are more fields of each pod's spec, container of its first container.
	pod, container map[string]any
	// annotations of each pod control how the kubelet plays it.
	annotations map[string]string
	// waits is true for a job whose pods do not start at once.
	waits bool
	// queue holds the job back until it is admitted; "" for none.
	queue string
	voice voice
	load  load
}

const (
	largePool = "h100-large"
	smallPool = "h100-small"
)

func (j *job) path() string { return j.namespace + "/" + j.name }

// life is the job as its operator makes it, with the job's own settings.
func (j *job) life() (operator.Life, error) {
	life, err := j.kind.Life(j.name)
	if err != nil {
		return life, err
	}
	life.Object["metadata"].(map[string]any)["labels"] = j.labels()
	for _, made := range life.Below {
		j.adapt(made)
	}
	j.adaptTemplates(life.Object["spec"].(map[string]any))
	return life, nil
}

func (j *job) labels() map[string]any {
	labels := map[string]any{"team": j.namespace}
	if j.queue != "" {
		labels["kueue.x-k8s.io/queue-name"] = j.queue
	}
	return labels
}

// adapt applies the job's own settings to an object that runs containers.
func (j *job) adapt(made map[string]any) {
	spec := made["spec"].(map[string]any)
	if template, is := spec["template"].(map[string]any); is {
		j.adaptPod(template)
		return
	}
	j.adaptPod(made)
}

// adaptTemplates does the same for every template within a job's own spec.
func (j *job) adaptTemplates(within any) {
	switch within := within.(type) {
	case map[string]any:
		if pod, is := within["template"].(map[string]any); is {
			if spec, is := pod["spec"].(map[string]any); is && spec["containers"] != nil {
				j.adaptPod(pod)
				return
			}
		}
		for _, field := range within {
			j.adaptTemplates(field)
		}
	case []any:
		for _, item := range within {
			j.adaptTemplates(item)
		}
	}
}

func (j *job) adaptPod(pod map[string]any) {
	spec := pod["spec"].(map[string]any)
	spec["nodeSelector"] = map[string]any{"pool": j.pool}
	for name, value := range j.pod {
		spec[name] = value
	}
	container := spec["containers"].([]any)[0].(map[string]any)
	container["image"] = j.image
	container["command"] = []any{"sh", "-c", j.command}
	asked := map[string]any{"nvidia.com/gpu": j.gpus, "cpu": 12 * j.gpus, "memory": fmt.Sprintf("%dGi", 120*j.gpus)}
	container["resources"] = map[string]any{"limits": asked, "requests": asked}
	for name, value := range j.container {
		container[name] = value
	}
	if len(j.annotations) == 0 {
		return
	}
	metadata, is := pod["metadata"].(map[string]any)
	if !is {
		metadata = map[string]any{}
		pod["metadata"] = metadata
	}
	annotations, is := metadata["annotations"].(map[string]any)
	if !is {
		annotations = map[string]any{}
		metadata["annotations"] = annotations
	}
	for name, value := range j.annotations {
		annotations[name] = value
	}
}

func (s *stage) plays(j *job) operator.Operator {
	return operator.Operator{Cluster: s.cluster, Namespace: j.namespace}
}

// submit makes a job and lets its operator make the pods.
func (s *stage) submit(ctx context.Context, j *job) error {
	life, err := j.life()
	if err != nil {
		return err
	}
	s.know(j)
	if err := s.plays(j).Create(ctx, life); err != nil {
		return err
	}
	if j.waits {
		life.Running = conditions(j, "Created")
	}
	return s.plays(j).Run(ctx, life)
}

// starts writes that a waiting job runs.
func (s *stage) starts(ctx context.Context, j *job) error {
	life, err := j.life()
	if err == nil {
		err = s.runs(ctx, j, life.Ranks)
	}
	if err != nil {
		return err
	}
	return s.plays(j).SetStatus(ctx, life, life.Running)
}

// restarts waits until the pods of a job are deleted, and writes its operator's
// status.
func (s *stage) restarts(ctx context.Context, j *job) error {
	if err := s.gone(ctx, j); err != nil {
		return err
	}
	life, err := j.life()
	if err != nil {
		return err
	}
	return s.plays(j).SetStatus(ctx, life, conditions(j, "Created", "Restarting"))
}

// conditions is the status of a PyTorchJob that has these conditions, as
// training-operator 1.8.1 writes them.
func conditions(j *job, names ...string) map[string]any {
	now := time.Now().UTC().Format(time.RFC3339)
	var all []any
	for _, name := range names {
		all = append(all, map[string]any{
			"type": name, "status": "True", "reason": "PyTorchJob" + name, "lastUpdateTime": now, "lastTransitionTime": now,
			"message": "PyTorchJob " + j.name + " is " + strings.ToLower(name) + ".",
		})
	}
	return map[string]any{"conditions": all}
}

// enqueue makes a job that Kueue holds back.
func (s *stage) enqueue(ctx context.Context, j *job) error {
	life, err := j.life()
	if err != nil {
		return err
	}
	s.know(j)
	life.Object["spec"].(map[string]any)["runPolicy"].(map[string]any)["suspend"] = true
	if err := s.plays(j).Create(ctx, life); err != nil {
		return err
	}
	return s.plays(j).SetStatus(ctx, life, conditions(j, "Created", "Suspended"))
}

// succeed ends the pods of a job with exit code 0, and the job.
func (s *stage) succeed(ctx context.Context, j *job) error {
	life, err := j.life()
	if err != nil {
		return err
	}
	for _, pod := range s.podsOf(j) {
		s.hush(pod).Print("Training completed.")
	}
	return s.plays(j).Succeed(ctx, life)
}

// fail writes that a job has failed, after its pods did.
func (s *stage) fail(ctx context.Context, j *job) error {
	life, err := j.life()
	if err != nil {
		return err
	}
	return s.plays(j).SetStatus(ctx, life, life.Failed)
}

// remove deletes a job and, as the garbage collector does, what it owns.
func (s *stage) remove(ctx context.Context, j *job) error {
	life, err := j.life()
	if err != nil {
		return err
	}
	for _, pod := range s.podsOf(j) {
		s.hush(pod)
	}
	return s.delete(ctx, j, life.Object)
}

// rankOf is the rank of a pod by its labels.
func rankOf(pod *corev1.Pod) int {
	number := func(label string) (n int) {
		n, _ = strconv.Atoi(pod.Labels[label]) // none is 0
		return n
	}
	switch pod.Labels["training.kubeflow.org/replica-type"] {
	case "master":
		return 0
	case "worker":
		return 1 + number("training.kubeflow.org/replica-index")
	}
	const podsOfChild = 2 // of a JobSet as operator plays it
	return podsOfChild*number("jobset.sigs.k8s.io/job-index") + number("batch.kubernetes.io/job-completion-index")
}
