package scheduling

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

var draClaimPending = rule.Cause{
	ID: "dra-claim-pending", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "A device claim is not allocated",
		Meaning: "The pod asks for devices through a ResourceClaim, and no driver has allocated or prepared them: no device fits, or the driver does not run.",
		Fix: "See the claims and which devices there are. $ kubectl get resourceclaims,resourceslices,deviceclasses\n" +
			"Look at the driver, its ResourceSlices and the DeviceClass.",
	},
	Evidence: "FailedScheduling `cannot allocate all claims`, `resourceclaim not available on the node`, `waiting for resource driver`; ResourceClaim without allocation; FailedPrepareDynamicResources on the node.",
	Hides:    []train.Cause{"autoscaler-not-scaling-up", "gang-not-ready"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		if match != nil && match.Message != nil && match.Message.Pod != nil {
			f.Title = fmt.Sprintf("The devices claimed by %s cannot be prepared on node %s", rule.RankName(match.Message.Pod.Rank), match.Message.Pod.Spec.NodeName)
			f.Explanation = "The claim is allocated, and the driver on the node failed to hand the devices over: " + rule.Plain(match.Text())
		}
	},
	Find: func(s *rule.JobContext) []train.Finding {
		found := UnplacedBy(s, func(g *rule.Placement, f *train.Finding) {
			f.Title = fmt.Sprintf("%s cannot be placed: the devices of %s cannot be allocated", rule.RankNames(g.Pods), termtext.Agree(len(g.Pods), "its claim", "their claims"))
			ExplainPlacement(s, g, f)
			f.Next = append(f.Next, rule.Look("See which devices drivers offer.", "kubectl", "get", "resourceslices"))
			explainClaims(s, g, f)
		})
		return found
	},
}

// explainClaims adds for each claim of a pod whether it exists and is
// allocated.
func explainClaims(s *rule.JobContext, g *rule.Placement, f *train.Finding) {
	p := g.Pods[0]
	for _, st := range p.Status.ResourceClaimStatuses {
		if st.ResourceClaimName == nil {
			continue
		}
		ref := train.Ref{Group: rule.ResourceClaimKind.Group, Kind: rule.ResourceClaimKind.Kind, Namespace: p.Namespace, Name: *st.ResourceClaimName}
		o, presence := s.LookUp(rule.ResourceClaimKind, p.Namespace, *st.ResourceClaimName)
		claim, is := o.(*unstructured.Unstructured)
		switch {
		case presence == train.Absent:
			f.Evidence = append(f.Evidence, rule.FieldEvidence(ref, "", "the claim does not exist", time.Time{}, rule.RankOf(p)))
		case is && len(rule.MapAt(claim.Object, "status", "allocation")) == 0:
			f.Evidence = append(f.Evidence, rule.StatusEvidence(ref, "status.allocation", "not allocated", time.Time{}, rule.RankOf(p)))
		}
	}
}
