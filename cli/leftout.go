package cli

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train/kinds"
)

// reportLeftOut names on standard error the parts of files that were skipped on
// purpose: files of a folder that are neither objects nor logs, text around
// objects. A person may have wanted them to be read.
func (a *app) reportLeftOut(s *session) {
	for _, h := range s.store.Snapshot().Health() {
		if _, is := h.Skips(); is {
			fmt.Fprintf(a.err, "traintop: %s\n", termtext.Line(h.Text))
		}
	}
	if failed := s.failedOfNoJob(s.store.Snapshot()); failed != "" {
		fmt.Fprintf(a.err, "traintop: %s\n", termtext.Line(failed))
	}
	for _, p := range cutCounts(s.store.Snapshot(), s.namespace) {
		fmt.Fprintf(a.err, "traintop: %s: %s\n", termtext.Line(p.Source), termtext.Line(p.Text))
	}
	for _, m := range append(diagnose.Unclaimed(s.store.Snapshot(), s.namespace), s.unknownLabels(s.store.Snapshot())...) {
		fmt.Fprintf(a.err, "traintop: %s\n", termtext.Line(m.Why))
	}
}

// failedOfNoJob names the pods that ask for accelerators, failed and belong to no
// job that is known: their job may be of a kind that is not read. "" for none.
func (s *session) failedOfNoJob(snapshot *store.Snapshot) string {
	var failed, owners []string
	snapshot.Objects(kinds.PodKind, s.namespace, func(o kinds.Object) bool {
		id, is := snapshot.LonePod(o.GetNamespace(), o.GetName())
		if !is || !s.selector.Matches(labels.Set(o.GetLabels())) {
			return true
		}
		pod := snapshot.Job(id)
		if pod == nil || pod.LogsOnly || !diagnose.InTrouble(pod) || !asksForGPUs(o) {
			return true
		}
		failed = append(failed, o.GetNamespace()+"/"+o.GetName())
		for _, owner := range o.GetOwnerReferences() {
			if text := owner.Kind + " " + owner.Name; !slices.Contains(owners, text) {
				owners = append(owners, text)
			}
		}
		return true
	})
	if len(failed) == 0 {
		return ""
	}
	whose := "nothing owns them"
	if len(owners) > 0 {
		whose = "of " + strings.Join(firstOf(owners), ", ")
	}
	return fmt.Sprintf("%s that asked for GPUs failed and %s to no job that is read (%s; %s); traintop --from and the screen :pods show them, kubectl describe says why, and docs/kinds.md lists the kinds that are read",
		termtext.Count(len(failed), "pod"), termtext.Agree(len(failed), "belongs", "belong"), strings.Join(firstOf(failed), ", "), whose)
}

// asksForGPUs reports whether a pod asks for accelerators.
func asksForGPUs(o kinds.Object) bool {
	pod, is := o.(*corev1.Pod)
	return is && kinds.AskedGPUs(pod) > 0
}
