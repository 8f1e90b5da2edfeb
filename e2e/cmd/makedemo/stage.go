package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/exporters"
	"github.com/traintop/traintop/e2e/training"
)

// stage is the cluster with the programs of its pods: their output and the load
// of their GPUs. Its methods may be called from several goroutines.
type stage struct {
	cluster *controlplane.ControlPlane
	dir     string // of the logs
	running sync.WaitGroup
	cancel  context.CancelFunc

	mu        sync.Mutex
	jobs      map[string]*job // by namespace/name
	begun     map[string]time.Time
	speakers  map[string]*speaker // by namespace/pod
	spoken    map[string]bool     // UIDs of pods that print or have printed
	boards    map[string]*boards  // by node
	exporters map[string]*exporters.Exporter
	happened  map[string]time.Time
}

// speaker is a pod that prints.
type speaker struct {
	*training.Log
	job     *job
	stop    context.CancelFunc
	stopped chan struct{}
}

func newStage(cluster *controlplane.ControlPlane, dir string) *stage {
	return &stage{
		cluster: cluster, dir: dir, jobs: map[string]*job{}, begun: map[string]time.Time{}, speakers: map[string]*speaker{},
		spoken: map[string]bool{}, boards: map[string]*boards{}, exporters: map[string]*exporters.Exporter{}, happened: map[string]time.Time{},
	}
}

// know registers a job that is about to be created, so that its pods print. A
// job that is created again starts from the beginning.
func (s *stage) know(j *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jobs[j.path()] = j
	delete(s.begun, j.path())
}

// mark records an event; voices and loads read it with since.
func (s *stage) mark(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.happened[what] = time.Now()
}

func (s *stage) since(what string) (time.Duration, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, has := s.happened[what]
	return time.Since(at), has
}

// watch follows the pods until the context ends: running pods start to print,
// and hold their GPUs until they end.
func (s *stage) watch(ctx context.Context) {
	for sleep(ctx, time.Second) {
		pods, err := s.cluster.Clients().CoreV1().Pods("").List(ctx, metav1.ListOptions{ResourceVersion: "0"})
		if err != nil {
			continue // it is checked again
		}
		s.assign(pods.Items)
		for i := range pods.Items {
			if pod := &pods.Items[i]; pod.Status.Phase == corev1.PodRunning && s.speaks(pod) {
				if err := s.begin(ctx, pod); err != nil {
					say(err.Error())
				}
			}
		}
	}
}

// speaks reports whether a pod has output that was not started yet.
func (s *stage) speaks(pod *corev1.Pod) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.jobOf(pod)
	if j == nil || j.voice.say == nil || s.spoken[string(pod.UID)] || len(pod.Status.ContainerStatuses) == 0 || pod.Status.ContainerStatuses[0].State.Running == nil {
		return false
	}
	s.spoken[string(pod.UID)] = true
	return true
}

// jobOf is the job of a pod; s.mu is held.
func (s *stage) jobOf(pod *corev1.Pod) *job {
	for _, label := range []string{"training.kubeflow.org/job-name", "jobset.sigs.k8s.io/jobset-name", "batch.kubernetes.io/job-name"} {
		if j := s.jobs[pod.Namespace+"/"+pod.Labels[label]]; j != nil {
			return j
		}
	}
	return nil
}

// begin opens the log of a pod and starts its output. All ranks of a job count
// their steps from the same instant.
func (s *stage) begin(ctx context.Context, pod *corev1.Pod) error {
	log, err := training.Open(ctx, s.cluster, pod, filepath.Join(s.dir, string(pod.UID)+".log"), "")
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.jobOf(pod)
	if s.begun[j.path()].IsZero() {
		s.begun[j.path()] = time.Now()
	}
	ctx, stop := context.WithCancel(ctx)
	one := &speaker{Log: log, job: j, stop: stop, stopped: make(chan struct{})}
	s.speakers[pod.Namespace+"/"+pod.Name] = one
	rank, began := rankOf(pod), s.begun[j.path()]
	s.running.Go(func() {
		defer close(one.stopped)
		j.voice.speak(ctx, s, log, rank, began)
	})
	return nil
}

// hush stops a pod's own output and returns its log, for its last lines.
func (s *stage) hush(pod string) *training.Log {
	s.mu.Lock()
	one := s.speakers[pod]
	delete(s.speakers, pod)
	s.mu.Unlock()
	one.stop()
	<-one.stopped
	return one.Log
}

// podsOf are the pods of a job that print, as namespace/name, sorted.
func (s *stage) podsOf(j *job) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var names []string
	for name, one := range s.speakers {
		if one.job == j {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// end stops all output.
func (s *stage) end() {
	s.cancel()
	s.running.Wait()
	for _, exporter := range s.exporters {
		exporter.Stop()
	}
}

// runs waits until so many pods of a job print.
func (s *stage) runs(ctx context.Context, j *job, pods int) error {
	return s.cluster.Wait(ctx, 3*time.Minute, func(context.Context) error {
		if n := len(s.podsOf(j)); n < pods {
			return fmt.Errorf("%d of %d pods of %s run", n, pods, j.path())
		}
		return nil
	})
}

// client is for an object of a job's namespace.
func (s *stage) client(j *job, fields map[string]any) (dynamic.ResourceInterface, string, error) {
	thing := &unstructured.Unstructured{Object: fields}
	thing.SetNamespace(j.namespace)
	client, err := s.cluster.Resource(thing)
	if err != nil {
		return nil, "", fmt.Errorf("find %s: %w", j.path(), err)
	}
	return client, thing.GetName(), nil
}

// get reads a job as the server has it.
func (s *stage) get(ctx context.Context, j *job, fields map[string]any) (*unstructured.Unstructured, error) {
	client, name, err := s.client(j, fields)
	if err != nil {
		return nil, err
	}
	found, err := client.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", j.path(), err)
	}
	return found, nil
}

// delete removes a job, and in the background what it owns.
func (s *stage) delete(ctx context.Context, j *job, fields map[string]any) error {
	client, name, err := s.client(j, fields)
	if err != nil {
		return err
	}
	background := metav1.DeletePropagationBackground
	if err := client.Delete(ctx, name, metav1.DeleteOptions{PropagationPolicy: &background}); err != nil {
		return fmt.Errorf("delete %s: %w", j.path(), err)
	}
	return nil
}

// apply makes objects of a YAML text exist.
func (s *stage) apply(ctx context.Context, lines ...string) error {
	_, err := s.cluster.Apply(ctx, strings.Join(lines, "\n---\n"))
	return err
}

// pod is the object of a pod that a job's operator makes.
func pod(j *job, made map[string]any) *unstructured.Unstructured {
	thing := (&unstructured.Unstructured{Object: made}).DeepCopy()
	thing.SetNamespace(j.namespace)
	return thing
}

// madeFor are the pods of a PyTorchJob as the server has them.
func (s *stage) madeFor(ctx context.Context, j *job) ([]corev1.Pod, error) {
	list, err := s.cluster.Clients().CoreV1().Pods(j.namespace).List(ctx, metav1.ListOptions{LabelSelector: "training.kubeflow.org/job-name=" + j.name})
	if err != nil {
		return nil, fmt.Errorf("list the pods of %s: %w", j.path(), err)
	}
	return list.Items, nil
}

// gone waits until the pods of a PyTorchJob are deleted.
func (s *stage) gone(ctx context.Context, j *job) error {
	return s.cluster.Wait(ctx, time.Minute, func(ctx context.Context) error {
		pods, err := s.madeFor(ctx, j)
		if err == nil && len(pods) > 0 {
			err = fmt.Errorf("%d pods of %s are there", len(pods), j.path())
		}
		return err
	})
}

// unready marks the pods of a PyTorchJob as not ready.
func (s *stage) unready(ctx context.Context, j *job) error {
	pods, err := s.madeFor(ctx, j)
	if err != nil {
		return err
	}
	body := fmt.Appendf(nil, `{"status":{"conditions":[{"type":"Ready","status":"False","lastTransitionTime":%q}]}}`, time.Now().UTC().Format(time.RFC3339))
	for i := range pods {
		if _, err := s.cluster.Clients().CoreV1().Pods(j.namespace).Patch(ctx, pods[i].Name, types.StrategicMergePatchType, body, metav1.PatchOptions{}, "status"); err != nil {
			return fmt.Errorf("mark pod %s: %w", pods[i].Name, err)
		}
	}
	return nil
}
