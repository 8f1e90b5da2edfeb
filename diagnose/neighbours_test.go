package diagnose

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/diagnose/scheduling"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// neighbour adds a running pod of another owner with labels, on a node.
func (c *cluster) neighbour(name, namespace, node string, labels map[string]string, change ...func(*corev1.Pod)) {
	p := podOf(name, 0)
	p.Namespace, p.Labels, p.Spec.NodeName, p.Status.Phase = namespace, labels, node, corev1.PodRunning
	for _, f := range change {
		f(p)
	}
	c.add(kinds.PodKind, p)
}

func term(key string, selects map[string]string, namespaces ...string) []corev1.PodAffinityTerm {
	return []corev1.PodAffinityTerm{{TopologyKey: key, Namespaces: namespaces, LabelSelector: &metav1.LabelSelector{MatchLabels: selects}}}
}

func avoids(terms []corev1.PodAffinityTerm) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: terms}}
	}
}

func seeks(terms []corev1.PodAffinityTerm) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: terms}}
	}
}

func spreads(key string, skew int32, when corev1.UnsatisfiableConstraintAction, selects map[string]string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{TopologyKey: key, MaxSkew: skew, WhenUnsatisfiable: when, LabelSelector: &metav1.LabelSelector{MatchLabels: selects}}}
	}
}

// Rules about neighbours are computed from pods and nodes; these scenarios
// have no scheduler messages.
func TestNeighboursAreComputed(t *testing.T) {
	const host, zone = "kubernetes.io/hostname", "topology.kubernetes.io/zone"
	loud := map[string]string{"app": "loud"}
	own := map[string]string{"training.kubeflow.org/job-name": "bert"}
	one := func(c *cluster) { c.node("gpu-0", 8) }
	two := func(c *cluster) {
		c.node("gpu-0", 8, labelled(zone, "a"))
		c.node("gpu-1", 8, labelled(zone, "b"))
	}
	job := func(change ...func(*corev1.Pod)) func(*cluster) { return waiting("", change...) }
	with := func(labels map[string]string, node string, change ...func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) { c.neighbour("loud-0", ns, node, labels, change...) }
	}
	conflict, none := scheduling.PodAffinityConflictID, train.Cause("")
	runScenarios(t, []scenario{
		{name: "anti-affinity to who is there", want: conflict, build: both(one, job(avoids(term(host, loud))), with(loud, "gpu-0"))},
		{name: "near miss: who is there has another label", want: none, build: both(one, job(avoids(term(host, loud))), with(own, "gpu-0"))},
		{name: "near miss: who is there is of another namespace", want: none, build: both(one, job(avoids(term(host, loud))), func(c *cluster) { c.neighbour("loud-0", "other", "gpu-0", loud) })},
		{name: "anti-affinity to another namespace", want: conflict, build: both(one, job(avoids(term(host, loud, "other"))), func(c *cluster) { c.neighbour("loud-0", "other", "gpu-0", loud) })},
		{name: "near miss: another node is free of it", want: none, build: both(two, job(avoids(term(host, loud))), with(loud, "gpu-0"))},
		{name: "near miss: who is there has ended", want: none, build: both(one, job(avoids(term(host, loud))), with(loud, "gpu-0", func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }))},
		{name: "anti-affinity of who is there", want: conflict, build: both(one, waiting("0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules."), with(loud, "gpu-0", avoids(term(host, own))))},
		{name: "affinity to who is nowhere", want: conflict, build: both(two, job(seeks(term(zone, loud))))},
		{name: "near miss: affinity to who is in one zone", want: none, build: both(two, job(seeks(term(zone, loud))), with(loud, "gpu-1"))},
		{name: "near miss: the first of a group that wants itself", want: none, build: both(two, job(seeks(term(zone, own))))},
		{name: "affinity by a label that nodes have not", want: conflict, build: both(one, job(seeks(term(zone, own))))},
		{name: "spread more unevenly than allowed", want: conflict, build: both(two, job(spreads(zone, 1, corev1.DoNotSchedule, own), func(p *corev1.Pod) { p.Labels = own }), with(own, "gpu-0"),
			func(c *cluster) {
				c.node("cpu-0", 0, labelled(zone, "b"))
				c.holder("gpu-1", 8)
			})},
		{name: "near miss: the emptier zone has room", want: none, build: both(two, job(spreads(zone, 1, corev1.DoNotSchedule, own)), with(own, "gpu-0"))},
		{name: "near miss: spread if possible", want: none, build: both(two, job(spreads(zone, 1, corev1.ScheduleAnyway, own)), with(own, "gpu-0"), func(c *cluster) { c.holder("gpu-1", 8) })},
		{name: "pods cannot be read", want: none, build: both(one, job(avoids(term(host, loud))), func(c *cluster) { c.unreadable(kinds.PodKind) })},
	})
}
