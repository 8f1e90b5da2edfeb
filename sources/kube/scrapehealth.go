package kube

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// ExportersSource is the name of all exporters together in health. Failing
// exporters of one node are "exporter/NODE", namespaces that refuse while
// others do not "exporters/NAMESPACE".
const ExportersSource = "exporters"

const (
	// ExporterOfNode precedes the name of a node.
	ExporterOfNode = "exporter/"
	// mostSpoken limits how many nodes' exporters are named individually.
	mostSpoken = 64
)

// publish reports the state of a source other than a resource. A state of ""
// removes the source.
func (r *reporter) publish(h train.Health) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, said := r.said[h.Source]; said || h.State != "" {
		r.say(h)
	}
}

// reportNode reports the exporters of a node: the worst failure, or nothing if
// all work.
func (s *scraper) reportNode(node string) {
	h := train.Health{Source: ExporterOfNode + node, Resource: "pods/proxy"}
	for _, t := range s.on(node) {
		switch {
		case s.refusals[t.namespace] != nil:
		case t.trouble != "" && h.State != train.SourceRetrying:
			h.State, h.Namespace, h.Retry = train.SourceRetrying, t.namespace, t.due
			h.Text = fmt.Sprintf("asking %s pod %s, port %d: %s", t.product.name, t.key(), t.port, t.trouble)
			if t.down != "" {
				h.Retry = time.Time{}
			}
		case t.note != "" && h.State == "":
			h.State, h.Namespace, h.Text = train.SourceLive, t.namespace, fmt.Sprintf("%s pod %s: %s", t.product.name, t.key(), t.note)
		}
	}
	switch {
	case h.State == "":
		h = train.Health{Source: h.Source}
		delete(s.spoken, node)
	case !s.spoken[node] && len(s.spoken) >= mostSpoken:
		return
	default:
		s.spoken[node] = true
	}
	s.publish(h)
}

// on returns the exporters of a node, in order.
func (s *scraper) on(node string) []*target {
	var all []*target
	for _, t := range s.targets {
		if t.node == node {
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b *target) int { return cmp.Compare(a.key(), b.key()) })
	return all
}

// tally counts exporters by state.
type tally struct {
	all, waiting, covered, refused, troubled int
	// example is the first failing one.
	example *target
}

func (s *scraper) tally() tally {
	n := tally{}
	for _, t := range s.targets {
		if t.guessed && t.last == nil && t.asked {
			continue // it turned out not to be one
		}
		n.all++
		switch {
		case t.covered:
			n.covered++
		case s.refusals[t.namespace] != nil:
			n.refused++
		case t.trouble != "":
			n.troubled++
			if n.example == nil || t.key() < n.example.key() {
				n.example = t
			}
		case !t.asked:
			n.waiting++
		}
	}
	return n
}

// report reports the exporters as a whole.
func (s *scraper) report() {
	n := s.tally()
	if !s.settled && s.gate.shut() {
		s.publish(train.Health{Source: ExportersSource, State: train.SourceConnecting, Resource: "pods/proxy", Text: "exporters of GPU metrics are looked for once the API server answers"})
		return
	}
	known := s.pods.listed || s.pods.refused || s.pods.unread
	if !s.settled && (!known || n.waiting > 0 && s.now().Before(s.settleBy)) {
		s.publish(train.Health{Source: ExportersSource, State: train.SourceListing, Resource: "pods/proxy", Text: s.awaited(n)})
		return
	}
	s.settled = true
	s.reportRefusals(n)
	s.publish(s.summary(n))
}

// mostAwaited is how many exporters that have not answered yet are named.
const mostAwaited = 4

// awaited names the exporters that were asked and have not answered yet, "" for
// none.
func (s *scraper) awaited(n tally) string {
	var waiting []string
	for _, t := range s.targets {
		if !t.asked && !t.covered && s.refusals[t.namespace] == nil {
			waiting = append(waiting, fmt.Sprintf("%s on %s", t.key(), t.node))
		}
	}
	if n.waiting == 0 || len(waiting) == 0 {
		return ""
	}
	slices.Sort(waiting)
	return fmt.Sprintf("%d of %s did not answer yet: %s", n.waiting, termtext.Count(n.all, "exporter"), termtext.Few(waiting, mostAwaited))
}

func (s *scraper) summary(n tally) train.Health {
	h := train.Health{Source: ExportersSource, State: train.SourceLive, Resource: "pods/proxy"}
	switch {
	case n.all == 0:
		return s.noneFound()
	case n.covered == n.all:
		h.Text = fmt.Sprintf("the %s left alone: Prometheus tells of their nodes", termtext.Count(n.all, "exporter")+" "+termtext.Agree(n.all, "is", "are"))
	case n.refused > 0 && n.refused+n.covered == n.all:
		h.State, h.Verb, h.Text = train.SourceForbidden, "get", s.refusedText(slices.Sorted(maps.Keys(s.refusals)))
		if len(s.refusals) == 1 {
			for namespace, r := range s.refusals {
				h.Namespace, h.Retry = namespace, r.retry
			}
		}
	case n.troubled > 0 && n.troubled+n.refused+n.covered == n.all:
		h.State, h.Text = train.SourceRetrying, fmt.Sprintf("%s found, and none gives metrics: %s on %s: %s", termtext.Count(n.all, "exporter"), n.example.key(), n.example.node, n.example.trouble)
	default:
		h.Text = s.remarks(n)
	}
	return h
}

// noneFound reports that there is no exporter, or that pods could not be read.
func (s *scraper) noneFound() train.Health {
	h := train.Health{Source: ExportersSource, State: train.SourceAbsent}
	switch {
	case s.pods.refused:
		h.State, h.Verb, h.Resource = train.SourceForbidden, "list", "pods"
		h.Text = "exporters of GPU metrics are found among pods, which may not be listed"
	case s.pods.unread:
		h.State, h.Text = train.SourceRetrying, "exporters of GPU metrics are found among pods, which could not be read yet"
	case s.pods.scope != "":
		h.Text = "no exporter of GPU metrics runs in namespace " + s.pods.scope +
			"; they usually have a namespace of their own, and there pods may not be listed"
	default:
		h.Text = "no exporter of GPU metrics runs in the cluster: no pod has a label, an image or the port of dcgm-exporter " +
			"or of another vendor's exporter"
	}
	return h
}

// remarks are notes about exporters that answer; "" for none.
func (s *scraper) remarks(n tally) string {
	var parts []string
	if every := s.interval(); every > s.every {
		parts = append(parts, fmt.Sprintf("%d exporters are more than can be asked every %s through the API server, so each is asked every %s; Prometheus tells of all in one query", n.all, s.every, every))
	}
	if n.troubled > 0 {
		text := fmt.Sprintf("%d of %s give no metrics", n.troubled, termtext.Count(n.all, "exporter"))
		if n.troubled > mostSpoken {
			text += fmt.Sprintf(", of which %d are named", mostSpoken)
		}
		parts = append(parts, text)
	}
	if n.refused > 0 {
		parts = append(parts, fmt.Sprintf("%d may not be asked", n.refused))
	}
	if n.covered > 0 {
		parts = append(parts, fmt.Sprintf("%d are left to Prometheus", n.covered))
	}
	return strings.Join(parts, "; ")
}

// reportRefusals names the namespaces that refuse while others do not.
func (s *scraper) reportRefusals(n tally) {
	for namespace, r := range s.refusals {
		h := train.Health{Source: ExportersSource + "/" + namespace}
		if n.refused+n.covered < n.all {
			h.State, h.Verb, h.Resource, h.Namespace, h.Retry = train.SourceForbidden, "get", "pods/proxy", namespace, r.retry
			h.Text = s.refusedText([]string{namespace})
		}
		s.spokenRefusals[namespace] = true
		s.publish(h)
	}
	for namespace := range s.spokenRefusals {
		if s.refusals[namespace] == nil {
			delete(s.spokenRefusals, namespace)
			s.publish(train.Health{Source: ExportersSource + "/" + namespace})
		}
	}
}

// refusedText describes what was tried, the API server's answer, and the RBAC
// rule that would allow it.
func (s *scraper) refusedText(namespaces []string) string {
	first := namespaces[0]
	where := "namespace " + first
	if len(namespaces) > 1 {
		where = "namespaces " + client.List(namespaces)
	}
	return fmt.Sprintf("asking exporters of GPU metrics in %s through the API server was refused: %s; it needs a Role there with the rule "+
		"{apiGroups: [\"\"], resources: [pods/proxy], verbs: [get]} (in deploy/rbac.yaml: kubectl create rolebinding traintop-gpu-metrics -n %s --clusterrole=traintop-gpu-metrics --user=NAME; "+
		"check with `kubectl auth can-i get pods --subresource=proxy -n %s`)", where, s.refusals[first].text, first, first)
}
