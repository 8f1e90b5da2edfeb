package store

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/train/kinds"
)

// gonePods keeps the pods that a source saw go, by the object that controls
// them and by name: a controller that creates a pod anew under its name leaves
// no other trace of the pods before. The oldest are dropped first.
type gonePods struct {
	of tree[string, kinds.GonePods]
	// byUID has the same pods.
	byUID tree[types.UID, *corev1.Pod]
	// order has the keys of the pods that are kept, in the order in which they went.
	order []string
}

// maxGone is how many pods are kept of one name, maxGonePods of all; a pod takes
// some 5 KiB.
const (
	maxGone     = 16
	maxGonePods = 4096
)

func newGonePods() gonePods {
	return gonePods{of: newTree[string, kinds.GonePods](), byUID: newTree[types.UID, *corev1.Pod]()}
}

// add keeps a pod that went. One that no node had taken on did nothing.
func (g *gonePods) add(pod *corev1.Pod) {
	controller := metav1.GetControllerOfNoCopy(pod)
	if controller == nil || pod.UID == "" || pod.Spec.NodeName == "" {
		return
	}
	if _, has := mapOf(g.byUID).Get(pod.UID); has {
		return
	}
	at := goneKey(controller.UID, pod.Namespace, pod.Name)
	gone, _ := mapOf(g.of).Get(at)
	gone.Pods = append(slices.Clip(gone.Pods), pod)
	mapOf(g.of).Set(at, gone)
	mapOf(g.byUID).Set(pod.UID, pod)
	if len(gone.Pods) > maxGone {
		g.drop(at)
		return
	}
	if g.order = append(g.order, at); len(g.order) > maxGonePods {
		g.drop(g.order[0])
		g.order = g.order[1:]
	}
}

// remove removes a pod that came again: it was not observed for a while.
func (g *gonePods) remove(pod *corev1.Pod) {
	kept, has := mapOf(g.byUID).Get(pod.UID)
	if !has {
		return
	}
	mapOf(g.byUID).Delete(pod.UID)
	at := goneKey(metav1.GetControllerOfNoCopy(kept).UID, pod.Namespace, pod.Name) // nobody may control it now
	gone, _ := mapOf(g.of).Get(at)
	gone.Pods = slices.DeleteFunc(slices.Clone(gone.Pods), func(p *corev1.Pod) bool { return p.UID == pod.UID })
	if i := slices.Index(g.order, at); i >= 0 {
		g.order = slices.Delete(g.order, i, i+1)
	}
	if len(gone.Pods) == 0 {
		mapOf(g.of).Delete(at)
		return
	}
	mapOf(g.of).Set(at, gone)
}

// drop drops the oldest pod of a name.
func (g *gonePods) drop(at string) {
	gone, has := mapOf(g.of).Get(at)
	if !has {
		return
	}
	mapOf(g.byUID).Delete(gone.Pods[0].UID)
	if gone.Pods, gone.Dropped = gone.Pods[1:], gone.Dropped+1; len(gone.Pods) == 0 {
		mapOf(g.of).Delete(at)
		return
	}
	mapOf(g.of).Set(at, gone)
}

func (g *gonePods) copy() gonePods { return gonePods{of: copyTree(g.of), byUID: copyTree(g.byUID)} }

func goneKey(controller types.UID, namespace, name string) string {
	return string(controller) + pairSeparator + namespace + pairSeparator + name
}

// ofController returns the pods of a controller that went.
func (g *gonePods) ofController(controller types.UID) (all []kinds.GonePods) {
	prefix := string(controller) + pairSeparator
	mapOf(g.of).Ascend(prefix, func(at string, gone kinds.GonePods) bool {
		if !strings.HasPrefix(at, prefix) {
			return false
		}
		all = append(all, gone)
		return true
	})
	return all
}

// GonePod returns a pod that a source of the snapshot saw go, nil for none.
func GonePod(s *Snapshot, uid string) *corev1.Pod {
	pod, _ := mapOf(s.gone.byUID).Get(types.UID(uid))
	return pod
}
