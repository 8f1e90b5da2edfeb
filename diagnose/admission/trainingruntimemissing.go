package admission

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var trainingRuntimeMissing = rule.Cause{
	ID: "training-runtime-missing", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "The training runtime does not exist or does not fit",
		Meaning: "The TrainJob names a runtime that does not exist, or one without the training step that the trainer looks for, so it gets no pods.",
		Fix: "List the runtimes. $ kubectl get trainingruntimes,clustertrainingruntimes\n" +
			"Correct runtimeRef, or create the runtime; its replicated job for training must have the name node.",
	},
	Evidence: "spec.runtimeRef of the TrainJob against the TrainingRuntime and ClusterTrainingRuntime objects; the runtime's replicated jobs; condition Failed reason TrainingRuntimeNotSupported.",
	Hides:    []train.Cause{"no-pods-operator-down", "admission-webhook-denied"},

	FromMessages: true,
	Find: func(s *rule.JobContext) []train.Finding {
		if s.Job.Ref.Kind != "TrainJob" || s.Top == nil || s.Job.Phase.Terminal() || s.Job.Phase == train.Running {
			return nil
		}
		kind, namespace := rule.ClusterRuntimeKind, ""
		if rule.SpecText(s.Top, "spec", "runtimeRef", "kind") == rule.RuntimeKind.Kind {
			kind, namespace = rule.RuntimeKind, s.Job.Ref.Namespace
		}
		name := rule.SpecText(s.Top, "spec", "runtimeRef", "name")
		if name == "" {
			return nil
		}
		o, presence := s.LookUp(kind, namespace, name)
		switch {
		case presence == train.Absent:
			return []train.Finding{noRuntime(s, kind, namespace, name)}
		case presence == train.Unknown:
			s.CheckUnknown(fmt.Sprintf("%s %s cannot be looked up: %s", kind.Kind, name, s.WhyUnlisted(kind, s.Job.Ref.Namespace)))
			return nil
		}
		if u, is := o.(*unstructured.Unstructured); is {
			return runtimeWithoutNode(s, u)
		}
		return nil
	},
}

func noRuntime(s *rule.JobContext, kind schema.GroupKind, namespace, name string) train.Finding {
	f := s.NewFinding(s.SeverityAfter(s.Job.Created, rule.StartGrace), s.Job.Created)
	f.Title = fmt.Sprintf("%s %s, which %s runs on, does not exist", kind.Kind, name, s.Job.Ref)
	f.Explanation = "A TrainJob takes its pod template from a runtime. Without it the trainer makes nothing."
	ref := train.Ref{Group: kind.Group, Kind: kind.Kind, Namespace: namespace, Name: name}
	f.Evidence = []train.Evidence{rule.FieldEvidence(s.Job.Ref, "spec.runtimeRef.name", name, s.Job.Created, -1), rule.FieldEvidence(ref, "", "does not exist", time.Time{}, -1)}
	f.Next = []train.Step{
		rule.Look("See the runtimes that exist.", "kubectl", "get", "clustertrainingruntimes,trainingruntimes", "-n", s.Job.Ref.Namespace),
		rule.Do("Correct spec.runtimeRef of the job, or create the runtime."),
	}
	f.Verify = "The TrainJob gets a JobSet and its pods."
	return f
}

// runtimeWithoutNode finds a runtime without the replicated job that the
// trainer needs: it sets numNodes and resources only on the one called node,
// or the one labelled as the trainer's step (kubeflow/trainer 2.1
// pkg/constants).
func runtimeWithoutNode(s *rule.JobContext, runtime *unstructured.Unstructured) []train.Finding {
	var list []string
	for _, job := range rule.MapsIn(runtime.Object, "spec", "template", "spec", "replicatedJobs") {
		name := rule.TextIn(job, "name")
		labels := rule.MapAt(job, "template", "metadata", "labels")
		if step, _ := labels["trainer.kubeflow.org/trainjob-ancestor-step"].(string); name == "node" || step == "trainer" {
			return nil
		}
		list = append(list, name)
	}
	if len(list) == 0 {
		return nil
	}
	ref := kinds.RefOf(rule.ObjectKind(runtime), runtime)
	f := s.NewFinding(s.SeverityAfter(s.Job.Created, rule.StartGrace), s.Job.Created)
	f.Title = fmt.Sprintf("Runtime %s has no replicated job named node, only %s", runtime.GetName(), rule.Names(list))
	f.Explanation = "The trainer puts the number of nodes, the command and the resources of a TrainJob into the replicated job named node (or labelled trainjob-ancestor-step: trainer). Here nothing receives them."
	f.Evidence = []train.Evidence{rule.FieldEvidence(ref, "spec.template.spec.replicatedJobs", rule.Names(list), time.Time{}, -1)}
	f.Next = []train.Step{rule.Do("Name the replicated job that trains node, or give its template the label trainer.kubeflow.org/trainjob-ancestor-step: trainer."), rule.Look("See the runtime.", append(rule.Kubectl("get", ref), "-o", "yaml")...)}
	f.Verify = "The pods of the TrainJob are as many as numNodes says."
	return []train.Finding{f}
}
