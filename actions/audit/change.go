package audit

import (
	"time"
	"unicode/utf8"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// Change is a change that is about to be made.
type Change struct {
	// Context is the kubeconfig context; User is the name that the API server
	// has for the person, "" if unknown.
	Context, User string
	// Verb names the change: "delete", "suspend", "shell".
	Verb   string
	Object train.Ref
	// Request describes what is sent, without secrets: Summary of a request.
	Request string
}

// Results in a line.
const (
	Begun  = "begun"  // about to be made; a line with the result and the same ID follows
	Done   = "done"   // the API server accepted it
	Failed = "failed" // rejected, or the connection broke; Error reports why
)

// Line is one line of the log.
type Line struct {
	Time time.Time `json:"time"`
	// ID links the two lines of a change.
	ID      string `json:"id"`
	Context string `json:"context,omitempty"`
	User    string `json:"user,omitempty"`
	Verb    string `json:"verb"`
	Object  Object `json:"object"`
	Request string `json:"request,omitempty"`
	Result  string `json:"result"`
	Error   string `json:"error,omitempty"`
}

// Object names what was changed.
type Object struct {
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	UID       string `json:"uid,omitempty"`
}

func lineOf(c Change, id string, at time.Time) Line {
	return Line{
		Time: at.UTC(), ID: id, Context: safe(c.Context), User: safe(c.User), Verb: safe(c.Verb), Request: safe(c.Request), Result: Begun,
		Object: Object{Group: safe(c.Object.Group), Kind: safe(c.Object.Kind), Namespace: safe(c.Object.Namespace), Name: safe(c.Object.Name), UID: safe(c.Object.UID)},
	}
}

// maxText bounds each text of a line, in bytes.
const maxText = 2048

// safe makes a text safe to print from the file and to send to others: answers of an
// API server quote objects.
func safe(text string) string {
	text = redact.Text(text)
	if len(text) > maxText {
		text = text[:maxText]
		for len(text) > 0 && !utf8.RuneStart(text[len(text)-1]) {
			text = text[:len(text)-1]
		}
		text += "..."
	}
	return termtext.Line(text)
}
