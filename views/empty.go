package views

import (
	"strings"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// Ink is the input for the frame's cells.
func (f Frame) Ink() draw.Ink { return draw.Ink{Theme: f.Theme, Ages: f.Ages} }

// Message is a body with one message.
func (f Frame) Message(texts ...string) []string {
	return draw.Message(f.Theme, f.Width, f.Height, themes.Text, texts...)
}

// Missing explains why nothing is there yet or cannot be: a source still lists,
// is out of reach, may not read. resources are plural names as the API serves
// them; nil is any. It returns nil when every source has answered well.
func (f Frame) Missing(resources ...string) []string {
	var listing, refused []string
	var broken *train.Health
	all := f.Snapshot.Health()
	if len(all) == 0 {
		return []string{"connecting to " + f.Context + f.Theme.Glyphs.Ellipsis}
	}
	for i, h := range all {
		if !concerns(h, resources) {
			continue
		}
		switch {
		case !h.State.Settled():
			listing = append(listing, nameOf(h))
		case h.State == train.SourceForbidden:
			refused = append(refused, nameOf(h))
		case h.State.Trouble() && (broken == nil || explains(h, *broken)):
			broken = &all[i]
		}
	}
	switch {
	case broken != nil:
		return []string{Troubled(f, *broken), broken.Text}
	case len(listing) > 0:
		return []string{"listing " + termtext.Few(listing, 4) + f.Theme.Glyphs.Ellipsis}
	case len(refused) > 0:
		return []string{"not allowed to list " + termtext.Few(refused, 4), "what is there is unknown; :sources says what was refused"}
	}
	return nil
}

// explains reports whether one failure explains more than another: a cluster
// that gives no answer comes before a resource of it, and sources of metrics
// last.
func explains(h, other train.Health) bool {
	if measures(h) != measures(other) {
		return measures(other)
	}
	return h.Resource == "" && other.Resource != ""
}

// measures reports whether a source delivers only numbers.
func measures(h train.Health) bool {
	for _, source := range []string{"prometheus", "exporter", "metrics.k8s.io"} {
		if strings.HasPrefix(h.Source, source) {
			return true
		}
	}
	return false
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
		text += ", next try in " + draw.Duration(wait)
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
