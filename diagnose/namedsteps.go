package diagnose

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// namespaced are resources of commands in the words of causes that belong to a
// namespace.
var namespaced = map[string]bool{
	"pods": true, "services,endpoints": true, "pvc": true, "pvc,pv": true, "events": true, "serviceaccounts": true, "secrets": true, "configmaps": true,
	"resourcequota": true, "limitrange": true, "workloads": true, "workloads.kueue.x-k8s.io": true, "localqueues,clusterqueues": true, "jobs": true,
	"trainingruntimes,clustertrainingruntimes": true, "resourceclaims,resourceslices,deviceclasses": true,
}

// nameObjects puts the job's namespace, and the pod and the node that a finding
// is about, into the commands of the general words of its cause: without them
// they list what is in the namespace in use, or the whole cluster.
func nameObjects(s *rule.JobContext, found []train.Finding) {
	for i := range found {
		f := &found[i]
		pod, node := subjectOf(s, f)
		for k := range f.Next {
			if step := &f.Next[k]; len(step.Arguments) > 2 && step.Arguments[0] == "kubectl" {
				if named := namedCommand(step.Arguments, s.Job.Ref.Namespace, pod, node); named != nil {
					step.Arguments, step.Command = named, rule.Look("", named...).Command
				}
			}
		}
	}
}

// namedCommand returns a command with names, nil for one that stays as it is.
func namedCommand(arguments []string, namespace, pod, node string) []string {
	verb, resource := arguments[1], arguments[2]
	whole := len(arguments) == 3
	switch {
	case namespace == "" || !slices.Contains([]string{"get", "describe"}, verb):
		return nil
	case whole && verb == "describe" && resource == "nodes" && node != "":
		return []string{"kubectl", "describe", "node/" + node}
	case !namespaced[resource] || slices.ContainsFunc(arguments, func(a string) bool { return a == "-A" || a == "-n" || a == "--all-namespaces" }):
		return nil
	case whole && verb == "describe" && resource == "pods" && pod != "":
		return []string{"kubectl", "describe", "pod/" + pod, "-n", namespace}
	case whole && resource == "events" && pod != "":
		return []string{"kubectl", "events", "-n", namespace, "--for", "pod/" + pod}
	}
	return append(slices.Clone(arguments), "-n", namespace)
}

// subjectOf returns the pod that the first fact of a finding is about, if it
// exists in the job's namespace, and the node on which it was when its container
// ran: why a pod got no node, or did not start, nodes together show.
func subjectOf(s *rule.JobContext, f *train.Finding) (pod, node string) {
	for i := range f.Evidence {
		e := &f.Evidence[i]
		name, namespace := e.Stream.Pod, e.Stream.Namespace
		if name == "" && e.Object.Kind == "Pod" {
			name, namespace = e.Object.Name, e.Object.Namespace
		}
		if name == "" || namespace != s.Job.Ref.Namespace || strings.HasPrefix(name, "-") {
			continue
		}
		o := s.Pod(namespace, name)
		if o == nil {
			continue
		}
		if isRunStage(f.Stage) {
			node = o.Spec.NodeName
		}
		return name, node
	}
	return "", ""
}
