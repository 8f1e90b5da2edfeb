package diagnose

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

var trainingRuntimeMissing = cause{
	id: "training-runtime-missing", stage: train.StageAdmission,
	meaning:  "The TrainJob names a runtime that does not exist, or one whose training step the trainer does not find.",
	evidence: "spec.runtimeRef of the TrainJob against the TrainingRuntime and ClusterTrainingRuntime objects; the runtime's replicated jobs.",
	fix:      "Correct runtimeRef, or create the runtime; its replicated job for training must be named node.",
	hides:    []train.Cause{"no-pods-operator-down", "admission-webhook-denied"},
	find: func(s *jobContext) []train.Finding {
		if s.job.Ref.Kind != "TrainJob" || s.top == nil || s.job.Phase.Terminal() || s.job.Phase == train.Running {
			return nil
		}
		kind, namespace := clusterRuntimeKind, ""
		if specText(s.top, "spec", "runtimeRef", "kind") == runtimeKind.Kind {
			kind, namespace = runtimeKind, s.job.Ref.Namespace
		}
		name := specText(s.top, "spec", "runtimeRef", "name")
		if name == "" {
			return nil
		}
		o, presence := s.lookUp(kind, namespace, name)
		switch {
		case presence == train.Absent:
			return []train.Finding{s.noRuntime(kind, namespace, name)}
		case presence == train.Unknown:
			s.checkUnknown(fmt.Sprintf("%s %s cannot be looked up", kind.Kind, name))
			return nil
		}
		if u, is := o.(*unstructured.Unstructured); is {
			return s.runtimeWithoutNode(u)
		}
		return nil
	},
}

func (s *jobContext) noRuntime(kind schema.GroupKind, namespace, name string) train.Finding {
	f := s.newFinding(s.severityAfter(s.job.Created, startGrace), s.job.Created)
	f.Title = fmt.Sprintf("%s %s, which %s runs on, does not exist", kind.Kind, name, s.job.Ref)
	f.Explanation = "A TrainJob takes its pod template from a runtime. Without it the trainer makes nothing."
	ref := train.Ref{Group: kind.Group, Kind: kind.Kind, Namespace: namespace, Name: name}
	f.Evidence = []train.Evidence{fieldEvidence(s.job.Ref, "spec.runtimeRef.name", name, s.job.Created, -1), fieldEvidence(ref, "", "does not exist", time.Time{}, -1)}
	f.Next = []train.Step{
		look("See the runtimes that exist.", "kubectl", "get", "clustertrainingruntimes,trainingruntimes", "-n", s.job.Ref.Namespace),
		do("Correct spec.runtimeRef of the job, or create the runtime."),
	}
	f.Verify = "The TrainJob gets a JobSet and its pods."
	return f
}

// runtimeWithoutNode: the trainer sets numNodes and resources only on the
// replicated job called node, or the one labelled as the trainer's step
// (kubeflow/trainer 2.1 pkg/constants).
func (s *jobContext) runtimeWithoutNode(runtime *unstructured.Unstructured) []train.Finding {
	var list []string
	for _, job := range mapsIn(runtime.Object, "spec", "template", "spec", "replicatedJobs") {
		name := textIn(job, "name")
		labels := mapAt(job, "template", "metadata", "labels")
		if step, _ := labels["trainer.kubeflow.org/trainjob-ancestor-step"].(string); name == "node" || step == "trainer" {
			return nil
		}
		list = append(list, name)
	}
	if len(list) == 0 {
		return nil
	}
	ref := refOf(objectKind(runtime), runtime)
	f := s.newFinding(s.severityAfter(s.job.Created, startGrace), s.job.Created)
	f.Title = fmt.Sprintf("Runtime %s has no replicated job named node, only %s", runtime.GetName(), names(list))
	f.Explanation = "The trainer puts the number of nodes, the command and the resources of a TrainJob into the replicated job named node (or labelled trainjob-ancestor-step: trainer). Here nothing receives them."
	f.Evidence = []train.Evidence{fieldEvidence(ref, "spec.template.spec.replicatedJobs", names(list), time.Time{}, -1)}
	f.Next = []train.Step{do("Name the replicated job that trains node, or give its template the label trainer.kubeflow.org/trainjob-ancestor-step: trainer."), look("See the runtime.", append(kubectl("get", ref), "-o", "yaml")...)}
	f.Verify = "The pods of the TrainJob are as many as numNodes says."
	return []train.Finding{f}
}
