package rule

import (
	"fmt"
	"strings"
)

// Change is a part of a manifest and the lines that differ in it, as in a diff.
type Change struct{ Part, Lines string }

// Parts of a manifest that findings change.
const (
	PodSpec    = "pod template: spec"
	Containers = "container"
)

// LimitsPart returns the part with the limits of a container.
func LimitsPart(container string) string {
	return "container " + Plain(container) + ": resources.limits"
}

// Edit returns a change of the job's manifest, as a diff.
func (s *JobContext) Edit(changes ...Change) string {
	var text strings.Builder
	name := Plain(s.Job.Ref.String())
	fmt.Fprintf(&text, "--- %s\n+++ %s\n", name, name)
	for _, c := range changes {
		fmt.Fprintf(&text, "@@ %s @@\n%s", s.partOf(c.Part), c.Lines)
	}
	return text.String()
}

// partOf returns where a part is in the job's manifest. A TrainJob has no pod
// template: it overrides that of its runtime (kubeflow/trainer v2.1
// trainjob_types.go; podSpecOverrides in 2.0, runtimePatches since 2.2).
func (s *JobContext) partOf(part string) string {
	if s.Job.Ref.Kind != "TrainJob" {
		return part
	}
	switch part {
	case PodSpec:
		return "spec.podTemplateOverrides (2.0: podSpecOverrides, since 2.2: runtimePatches): spec"
	case Containers:
		return "spec.podTemplateOverrides (2.0: podSpecOverrides, since 2.2: runtimePatches): spec.containers"
	}
	return "spec.trainer: resourcesPerNode.limits"
}
