package diagnose

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

var (
	priorityClassKind = schema.GroupKind{Group: "scheduling.k8s.io", Kind: "PriorityClass"}
	runtimeClassKind  = schema.GroupKind{Group: "node.k8s.io", Kind: "RuntimeClass"}
)

// namedObject is an object that pods name, and without which the API server
// refuses them.
type namedObject struct {
	kind       schema.GroupKind
	namespaced bool
	// field is where a pod's spec names it, name reads it; "" for none.
	field string
	name  func(*corev1.PodSpec) string
}

// missingNamed are findings about objects that the templates of missing pods
// name and that are known not to exist.
func (s *jobContext) missingNamed(o namedObject, tell func(*train.Finding, string)) []train.Finding {
	templates := s.templates()
	var found []train.Finding
	named, unseen := 0, ""
	for i := range templates {
		t := &templates[i]
		name := o.name(&t.spec)
		if name == "" {
			continue
		}
		named++
		namespace := ""
		if o.namespaced {
			namespace = s.job.Ref.Namespace
		}
		switch _, presence := s.lookUp(o.kind, namespace, name); presence {
		case train.Unknown:
			unseen = name
		case train.Absent:
			f := s.newFinding(s.missingSeverity(), s.job.Created)
			f.Evidence = []train.Evidence{
				fieldEvidence(t.ref, t.path+"."+o.field, name, s.job.Created, -1),
				fieldEvidence(train.Ref{Group: o.kind.Group, Kind: o.kind.Kind, Namespace: namespace, Name: name}, "", "does not exist", time.Time{}, -1),
			}
			f.Explanation, f.Verify = s.current.meaning, verifyOf(train.StageAdmission)
			tell(&f, name)
			found = append(found, f)
		}
	}
	switch {
	case len(found) > 0:
	case unseen != "":
		s.checkUnknown(fmt.Sprintf("%s %s cannot be looked up: the right to list %s is missing, or the files hold none", o.kind.Kind, unseen, partsOf(o.kind)))
	case named > 0:
		s.checkPassed(fmt.Sprintf("every %s that the job's pods name exists", o.kind.Kind))
	}
	return found
}
