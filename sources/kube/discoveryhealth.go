package kube

import (
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/apitable"
)

// discoverySource is the name of API discovery in health.
const discoverySource = client.SourceName + "/apis"

// undiscovered reports that the server answers but not which kinds it serves.
// Resources that need no discovery are read anyway, and so are kinds found
// before.
func (r *reporter) undiscovered(err error, retryIn time.Duration) {
	h := train.Health{Source: discoverySource, State: train.SourceRetrying, Text: undiscovered(r.address, err)}
	if apierrors.IsForbidden(err) {
		h.State = train.SourceForbidden
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	h.Retry = r.now().Add(retryIn)
	r.say(h)
	r.planned = true
	r.settle()
}

// discovered removes that report.
func (r *reporter) discovered() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, said := r.said[discoverySource]; said {
		r.say(train.Health{Source: discoverySource})
	}
}

// unshownSource is the name, in health, of the kinds that operators of jobs serve and
// that are not shown among jobs.
const unshownSource = client.SourceName + "/unshown"

// mostUnshown limits the resources that are named as being served and not shown.
const mostUnshown = 12

// unshown names the resources that are served in groups of jobs and are no rows. None
// removes the report.
func (r *reporter) unshown(names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := train.Health{Source: unshownSource}
	if len(names) > 0 {
		h.State = train.SourceLive
		h.Text = "served, not shown among jobs: " + termtext.Few(names, mostUnshown) + "; each has a table, :" + names[0]
	} else if _, said := r.said[unshownSource]; !said {
		return
	}
	r.say(h)
}

// tablesSource is the name, in health, of the resources that tables are made of.
const tablesSource = client.SourceName + "/resources"

// mostSilent limits the resources that are named as being without verbs.
const mostSilent = 5

// withoutVerbs reports resources that discovery names without a verb. None
// removes the report.
func (r *reporter) withoutVerbs(silent []apitable.Resource) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, said := r.said[tablesSource]; len(silent) == 0 && !said {
		return
	}
	h := train.Health{Source: tablesSource}
	if len(silent) > 0 {
		var names []string
		for _, of := range silent {
			names = append(names, client.Printable(of.FullName()))
		}
		h.State = train.SourceFailed
		h.Text = "asking " + r.address + " which resources it serves: it names " + termtext.Few(names, mostSilent) +
			" without verbs, so it is not known whether they can be listed, and no table shows them; kubectl get --raw /apis shows what it answers"
	}
	r.say(h)
}

// undiscovered describes what was tried, what happened, what is missing
// because of it and what still works.
func undiscovered(address string, err error) string {
	const missing = "; jobs of operators (PyTorchJob, RayJob, …), batch Jobs and queues cannot be found and are missing, " +
		"pods, nodes and events are read, and pods tell of the jobs they belong to"
	if apierrors.IsForbidden(err) {
		return "asking " + address + " which kinds it serves was refused: " + client.Answer(err) + missing +
			"; it needs verb get on the path /apis, which the ClusterRole system:discovery gives to everyone who is logged in " +
			"(check with `kubectl auth can-i get /apis`)"
	}
	return fmt.Sprintf("asking %s which kinds it serves: %s%s", address, client.Cause(err), missing)
}
