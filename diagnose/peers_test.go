package diagnose

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/admission"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// hit adds a line of a rank's log that matched a cause.
func (t *rankWriter) hit(signature string, cause train.Cause, text string) *rankWriter {
	t.say(time.Second, text)
	t.c.events = append(t.c.events, store.Logged{Stream: t.stream, Hits: []train.LogHit{{
		Signature: signature, Cause: cause, Line: t.number, Time: t.now, Text: text, Rank: -1,
	}}})
	return t
}

// The lost rank is named, and its log is the one to read.
func TestLostPeerIsNamed(t *testing.T) {
	c := newCluster(t)
	c.trained(12)
	c.log(0).hit("nccl-remote", "nccl-connection-lost", "NCCL WARN socketProgress: Connection closed by remote peer bert-worker-10.bert.ml.svc.cluster.local<43210>")
	s := rule.NewJobContext(&rule.ClusterContext{Snapshot: c.snapshot(), Now: noon, Causes: causes}, c.snapshot().Jobs()[0])
	f := train.Finding{Cause: "nccl-connection-lost", Evidence: []train.Evidence{{Rank: 0, Text: "Connection closed by remote peer bert-worker-10.bert.ml.svc.cluster.local<43210>"}}}
	completeLog(s, &f)
	nameRanks(s, []train.Finding{f})
	if !strings.Contains(f.Explanation, "The lost rank is worker-10 (pod bert-worker-10).") || !strings.Contains(f.Next[0].Text, ", bert-worker-10, from its end") || !strings.HasPrefix(f.Next[0].Command, "traintop logs ml/PyTorchJob/bert --ranks 1") {
		t.Errorf("%s %+v", f.Explanation, f.Next)
	}
	own := train.Finding{Cause: "nccl-connection-lost", Evidence: []train.Evidence{{Rank: 3, Text: "bert-worker-3:41:210 [0] NCCL WARN Connection reset"}}}
	completeLog(s, &own)
	if strings.Contains(own.Explanation, "lost rank") {
		t.Errorf("it names the rank that speaks: %s", own.Explanation)
	}
}

// A rank that runs and cannot find the first rank reports it long before it
// gives up.
func TestAddressThatRunningRanksLookFor(t *testing.T) {
	retries := func(text string, steps bool) func(*cluster) {
		return func(c *cluster) {
			c.trained(2)
			c.worker(1, running("gpu-1", 120), func(p *corev1.Pod) {
				p.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "MASTER_ADDR", Value: "bert-master"}}
			})
			log := c.log(1)
			if text != "" {
				log.hit("gai", "master-addr-unresolvable", text)
			}
			if steps {
				log.steps(time.Second, 2*time.Second)
			}
		}
	}
	const says = "[W1120 12:00:00 socket.cpp:764] The IPv4 network addresses of (bert-master, 29500) cannot be retrieved (gai error: -2 - Name or service not known)."
	const lost = train.Cause("master-addr-unresolvable")
	runScenarios(t, []scenario{
		{name: "it tries again", want: lost, title: "there is no Service bert-master", build: retries(says, false)},
		{name: "it made steps since", never: []train.Cause{lost}, build: retries(says, true)},
		{name: "it says nothing", never: []train.Cause{lost}, build: retries("", false)},
	})
}

// Many operators' pods have the label control-plane=controller-manager.
func TestOperatorsAreKnownByTheirDeployment(t *testing.T) {
	c := newCluster(t)
	for _, name := range []string{"other-controller-manager-7d9-x", "jobset-controller-manager-5c4-y"} {
		p := podOf(name, 0)
		p.Namespace, p.Labels = "systems", map[string]string{"control-plane": "controller-manager"}
		c.add(kinds.PodKind, p)
	}
	s := &rule.JobContext{ClusterContext: &rule.ClusterContext{Snapshot: c.snapshot(), Now: noon}}
	evidence := admission.OperatorPods(s, admission.OperatorOf(train.Ref{Group: "jobset.x-k8s.io", Kind: "JobSet"}))
	if len(evidence) != 1 || evidence[0].Object.Name != "jobset-controller-manager-5c4-y" {
		t.Errorf("%+v", evidence)
	}
	evidence = admission.OperatorPods(s, admission.OperatorOf(train.Ref{Group: "leaderworkerset.x-k8s.io", Kind: "LeaderWorkerSet"}))
	if len(evidence) != 1 || !strings.Contains(evidence[0].Text, "no pod of the LeaderWorkerSet controller") {
		t.Errorf("%+v", evidence)
	}
}

// An operator is known by its labels, its name or its image, whoever installed it.
func TestOperatorsOfOtherDistributions(t *testing.T) {
	pyTorch := train.Ref{Group: "kubeflow.org", Kind: "PyTorchJob"}
	for _, test := range []struct {
		name, pod, image string
		labels           map[string]string
		job              train.Ref
		says             string
	}{
		{"its manifests", "training-operator-6f4d5c9b8-x2x9z", "kubeflow/training-operator:v1-855e096", map[string]string{"control-plane": "kubeflow-training-operator"}, pyTorch, "status.phase"},
		{"a chart", "kubeflow-7d9f8b6c5d-abcde", "registry.local:5000/mirror/kubeflow/training-operator:1.9", map[string]string{"app.kubernetes.io/name": "kubeflow"}, pyTorch, "status.phase"},
		{"another name", "ml-jobs-7d9f8b6c5d-abcde", "registry.local/ours:1", map[string]string{"app": "training-operator"}, pyTorch, "status.phase"},
		{"one by digest", "jobs-5c4-y", "quay.io/kuberay/operator@sha256:00", nil, train.Ref{Group: "ray.io", Kind: "RayJob"}, "status.phase"},
		{"a controller without a name", "controller-manager-7d9f8b6c5d-abcde", "registry.local/ours:1", nil, pyTorch, "may be the training-operator under another name"},
		{"a controller of such jobs", "pytorch-controller-7d9f8b6c5d-abcde", "registry.local/ours:1", nil, pyTorch, "may be the training-operator under another name"},
		{"a controller of something else", "gpu-operator-7d9f8b6c5d-abcde", "nvcr.io/nvidia/gpu-operator:v24", map[string]string{"app": "gpu-operator"}, pyTorch, "no pod of the training-operator"},
		{"a program that is no controller", "training-dashboard-7d9f8b6c5d-abcde", "registry.local/ours:1", nil, pyTorch, "no pod of the training-operator"},
		{"a part of a word", "crayon-operator-7d9f8b6c5d-abcde", "registry.local/ours:1", nil, train.Ref{Group: "ray.io", Kind: "RayJob"}, "no pod of the KubeRay operator"},
		{"a control plane of the provider", "coredns-7d9f8b6c5d-abcde", "coredns:1", nil, train.Ref{Group: "batch", Kind: "Job"}, ""},
	} {
		c := newCluster(t)
		p := podOf(test.pod, 0)
		p.Namespace, p.Labels, p.OwnerReferences = "systems", test.labels, nil
		p.Spec.Containers = []corev1.Container{{Name: "main", Image: test.image}}
		c.add(kinds.PodKind, p)
		s := &rule.JobContext{ClusterContext: &rule.ClusterContext{Snapshot: c.snapshot(), Now: noon}}
		evidence := admission.OperatorPods(s, admission.OperatorOf(test.job))
		if test.says == "" && len(evidence) == 0 {
			continue
		}
		if len(evidence) != 1 || !strings.Contains(evidence[0].Field+" "+evidence[0].Text, test.says) {
			t.Errorf("%s: %+v", test.name, evidence)
		}
	}
}

// Where an operator is down, each of its jobs asks for it; the pods of the cluster
// are looked through once for all of them.
func TestTheOperatorIsLookedForOnce(t *testing.T) {
	c := newCluster(t)
	for i := range 300 {
		p := podOf(fmt.Sprintf("web-%d", i), 0)
		p.Namespace, p.Labels, p.OwnerReferences = "web", map[string]string{"app": "web"}, nil
		c.add(kinds.PodKind, p)
	}
	pyTorch := train.Ref{Group: "kubeflow.org", Kind: "PyTorchJob"}
	s := &rule.JobContext{ClusterContext: &rule.ClusterContext{Snapshot: c.snapshot(), Now: noon}}
	first := fmt.Sprint(admission.OperatorPods(s, admission.OperatorOf(pyTorch)))
	var again string
	allocations := testing.AllocsPerRun(1, func() { again = fmt.Sprint(admission.OperatorPods(s, admission.OperatorOf(pyTorch))) })
	if first != again || allocations > 300 {
		t.Errorf("%s, then %s, for which %v allocations were made", first, again, allocations)
	}
	if other := fmt.Sprint(admission.OperatorPods(s, admission.OperatorOf(train.Ref{Group: "ray.io", Kind: "RayJob"}))); other == first {
		t.Errorf("of another operator it is said as well that %s", other)
	}
}
