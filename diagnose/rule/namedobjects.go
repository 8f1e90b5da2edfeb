package rule

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

var (
	PriorityClassKind = schema.GroupKind{Group: "scheduling.k8s.io", Kind: "PriorityClass"}
	RuntimeClassKind  = schema.GroupKind{Group: "node.k8s.io", Kind: "RuntimeClass"}
)

// NamedObject is an object that pods name, and without which the API server
// rejects them.
type NamedObject struct {
	Kind       schema.GroupKind
	Namespaced bool
	// Field is where a pod's spec names it, name reads it; "" for none.
	Field string
	Name  func(*corev1.PodSpec) string
}

// MissingNamed returns findings about objects that the templates of missing
// pods name and that are known not to exist.
func (s *JobContext) MissingNamed(o NamedObject, tell func(*train.Finding, string)) []train.Finding {
	templates := s.Templates()
	var found []train.Finding
	named, unseen := 0, ""
	for i := range templates {
		t := &templates[i]
		name := o.Name(&t.Spec)
		if name == "" {
			continue
		}
		named++
		namespace := ""
		if o.Namespaced {
			namespace = s.Job.Ref.Namespace
		}
		switch _, presence := s.LookUp(o.Kind, namespace, name); presence {
		case train.Unknown:
			unseen = name
		case train.Absent:
			f := s.NewFinding(s.MissingSeverity(), s.Job.Created)
			f.Evidence = []train.Evidence{
				FieldEvidence(t.Ref, t.Path+"."+o.Field, name, s.Job.Created, -1),
				FieldEvidence(train.Ref{Group: o.Kind.Group, Kind: o.Kind.Kind, Namespace: namespace, Name: name}, "", "does not exist", time.Time{}, -1),
			}
			f.Explanation, f.Verify = s.Current.Meaning, VerifyOf(train.StageAdmission)
			tell(&f, name)
			found = append(found, f)
		}
	}
	switch {
	case len(found) > 0:
	case unseen != "":
		s.CheckUnknown(fmt.Sprintf("%s %s cannot be looked up in %s: %s", o.Kind.Kind, unseen, partsOf(o.Kind), s.WhyUnlisted(o.Kind, s.Job.Ref.Namespace)))
	case named > 0:
		s.CheckPassed(fmt.Sprintf("every %s that the job's pods name exists", o.Kind.Kind))
	}
	return found
}
