package gpurows

import (
	"strconv"
	"strings"

	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/draw"
)

// Trouble is a fault of a GPU.
type Trouble struct {
	Severity train.Severity
	// Kind is the signal's, "missing" for a GPU that is gone.
	Kind string
	// Word is a label of one or two words: "idle", "Xid 79"; Text the sentence.
	Word, Text string
	// Words are the labels of all its faults, Word the first of them.
	Words []string
}

// Role is the role that draws it.
func (t *Trouble) Role() themes.Role {
	switch t.Severity {
	case train.SeverityError:
		return themes.Bad
	case train.SeverityWarning:
		return themes.Waiting
	}
	return themes.Dim
}

// Order sorts rows by it: 0 is the worst. GPUs that only wait come after those
// that break or slow work: they are many at once.
func (t *Trouble) Order() int {
	switch {
	case t == nil:
		return 2*train.SeverityInfo.Order() + 2
	case t.Kind == "idle":
		return 2*t.Severity.Order() + 1
	}
	return 2 * t.Severity.Order()
}

// Broken reports whether the board itself is in error, so that no job can use
// it.
func (t *Trouble) Broken() bool {
	return t != nil && signals.Breaks(t.Kind, t.Severity)
}

// Alarming reports whether a person should look at it.
func (t *Trouble) Alarming() bool { return t != nil && t.Severity != train.SeverityInfo }

// troubleOf makes one of the signals of a GPU, the worst of which is first.
func troubleOf(found []signals.Signal) *Trouble {
	if len(found) == 0 {
		return nil
	}
	t := &Trouble{Severity: found[0].Severity, Kind: found[0].Kind, Word: found[0].Word, Words: []string{found[0].Word}, Text: found[0].Text}
	for i := 1; i < len(found); i++ {
		t.Text += "; " + found[i].Text
		t.Words = append(t.Words, found[i].Word)
	}
	return t
}

// troubleOfJob is the worst signal of a job as a whole, not of single GPUs or
// ranks.
func troubleOfJob(found []signals.Signal) *Trouble {
	for i := range found {
		if s := &found[i]; s.GPU == "" && s.Node == "" && len(s.Ranks) == 0 && s.Rank < 0 {
			return troubleOf(found[i : i+1])
		}
	}
	return nil
}

// lostWithNode is the trouble of the GPUs of a node that is not ready.
func lostWithNode(n *train.Node) *Trouble {
	return &Trouble{
		Severity: train.SeverityWarning, Kind: "lost", Word: "not ready", Words: []string{"not ready"},
		Text: "not ready: the node does not answer, so nothing is known of the GPU",
	}
}

// Sentence is the text, with the label in front where the text does not contain
// it.
func (t *Trouble) Sentence() string {
	if strings.Contains(t.Text, t.Word) {
		return t.Text
	}
	return t.Word + ": " + t.Text
}

// Spans are the sentence, its label in the colour of the severity.
func (t *Trouble) Spans() []draw.Span {
	switch rest, begins := strings.CutPrefix(t.Text, t.Word); {
	case begins:
		return []draw.Span{{Text: t.Word, Role: t.Role()}, {Text: rest, Role: themes.Dim}}
	case strings.Contains(t.Text, t.Word):
		return []draw.Span{{Text: t.Text, Role: t.Role()}}
	}
	return []draw.Span{{Text: t.Word, Role: t.Role()}, {Text: "  " + t.Text, Role: themes.Dim}}
}

func missingTrouble(state *train.GPUState) *Trouble {
	t := &Trouble{Severity: train.SeverityError, Kind: "missing", Word: "missing", Words: []string{"missing"}, Text: "its exporter tells of it no longer, and still of others of the node"}
	if xid, known := state.Values.Get(train.GPUXid); known && xid != 0 {
		t.Text += "; its last Xid was " + strconv.FormatFloat(xid, 'f', 0, 64)
	}
	return t
}
