package views

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views/draw"
)

// Ink is the input for the frame's cells.
func (f Frame) Ink() draw.Ink {
	snapshot := f.Snapshot
	return draw.Ink{Theme: f.Theme, Ages: f.Ages, Meta: func(ref train.Ref) (labels, annotations map[string]string) { return ObjectMeta(snapshot, ref) }}
}

// Message is a body with one message.
func (f Frame) Message(texts ...string) []string {
	return draw.Message(f.Theme, f.Width, f.Height, themes.Text, texts...)
}

// Missing explains why nothing is there yet or cannot be, and what to do: a
// source still lists, is out of reach, may not read. The cluster comes before
// sources of metrics: where it does not answer, they cannot. resources are
// plural names as the API serves them; nil is any. It returns nil when every
// source has answered well.
func (f Frame) Missing(resources ...string) []string {
	if len(f.Snapshot.Health()) == 0 {
		return []string{"connecting to " + f.Context + f.Theme.Glyphs.Ellipsis}
	}
	for _, numbers := range []bool{false, true} {
		if texts := f.missingOf(numbers, resources); texts != nil {
			return texts
		}
	}
	return nil
}

// CountOf is how many rows a list has, a dash where it has none and not all that
// may have some was read. resources are as in Missing.
func (f Frame) CountOf(rows int, resources ...string) string {
	if rows == 0 && (len(f.Snapshot.Health()) == 0 || f.missingOf(false, resources) != nil) {
		return f.Theme.Glyphs.Dash
	}
	return draw.Count(rows)
}

// missingOf is Missing of the sources of metrics alone, or of all others.
func (f Frame) missingOf(numbers bool, resources []string) []string {
	t := f.troubleOf(numbers, resources)
	var advice []string
	if text := t.advice(); text != "" {
		advice = []string{text}
	}
	switch {
	case t.broken != nil:
		return append([]string{Troubled(f, *t.broken), t.broken.Text}, advice...)
	case len(t.listing) > 0:
		text := "listing " + termtext.Few(t.listing, 4) + f.Theme.Glyphs.Ellipsis
		if since := f.Ages.Since(t.since); !t.since.IsZero() && since != "" {
			text = "listing " + termtext.Few(t.listing, 4) + " for " + since
		}
		return []string{text}
	case len(t.refused) > 0:
		return append([]string{"not allowed to list " + termtext.Few(t.refused, 4), "what is there is unknown; :sources says what was refused"}, advice...)
	}
	return nil
}

// Advice is what to do about a cluster that does not answer or refuses, "" when
// nothing helps but to wait.
func (f Frame) Advice() string { return f.troubleOf(false, nil).advice() }

// trouble is what keeps sources from showing objects.
type trouble struct {
	broken           *train.Health
	listing, refused []string
	since            time.Time // of the first that still lists
}

func (t trouble) advice() string {
	switch {
	case t.broken != nil && t.broken.Source == "kube" && strings.Contains(t.broken.Text, "no answer"):
		return "is the VPN up? :ctx opens another cluster"
	case t.broken != nil && t.broken.Source == "kube":
		return ":ctx opens another cluster or user"
	case t.broken == nil && len(t.listing) == 0 && len(t.refused) > 0:
		return ":ns NAME opens a namespace that you may read, traintop -n NAME begins there; deploy/rbac.yaml is a role that allows it"
	}
	return ""
}

// troubleOf collects the trouble of the sources of metrics, or of all others.
func (f Frame) troubleOf(numbers bool, resources []string) (t trouble) {
	all := f.Snapshot.Health()
	for i, h := range all {
		if !concerns(h, resources) || measures(h) != numbers {
			continue
		}
		switch {
		case !h.State.Settled():
			t.listing = appendOnce(t.listing, nameOf(h))
			if t.since.IsZero() || h.Since.Before(t.since) {
				t.since = h.Since
			}
		case h.State == train.SourceForbidden && f.readsHere(h):
		case h.State == train.SourceForbidden:
			t.refused = appendOnce(t.refused, nameOf(h))
		case OutrunsServer(h, f.Ages):
		case h.State.Trouble() && (t.broken == nil || explains(h, *t.broken)):
			t.broken = &all[i]
		}
	}
	for _, names := range [][]string{t.listing, t.refused} {
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(weight(a), weight(b)) })
	}
	return t
}

// readsHere reports whether a resource that is refused elsewhere is read in the
// namespace that is shown.
func (f Frame) readsHere(refused train.Health) bool {
	return f.Namespace != "" && slices.ContainsFunc(f.Snapshot.Health(), func(h train.Health) bool {
		return h.State == train.SourceLive && h.Namespace == f.Namespace && h.Resource == refused.Resource && h.Group == refused.Group && h.Resource != ""
	})
}

// weight orders resources by how much is unknown without them: pods, what may be a job,
// nodes, all others.
func weight(resource string) int {
	switch {
	case resource == "kube": // the server itself
		return -1
	case resource == "pods":
		return 0
	case slices.ContainsFunc(kinds.Jobs(), func(k kinds.Kind) bool { return k.Resource == resource }):
		return 1
	case resource == "nodes":
		return 2
	}
	return 3
}

// appendOnce appends a name unless it is there: two groups, or two scopes, may
// have a resource of one name.
func appendOnce(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// explains reports whether one failure explains more than another: a cluster
// that gives no answer comes before a resource of it.
func explains(h, other train.Health) bool { return h.Resource == "" && other.Resource != "" }

// measures reports whether a source delivers only numbers: of GPUs and nodes, or
// places in queues.
func measures(h train.Health) bool {
	for _, source := range []string{"prometheus", "exporter", "metrics.k8s.io", "visibility.kueue.x-k8s.io"} {
		if strings.HasPrefix(h.Source, source) {
			return true
		}
	}
	return false
}

// outrun is how long the trouble of a source of metrics is held back: a question that
// goes through an API server that fell silent is given up after 5 s (exporters) or
// 10 s (Prometheus), and that the server is silent is known 14 s after its last answer
// (sources/kube/link.go).
const outrun = 10 * time.Second

// OutrunsServer reports whether a source of metrics has failed for so short a time that
// the API server, through which most are asked, may be what does not answer, and is not
// yet known not to.
func OutrunsServer(h train.Health, ages *draw.Ages) bool {
	if h.State != train.SourceRetrying || !measures(h) {
		return false
	}
	left := outrun - ages.Now.Sub(h.Since)
	if left <= 0 {
		return false
	}
	ages.Soon(left)
	return true
}

// Troubled describes in one line how a source fails and when it tries again.
func Troubled(f Frame, h train.Health) string {
	text := nameOf(h) + " " + string(h.State)
	if since := f.Ages.Since(h.Since); since != "" {
		text += " for " + since
	}
	if wait := h.Retry.Sub(f.Now()); !h.Retry.IsZero() && wait > 0 {
		f.Ages.Soon(time.Second)
		if wait < time.Second {
			return text + ", trying again now"
		}
		text += ", next try in " + termtext.Duration(wait)
	}
	return text
}

// concerns reports whether a source's failure matters to a list of resources.
// Health without a resource is about the whole source.
func concerns(h train.Health, resources []string) bool {
	if len(resources) == 0 || h.Resource == "" {
		return true
	}
	for _, r := range resources {
		if h.Resource == r {
			return true
		}
	}
	return false
}

func nameOf(h train.Health) string {
	if h.Resource != "" {
		return h.Resource
	}
	return h.Source
}

// Line begins a line of the frame's width.
func (f Frame) Line() *draw.Line { return draw.NewLine(f.Theme, f.Width, false) }
