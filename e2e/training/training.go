// Package training makes the pods of a control plane print the output of
// training jobs, so that logs and curves can be watched by hand: about a line a
// second for each running pod, in the formats of several frameworks. One rank
// crashes and is restarted.
package training

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/operator"
)

const (
	// lookEvery is how often new pods are looked for.
	lookEvery = 2 * time.Second
	// lineEvery is about how often a pod prints.
	lineEvery = time.Second
)

// Trainer plays the programs in the pods of one control plane.
type Trainer struct {
	Cluster *controlplane.ControlPlane
	// Crashes names a pod, as namespace/name, that crashes once, After this long.
	Crashes string
	After   time.Duration
}

// Run prints until ctx ends.
func (t Trainer) Run(ctx context.Context) error {
	dir := filepath.Join(t.Cluster.Dir, "container-logs")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make a folder for the logs: %w", err)
	}
	talking := map[string]bool{} // by UID
	var running sync.WaitGroup
	defer running.Wait()
	for {
		pods, err := t.Cluster.Clients().CoreV1().Pods("").List(ctx, metav1.ListOptions{FieldSelector: "status.phase=Running"})
		if err == nil {
			for i := range pods.Items {
				if pod := &pods.Items[i]; !talking[string(pod.UID)] && started(pod) {
					talking[string(pod.UID)] = true
					running.Go(func() { t.talk(ctx, dir, pod) })
				}
			}
		}
		if !wait(ctx, lookEvery) {
			return nil
		}
	}
}

func started(pod *corev1.Pod) bool {
	for _, status := range pod.Status.ContainerStatuses {
		if status.State.Running == nil {
			return false
		}
	}
	return len(pod.Status.ContainerStatuses) > 0
}

// talk prints for one pod, through its restart if it has one.
func (t Trainer) talk(ctx context.Context, dir string, pod *corev1.Pod) {
	base := filepath.Join(dir, pod.Namespace+"_"+pod.Name+"_"+string(pod.UID))
	life, err := Open(ctx, t.Cluster, pod, base+"-0.log", "")
	if err != nil {
		return
	}
	defer func() { life.Close() }()
	crashes := pod.Namespace+"/"+pod.Name == t.Crashes
	began := time.Now()
	voice := voiceOf(pod)
	for step := 0; wait(ctx, lineEvery); step++ {
		if crashes && time.Since(began) > t.After {
			crashes = false
			life.Print(OutOfMemory("")...)
			again, err := Open(ctx, t.Cluster, pod, base+"-1.log", base+"-0.log")
			if err != nil {
				return
			}
			life.Close()
			life, step = again, step-step%50-1
			life.Print(fmt.Sprintf("Resuming from checkpoint at step %d", step+1))
			plays := operator.Operator{Cluster: t.Cluster, Namespace: pod.Namespace}
			if err := plays.Annotate(ctx, pod.Name, "e2e/restarted", "1"); err != nil {
				return
			}
			continue
		}
		voice.say(life, step)
	}
}

// rankOf is the rank of a pod by its name, and how many ranks there seem to be.
func rankOf(pod *corev1.Pod) int {
	rank := 0
	if at := strings.LastIndexByte(pod.Name, '-'); at >= 0 {
		_, _ = fmt.Sscanf(pod.Name[at+1:], "%d", &rank)
	}
	if strings.Contains(pod.Name, "-worker-") && strings.Contains(pod.Labels["training.kubeflow.org/operator-name"], "pytorch") {
		rank++ // the master is rank 0
	}
	return rank
}

func jobOf(pod *corev1.Pod) string {
	for _, label := range []string{"training.kubeflow.org/job-name", "jobset.sigs.k8s.io/jobset-name", "batch.kubernetes.io/job-name", "volcano.sh/job-name"} {
		if name := pod.Labels[label]; name != "" {
			return name
		}
	}
	return pod.Name
}

// pick chooses by a name, always the same.
func pick(name string, n int) int {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(name)) // never fails
	return int(hash.Sum32() % uint32(n))
}

func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
