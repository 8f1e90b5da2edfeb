package diagnose

import (
	"fmt"
	"strings"
)

// change is a part of a manifest and the lines that differ in it, as in a diff.
type change struct{ part, lines string }

// Parts of a manifest that findings change.
const (
	podSpec    = "pod template: spec"
	containers = "container"
)

// limitsPart is the part with the limits of a container.
func limitsPart(container string) string {
	return "container " + plain(container) + ": resources.limits"
}

// edit is a change of the job's manifest, as a diff.
func (s *jobContext) edit(changes ...change) string {
	var text strings.Builder
	name := plain(s.job.Ref.String())
	fmt.Fprintf(&text, "--- %s\n+++ %s\n", name, name)
	for _, c := range changes {
		fmt.Fprintf(&text, "@@ %s @@\n%s", s.partOf(c.part), c.lines)
	}
	return text.String()
}

// partOf says where a part stands in the job's manifest. A TrainJob has no pod
// template: it overrides that of its runtime (kubeflow/trainer v2.1
// trainjob_types.go; podSpecOverrides in 2.0, runtimePatches since 2.2).
func (s *jobContext) partOf(part string) string {
	if s.job.Ref.Kind != "TrainJob" {
		return part
	}
	switch part {
	case podSpec:
		return "spec.podTemplateOverrides (2.0: podSpecOverrides, since 2.2: runtimePatches): spec"
	case containers:
		return "spec.podTemplateOverrides (2.0: podSpecOverrides, since 2.2: runtimePatches): spec.containers"
	}
	return "spec.trainer: resourcesPerNode.limits"
}
