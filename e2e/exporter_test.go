package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/exporters"
	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/sources/kube"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// gpuList is the output of `traintop gpus -o json`, as far as tests read it.
type gpuList struct {
	GPUs     []gpuRow
	Problems []struct{ Source, Text string }
}

type gpuRow struct {
	Node, Index, UUID, Model  string
	Namespace, Pod, Container string
	Job                       string
	Rank                      *int
	Free                      bool
	Count                     int
	Utilization               *float64
	MemoryUsedMiB, PowerW     *float64
	Xid                       *float64
	Sources                   []string
	At                        *time.Time
}

func (a gpuList) gpu(uuid string) gpuRow {
	for _, row := range a.GPUs {
		if row.UUID == uuid {
			return row
		}
	}
	return gpuRow{}
}

func (a gpuList) problem(source string) string {
	for _, problem := range a.Problems {
		if problem.Source == source {
			return problem.Text
		}
	}
	return ""
}

// listGPUs is the answer of `traintop gpus -o json`.
func listGPUs(ctx context.Context, kubeconfig string, args ...string) (gpuList, error) {
	out, complaints, err := run(ctx, kubeconfig, append([]string{"gpus", "-o", "json"}, args...)...)
	if err != nil {
		return gpuList{}, fmt.Errorf("traintop gpus: %w\n%s", err, complaints)
	}
	var a gpuList
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		return gpuList{}, fmt.Errorf("read the answer of traintop gpus: %w\n%s", err, out)
	}
	return a, nil
}

// eventuallyGPUs runs `traintop gpus` until the answer is as it should be.
func eventuallyGPUs(t *testing.T, kubeconfig string, args []string, isRight func(gpuList) error) gpuList {
	t.Helper()
	var last gpuList
	wrong := errors.New("traintop gpus never answered")
	err := cluster.Wait(t.Context(), time.Minute, func(ctx context.Context) error {
		a, err := listGPUs(ctx, kubeconfig, args...)
		if ctx.Err() != nil {
			return wrong // cut off by the deadline, which proves nothing
		}
		if err == nil {
			last = a
			err = isRight(a)
		}
		wrong = err
		return err
	})
	if err != nil {
		t.Fatalf("%v\nthe last answer: %+v", err, last)
	}
	return last
}

// exporter starts an exporter, and its pod as the GPU operator's DaemonSet
// makes it, on a node. kwok gives the pod an unused address, so it gets this
// machine's once it runs.
func exporter(t *testing.T, namespace, name, node string, page func() string) *exporters.Exporter {
	t.Helper()
	e, err := exporters.Start(page)
	must(t, err)
	t.Cleanup(e.Stop)
	_, err = cluster.Apply(t.Context(), strings.NewReplacer("NAMESPACE", namespace, "NAME", name, "NODE", node, "PORT", fmt.Sprint(e.Port)).Replace(`
apiVersion: v1
kind: Pod
metadata: {name: NAME, namespace: NAMESPACE, labels: {app: nvidia-dcgm-exporter}}
spec:
  nodeName: NODE
  containers:
  - name: nvidia-dcgm-exporter
    image: nvcr.io/nvidia/k8s/dcgm-exporter:4.2.3-4.1.3-ubuntu22.04
    ports: [{name: metrics, containerPort: PORT}]
`))
	must(t, err)
	at(t, namespace, name, e.Host)
	return e
}

// at gives a pod an address.
func at(t *testing.T, namespace, name, address string) {
	t.Helper()
	pods := cluster.Clients().CoreV1().Pods(namespace)
	must(t, cluster.Wait(t.Context(), time.Minute, func(ctx context.Context) error {
		pod, err := pods.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		if pod.Status.Phase != "Running" {
			return fmt.Errorf("pod %s is %s", name, pod.Status.Phase)
		}
		patch := fmt.Appendf(nil, `{"status":{"podIP":%q,"podIPs":[{"ip":%q}]}}`, address, address)
		_, err = pods.Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
		return err
	}))
}

func needsAddress(t *testing.T) {
	t.Helper()
	if _, err := exporters.Address(); err != nil {
		t.Skip(err)
	}
}

func uses(utilization, memory, power float64) map[string]float64 {
	return map[string]float64{"DCGM_FI_DEV_GPU_UTIL": utilization, "DCGM_FI_DEV_FB_USED": memory, "DCGM_FI_DEV_POWER_USAGE": power}
}

// holding is the spec of a pod on a node that holds GPUs.
func holding(node string, gpus int) string {
	return fmt.Sprintf("{nodeName: %s, containers: [{name: pytorch, image: registry.example/train, resources: {limits: {nvidia.com/gpu: %d}}}]}", node, gpus)
}

// TestGPUsThroughExporters: exporters are found, scraped through the API
// server's pod proxy, and their readings are mapped to pods, jobs and ranks;
// one that dies, hangs or comes back affects no other.
func TestGPUsThroughExporters(t *testing.T) {
	t.Parallel()
	needsAddress(t)
	namespaces(t, "metered", "metered-exporters")
	must(t, cluster.CreateNodes(t.Context(), "metered", 2, 8))
	plays := operator.Operator{Cluster: cluster, Namespace: "metered"}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("labelled", holding("metered-0", 2))))
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("unlabelled", holding("metered-1", 2))))

	named := exporters.GPU{Namespace: "metered", Pod: "labelled-worker-0", Container: "pytorch"}
	labelled := func() string {
		first, second := named, named
		first.Index, first.UUID, first.Values = "0", "GPU-0a000000-0000-0000-0000-000000000000", uses(97, 70123, 655.25)
		second.Index, second.UUID, second.Values = "1", "GPU-0a000000-0000-0000-0000-000000000001", uses(3, 70123, 131.5)
		return exporters.DCGM(first, second, exporters.GPU{Index: "2", UUID: "GPU-0a000000-0000-0000-0000-000000000002"})
	}
	unlabelled := func() string {
		return exporters.DCGM(
			exporters.GPU{Index: "0", UUID: "GPU-0b000000-0000-0000-0000-000000000000", Values: uses(50, 1000, 300)},
			exporters.GPU{Index: "1", UUID: "GPU-0b000000-0000-0000-0000-000000000001", Values: uses(51, 1000, 300)})
	}
	exporter(t, "metered-exporters", "dcgm-a", "metered-0", labelled)
	second := exporter(t, "metered-exporters", "dcgm-b", "metered-1", unlabelled)

	right := func(a gpuList) error {
		slow := a.gpu("GPU-0a000000-0000-0000-0000-000000000001")
		switch {
		case slow.Utilization == nil || *slow.Utilization != 3 || slow.PowerW == nil || *slow.PowerW != 131.5:
			return fmt.Errorf("the slow GPU is %+v; %v", slow, a.Problems)
		case slow.Node != "metered-0" || slow.Pod != "labelled-worker-0" || slow.Job != "metered/PyTorchJob/labelled" || slow.Rank == nil || *slow.Rank != 0:
			return fmt.Errorf("the slow GPU is held by %+v", slow)
		case slow.At == nil || time.Since(*slow.At) > time.Minute || len(slow.Sources) != 1 || slow.Sources[0] != "DCGM exporter":
			return fmt.Errorf("the slow GPU is of %v from %v", slow.At, slow.Sources)
		}
		if other := a.gpu("GPU-0b000000-0000-0000-0000-000000000001"); other.Node != "metered-1" || other.Pod != "unlabelled-worker-0" || other.Utilization == nil || *other.Utilization != 51 {
			return fmt.Errorf("the GPU whose exporter knows no pods is %+v; %v", other, a.Problems)
		}
		return nil
	}
	answer := eventuallyGPUs(t, cluster.Kubeconfig, nil, right)
	if text := answer.problem("exporter/metered-0") + answer.problem("exporter/metered-1"); text != "" {
		t.Errorf("well exporters are a problem: %s", text)
	}
	inOne, err := listGPUs(t.Context(), cluster.Kubeconfig, "-n", "metered")
	must(t, err)
	if err := right(inOne); err != nil {
		t.Errorf("with -n: %v", err)
	}
	table, _, err := run(t.Context(), cluster.Kubeconfig, "gpus", "-n", "metered")
	must(t, err)
	if !strings.Contains(table, "labelled-worker-0") || !strings.Contains(table, "97") {
		t.Errorf("the table is\n%s", table)
	}

	// The diagnosis of a job uses them, from whatever namespace they are.
	diagnosis := diagnoseCommand(t, cluster.Kubeconfig, "-n", "metered", "labelled")
	for _, check := range diagnosis.Checks {
		if strings.Contains(check.Why, "no GPU of the job is measured") {
			t.Errorf("the check of %s says %q", check.Cause, check.Why)
		}
	}

	// One hangs: the answer arrives all the same, and reports it.
	second.Delay(time.Minute)
	began := time.Now()
	hung, err := listGPUs(t.Context(), cluster.Kubeconfig)
	must(t, err)
	if took := time.Since(began); took > 25*time.Second {
		t.Errorf("with one exporter that hangs the answer took %s", took)
	}
	if text := hung.problem("exporter/metered-1"); !strings.Contains(text, "no answer within") || !strings.Contains(text, "metered-exporters/dcgm-b") {
		t.Errorf("of the exporter that hangs is said: %q", text)
	}
	if slow := hung.gpu("GPU-0a000000-0000-0000-0000-000000000001"); slow.Utilization == nil {
		t.Error("the well exporter was not read beside one that hangs")
	}

	// One dies, and comes back.
	second.Delay(0)
	second.Stop()
	dead := eventuallyGPUs(t, cluster.Kubeconfig, nil, func(a gpuList) error {
		if text := a.problem("exporter/metered-1"); !strings.Contains(text, "connection refused") {
			return fmt.Errorf("of the dead exporter is said: %q", text)
		}
		return nil
	})
	if slow := dead.gpu("GPU-0a000000-0000-0000-0000-000000000001"); slow.Utilization == nil {
		t.Error("the well exporter was not read beside a dead one")
	}
	must(t, second.Resume())
	eventuallyGPUs(t, cluster.Kubeconfig, nil, right)
}

// The one-shot list of jobs scrapes no exporter, and takes no longer because
// there are some. It is not parallel, so that no other test scrapes them
// meanwhile.
func TestJobsAskNoExporter(t *testing.T) {
	needsAddress(t)
	namespaces(t, "unasked")
	must(t, cluster.CreateNodes(t.Context(), "unasked", 1, 8))
	e := exporter(t, "unasked", "dcgm", "unasked-0", func() string {
		return exporters.DCGM(exporters.GPU{Index: "0", UUID: "GPU-0c000000-0000-0000-0000-000000000000"})
	})
	_, err := jobs(t.Context(), cluster.Kubeconfig, "-A")
	must(t, err)
	if e.Asked() > 0 {
		t.Error("traintop jobs asked an exporter")
	}
	_, err = listGPUs(t.Context(), cluster.Kubeconfig)
	must(t, err)
	if e.Asked() != 1 {
		t.Errorf("traintop gpus asked the exporter %d times, want once", e.Asked())
	}
	now := int64(0)
	must(t, cluster.Clients().CoreV1().Pods("unasked").Delete(t.Context(), "dcgm", metav1.DeleteOptions{GracePeriodSeconds: &now}))
}

// A user without get on pods/proxy is shown which right is missing, in which
// namespace, and gets the facts from objects.
func TestExportersRefused(t *testing.T) {
	t.Parallel()
	needsAddress(t)
	namespaces(t, "refusing")
	must(t, cluster.CreateNodes(t.Context(), "refusing", 1, 8))
	plays := operator.Operator{Cluster: cluster, Namespace: "refusing"}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("held", holding("refusing-0", 4))))
	exporter(t, "refusing", "dcgm", "refusing-0", func() string {
		return exporters.DCGM(exporters.GPU{Index: "0", UUID: "GPU-0d000000-0000-0000-0000-000000000000", Values: uses(42, 1, 1)})
	})
	kubeconfig := user(t, "refused", controlplane.Grant{Namespace: "refusing", Rules: []rbacv1.PolicyRule{may("", "pods", "events"), may("kubeflow.org", "*")}})
	a := eventuallyGPUs(t, kubeconfig, nil, func(a gpuList) error {
		if len(a.GPUs) == 0 || a.GPUs[0].Pod != "held-worker-0" {
			return fmt.Errorf("the GPUs are %+v", a.GPUs)
		}
		return nil
	})
	said := a.problem("exporters")
	for _, want := range []string{`cannot get resource "pods/proxy"`, `{apiGroups: [""], resources: [pods/proxy], verbs: [get]}`, "namespace refusing", "kubectl auth can-i get pods --subresource=proxy -n refusing"} {
		if !strings.Contains(said, want) {
			t.Errorf("the refusal says %q, want %q in it", said, want)
		}
	}
	// The named rule is the one that helps.
	must(t, cluster.Grant(t.Context(), "refused", "refused-more", controlplane.Grant{Namespace: "refusing", Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{""}, Resources: []string{"pods/proxy"}, Verbs: []string{"get"}},
	}}))
	eventuallyGPUs(t, kubeconfig, nil, func(a gpuList) error {
		if gpu := a.gpu("GPU-0d000000-0000-0000-0000-000000000000"); gpu.Utilization == nil || *gpu.Utilization != 42 {
			return fmt.Errorf("with the right: %+v, %v", gpu, a.Problems)
		}
		return nil
	})
}

// While the screen runs: values change, an exporter's pod goes and its readings
// with it, another appears.
func TestExportersWhileRunning(t *testing.T) {
	t.Parallel()
	needsAddress(t)
	namespaces(t, "running-exporters")
	must(t, cluster.CreateNodes(t.Context(), "turning", 1, 8))
	const uuid = "GPU-0e000000-0000-0000-0000-000000000000"
	page := func(use float64) func() string {
		return func() string { return exporters.DCGM(exporters.GPU{Index: "0", UUID: uuid, Values: uses(use, 1, 1)}) }
	}
	e := exporter(t, "running-exporters", "dcgm", "turning-0", page(11))
	watched := followWith(t, cluster.Kubeconfig, kube.Options{Exporters: 2 * time.Second})
	reads := func(want float64) func(*store.Snapshot) error {
		return func(s *store.Snapshot) error {
			for _, state := range s.GPUStates() {
				if state.GPU.UUID == uuid {
					if use, _ := state.Values.Get(train.GPUUtilization); use != want {
						return fmt.Errorf("it is %v", use)
					}
					return nil
				}
			}
			return errors.New("the GPU is not there")
		}
	}
	watched.until(30*time.Second, reads(11))
	e.Answer(page(88))
	watched.until(30*time.Second, reads(88))

	now := int64(0)
	must(t, cluster.Clients().CoreV1().Pods("running-exporters").Delete(t.Context(), "dcgm", metav1.DeleteOptions{GracePeriodSeconds: &now}))
	watched.until(30*time.Second, func(s *store.Snapshot) error {
		for _, state := range s.GPUStates() {
			if state.GPU.UUID == uuid && len(state.Sources) > 0 && state.Freshness(s.Now) == train.Fresh {
				return errors.New("what an exporter said that is gone still stands")
			}
		}
		return nil
	})
	exporter(t, "running-exporters", "dcgm-2", "turning-0", page(33))
	watched.until(30*time.Second, reads(33))
}
