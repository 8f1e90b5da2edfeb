package resources

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/apitable"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

var deploymentKind = schema.GroupKind{Group: "apps", Kind: "Deployment"}

// ownedKinds are the workloads that enter opens, with the kind of the objects that it
// shows of them, as k9s does.
var ownedKinds = map[schema.GroupKind]schema.GroupKind{
	deploymentKind:                       kinds.PodKind,
	{Group: "apps", Kind: "StatefulSet"}: kinds.PodKind,
	{Group: "apps", Kind: "DaemonSet"}:   kinds.PodKind,
	{Group: "apps", Kind: "ReplicaSet"}:  kinds.PodKind,
	{Kind: "ReplicationController"}:      kinds.PodKind,
	{Group: "batch", Kind: "Job"}:        kinds.PodKind,
}

// enter opens what k9s opens: the log of a pod, the pods of a workload, the jobs of a
// CronJob, or of a JobFlow, the pods on a node. It describes every other object.
func (v *View) enter(row *apitable.Row, f views.Frame) views.Effect {
	ref := v.resource.Ref(row)
	if route, is := logsOf(ref, f); is {
		return views.OpenScreen{Route: route}
	}
	kind := schema.GroupKind{Group: ref.Group, Kind: ref.Kind}
	if owned, is := ownedKinds[kind]; is {
		return views.ShowOwned{Owner: ref, Kind: owned}
	}
	if jobs, makes := kinds.MadeJobs(kind); makes {
		return views.ShowOwned{Owner: ref, Kind: jobs}
	}
	if kind == kinds.NodeKind && f.Snapshot.Node(ref.Name) != nil {
		return views.OpenScreen{Route: views.NodeRoute{Name: ref.Name}}
	}
	return views.Described(ref)
}

// ownerName is the owner as a title names it: "deployment api".
func (v *View) ownerName() string {
	return strings.ToLower(v.owner.Kind) + " " + draw.Clean(v.owner.Name)
}

// owned returns the rows that the owner owns, all where there is none.
func (v *View) owned(rows []*apitable.Row) []*apitable.Row {
	if v.owner.Name == "" {
		return rows
	}
	var owned []*apitable.Row
	for _, row := range rows {
		if owns(v.owner, row) {
			owned = append(owned, row)
		}
	}
	return owned
}

// owns reports whether an object owns a row: directly, or as a Deployment through a
// ReplicaSet. The controller of Deployments names a ReplicaSet after the Deployment and
// the hash that it also writes as a label on its pods (pkg/controller/deployment/sync.go,
// Kubernetes 1.36).
func owns(owner train.Ref, row *apitable.Row) bool {
	of := row.Owner
	if owner.Group == deploymentKind.Group && owner.Kind == deploymentKind.Kind && of.Kind == "ReplicaSet" {
		hash := row.Labels["pod-template-hash"]
		return hash != "" && row.Namespace == owner.Namespace && of.Name == owner.Name+"-"+hash
	}
	if of.UID != "" && owner.UID != "" {
		return of.UID == owner.UID
	}
	return of.Group == owner.Group && of.Kind == owner.Kind && of.Name == owner.Name && row.Namespace == owner.Namespace
}
