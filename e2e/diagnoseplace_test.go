package e2e

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/e2e/controlplane"
)

// place is where one cause is provoked.
type place struct {
	*provocation
	t *testing.T
}

func newPlace(t *testing.T, p *provocation) *place {
	return &place{provocation: p, t: t}
}

func (p *place) namespace() string { return "diag-" + p.name }

// job is how the command names the job.
func (p *place) job() string { return p.namespace() + "/" + p.kindOfJob() + "/train" }

func (p *place) kindOfJob() string { return cmp.Or(p.kind, "Job") }

func (p *place) provoke() error {
	ctx := p.t.Context()
	if err := cluster.CreateNamespace(ctx, p.namespace()); err != nil {
		return err
	}
	for i := range p.nodes {
		if err := p.addNode(i, 8); err != nil {
			return err
		}
	}
	return p.make(p)
}

func (p *place) heal() error { return p.provocation.heal(p) }

// node is the name of a node of the place.
func (p *place) node(i int) string { return "diag-" + p.name + "-" + strconv.Itoa(i) }

// poolLabel distinguishes the nodes of places, and its taint keeps the pods of
// other tests away.
const poolLabel = "e2e/pool"

// addNode makes a node with 192 cores and 2 TiB of memory for pods with podOn
// alone.
func (p *place) addNode(i int, gpus int64) error {
	has := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("192"), corev1.ResourceMemory: resource.MustParse("2Ti"), corev1.ResourcePods: resource.MustParse("110"),
		"nvidia.com/gpu": *resource.NewQuantity(gpus, resource.DecimalSI),
	}
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: p.node(i), Labels: map[string]string{
			poolLabel: p.name, "kubernetes.io/hostname": p.node(i), "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64",
		}},
		Spec:   corev1.NodeSpec{Taints: []corev1.Taint{{Key: poolLabel, Value: p.name, Effect: corev1.TaintEffectNoSchedule}}},
		Status: corev1.NodeStatus{Capacity: has, Allocatable: has},
	}
	if _, err := cluster.Clients().CoreV1().Nodes().Create(p.t.Context(), node, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("create node %s: %w", node.Name, err)
	}
	return p.eventually("the node is ready", func(ctx context.Context) error {
		now, err := cluster.Clients().CoreV1().Nodes().Get(ctx, node.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		for _, taint := range now.Spec.Taints {
			if taint.Key == corev1.TaintNodeNotReady {
				return fmt.Errorf("node %s is not ready yet", node.Name)
			}
		}
		return nil
	})
}

// isTainted holds once the control plane keeps pods away from the first node;
// before that the scheduler may still put one there.
func (p *place) isTainted(ctx context.Context) error {
	node, err := cluster.Clients().CoreV1().Nodes().Get(ctx, p.node(0), metav1.GetOptions{})
	if err != nil {
		return err
	}
	for _, taint := range node.Spec.Taints {
		if taint.Key == corev1.TaintNodeNotReady {
			return nil
		}
	}
	return fmt.Errorf("node %s has no taint %s yet", node.Name, corev1.TaintNodeNotReady)
}

// eventually waits for what the cluster does by itself.
func (p *place) eventually(what string, holds func(context.Context) error) error {
	if err := cluster.Wait(p.t.Context(), 2*time.Minute, holds); err != nil {
		return fmt.Errorf("wait until %s: %w", what, err)
	}
	return nil
}

// clusterWide are the kinds of provocations that have no namespace.
var clusterWide = map[string]bool{
	"Node": true, "PersistentVolume": true, "StorageClass": true, "PriorityClass": true, "Namespace": true, "ValidatingWebhookConfiguration": true,
	"ValidatingAdmissionPolicy": true, "ValidatingAdmissionPolicyBinding": true, "RuntimeClass": true,
}

// apply makes objects exist in the place; POOL in the text is replaced by the
// selector and toleration for its nodes.
func (p *place) apply(texts ...string) error {
	objects, err := controlplane.Objects(strings.ReplaceAll(strings.Join(texts, "\n---\n"), "POOL",
		fmt.Sprintf("nodeSelector: {%s: %s}, tolerations: [{key: %s, operator: Exists}]", poolLabel, p.name, poolLabel)))
	if err != nil {
		return err
	}
	for _, object := range objects {
		if !clusterWide[object.GetKind()] {
			object.SetNamespace(p.namespace())
		}
	}
	_, err = cluster.ApplyObjects(p.t.Context(), objects...)
	return err
}

// patch merges YAML into an object.
func (p *place) patch(apiVersion, kind, name, change string, subresources ...string) error {
	object := named(apiVersion, kind, p.namespace(), name)
	client, err := cluster.Resource(object)
	if err != nil {
		return err
	}
	body, err := yaml.YAMLToJSON([]byte(change))
	if err != nil {
		return err
	}
	if _, err := client.Patch(p.t.Context(), name, types.MergePatchType, body, metav1.PatchOptions{}, subresources...); err != nil {
		return fmt.Errorf("change %s %s: %w", kind, name, err)
	}
	return nil
}

func (p *place) remove(apiVersion, kind, name string) error {
	return cluster.Delete(p.t.Context(), named(apiVersion, kind, p.namespace(), name))
}

// retry makes the job controller process the job at once, and not after the
// minute that it waits after failures to create pods.
func (p *place) retry() error {
	return p.patch("batch/v1", "Job", "train", fmt.Sprintf("metadata: {annotations: {e2e/retry: %q}}", time.Now()))
}

// replaceJob makes the job again, as a person does whose job cannot be changed.
func (p *place) replaceJob(manifest string) error {
	background := metav1.DeletePropagationBackground
	jobs := cluster.Clients().BatchV1().Jobs(p.namespace())
	if err := jobs.Delete(p.t.Context(), "train", metav1.DeleteOptions{PropagationPolicy: &background}); err != nil {
		return err
	}
	if err := p.eventually("the old job and its pods are gone", func(ctx context.Context) error {
		if _, err := jobs.Get(ctx, "train", metav1.GetOptions{}); err == nil {
			return fmt.Errorf("the job is there")
		}
		pods, err := p.pods(ctx)
		if err == nil && len(pods) > 0 {
			err = fmt.Errorf("%d pods are there", len(pods))
		}
		return err
	}); err != nil {
		return err
	}
	return p.apply(manifest)
}

// pods are those of the job named train.
func (p *place) pods(ctx context.Context) ([]corev1.Pod, error) {
	list, err := cluster.Clients().CoreV1().Pods(p.namespace()).List(ctx, metav1.ListOptions{LabelSelector: "batch.kubernetes.io/job-name=train"})
	if err != nil {
		return nil, err
	}
	return list.Items, nil
}

// patchPods changes every pod of the job.
func (p *place) patchPods(change string, subresources ...string) error {
	pods, err := p.pods(p.t.Context())
	if err != nil {
		return err
	}
	for i := range pods {
		if err := p.patch("v1", "Pod", pods[i].Name, change, subresources...); err != nil {
			return err
		}
	}
	return nil
}

// running waits until a job's pod runs.
func (p *place) running(job string) error { return p.allRun(job, 1) }

// allRun waits until some pods of a job run.
func (p *place) allRun(job string, wanted int) error {
	return p.eventually(job+" runs", func(ctx context.Context) error {
		pods, err := cluster.Clients().CoreV1().Pods(p.namespace()).List(ctx, metav1.ListOptions{LabelSelector: "batch.kubernetes.io/job-name=" + job})
		if err != nil {
			return err
		}
		run := 0
		for i := range pods.Items {
			if pods.Items[i].Status.Phase == corev1.PodRunning {
				run++
			}
		}
		if run < wanted {
			return fmt.Errorf("%d of %d pods run, want %d", run, len(pods.Items), wanted)
		}
		return nil
	})
}

// startAgain writes what a kubelet writes that tries again and succeeds.
func (p *place) startAgain() error {
	if err := p.patchPods("metadata: {annotations: {e2e/waiting: null, e2e/message: null}}"); err != nil {
		return err
	}
	return p.patchPods("status: {containerStatuses: null, phase: Pending}", "status")
}

// batchJob is a Job named train of some pods. container is the rest of its
// one container, pod of the pod's spec, job of the job's, each in YAML's flow
// style and empty or ending in a comma.
type batchJob struct {
	name                             string
	pods                             int
	container, pod, job, annotations string
	labels                           string // of the job itself
}

func (b batchJob) String() string {
	if b.name == "" {
		b.name = "train"
	}
	b.pods = max(1, b.pods)
	return fmt.Sprintf(`
apiVersion: batch/v1
kind: Job
metadata: {name: %s, labels: {%s}}
spec: {%s completionMode: Indexed, completions: %d, parallelism: %d, template: {metadata: {annotations: {%s}}, spec: {%s restartPolicy: Never, containers: [{%s name: pytorch, image: registry.example/pytorch:2.8}]}}}
`, b.name, b.labels, b.job, b.pods, b.pods, b.annotations, b.pod, b.container)
}

// asks is a container's resources, requests as limits.
func asks(amounts string) string {
	return "resources: {limits: {" + amounts + "}, requests: {" + amounts + "}},"
}

// asksGPUs is a container's request for GPUs.
func asksGPUs(n int) string { return asks(fmt.Sprintf("nvidia.com/gpu: %d", n)) }

// roleUser is a user with the role that people are given, in the whole cluster
// or in the namespaces named.
func roleUser(t *testing.T, name string, namespaces ...string) string {
	t.Helper()
	rules := givenRules(t)
	if len(namespaces) == 0 {
		return user(t, name, controlplane.Grant{Rules: rules})
	}
	var grants []controlplane.Grant
	for _, namespace := range namespaces {
		grants = append(grants, controlplane.Grant{Namespace: namespace, Rules: rules})
	}
	return user(t, name, grants...)
}

// givenRules are those of the role traintop in deploy/rbac.yaml.
func givenRules(t *testing.T) []rbacv1.PolicyRule {
	t.Helper()
	text, err := os.ReadFile("../deploy/rbac.yaml")
	must(t, err)
	for _, document := range strings.Split(string(text), "\n---\n") {
		var role rbacv1.ClusterRole
		must(t, yaml.Unmarshal([]byte(document), &role))
		if role.Name == "traintop" {
			return role.Rules
		}
	}
	t.Fatal("deploy/rbac.yaml has no role traintop")
	return nil
}
