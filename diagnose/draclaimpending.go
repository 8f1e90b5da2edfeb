package diagnose

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

var draClaimPending = cause{
	id: "dra-claim-pending", stage: train.StageSchedule,
	meaning:  "The pod asks for devices through a ResourceClaim, and no driver has given them: no device fits, or the driver does not run.",
	evidence: "FailedScheduling `cannot allocate all claims`, `resourceclaim not available on the node`, `waiting for resource driver`; ResourceClaim without allocation; FailedPrepareDynamicResources on the node.",
	fix:      "Look at the driver, its ResourceSlices and the DeviceClass.",
	text: logs.Words{
		Title:   "A device claim is not allocated",
		Meaning: "The pod's ResourceClaim cannot be satisfied or prepared.",
		Fix:     "See the claims and what devices there are. $ kubectl get resourceclaims,resourceslices,deviceclasses",
	},
	hides: []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		if by != nil && by.message != nil && by.message.pod != nil {
			f.Title = fmt.Sprintf("The devices claimed by %s cannot be prepared on node %s", rankName(by.message.pod.rank), by.message.pod.Spec.NodeName)
			f.Explanation = "The claim is allocated, and the driver on the node failed to hand the devices over: " + plain(by.text())
		}
	},
	find: func(s *jobContext) []train.Finding {
		found := s.unplacedBy(func(g *placement, f *train.Finding) {
			f.Title = fmt.Sprintf("%s cannot be placed: the devices of %s cannot be allocated", rankNames(g.pods), termtext.Agree(len(g.pods), "its claim", "their claims"))
			s.explainPlacement(g, f)
			f.Next = append(f.Next, look("See which devices drivers offer.", "kubectl", "get", "resourceslices"))
			s.explainClaims(g, f)
		})
		return found
	},
}

// explainClaims says of each claim of a pod whether it exists and is allocated.
func (s *jobContext) explainClaims(g *placement, f *train.Finding) {
	p := g.pods[0]
	for _, st := range p.Status.ResourceClaimStatuses {
		if st.ResourceClaimName == nil {
			continue
		}
		ref := train.Ref{Group: resourceClaimKind.Group, Kind: resourceClaimKind.Kind, Namespace: p.Namespace, Name: *st.ResourceClaimName}
		o, presence := s.lookUp(resourceClaimKind, p.Namespace, *st.ResourceClaimName)
		claim, is := o.(*unstructured.Unstructured)
		switch {
		case presence == train.Absent:
			f.Evidence = append(f.Evidence, fieldEvidence(ref, "", "the claim does not exist", time.Time{}, rankOf(p)))
		case is && len(mapAt(claim.Object, "status", "allocation")) == 0:
			f.Evidence = append(f.Evidence, statusEvidence(ref, "status.allocation", "not allocated", time.Time{}, rankOf(p)))
		}
	}
}
