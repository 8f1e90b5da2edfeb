package rule

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

// NotServed and NoList are parts of the sentences below by which advice is chosen.
const (
	NotServed = "the cluster does not serve them"
	NoList    = "listing them got no answer"
	// LeftOut is part of a source's sentence about objects that cannot be used.
	LeftOut = " cannot be used and "
	// Unseen is between what cannot be seen and why.
	Unseen = " cannot be seen: "
)

// WhyUnseen returns why a kind cannot be read, "" when it can.
func (s *JobContext) WhyUnseen(kind schema.GroupKind) string {
	if s.Complete(kind, s.Job.Ref.Namespace) {
		return ""
	}
	if _, unread := s.Unread(kind, s.Job.Ref.Namespace); !unread && s.Count(kind) > 0 {
		return ""
	}
	return partsOf(kind) + Unseen + s.WhyUnlisted(kind, s.Job.Ref.Namespace)
}

// WhyUnlisted returns why the list of a kind was not read, as a clause: in a
// namespace, or ("") in all.
func (s *JobContext) WhyUnlisted(kind schema.GroupKind, namespace string) string {
	list, unread := s.Unread(kind, namespace)
	switch {
	case s.Unserved(kind):
		return NotServed
	case unread && strings.HasPrefix(list.Source, "file "):
		return "what was given was not read whole: " + Plain(list.Text)
	case unread && list.LeavesOut():
		return Plain(list.Text)
	case !unread, list.State == train.SourceForbidden:
		return "the right to list them is missing, or the files hold none"
	case list.State == train.SourceLive:
		return "they were listed in other namespaces only"
	case !list.State.Settled():
		return NoList + " yet"
	}
	return NoList + ": " + Plain(list.Text)
}
