package gpurows

import (
	"strconv"

	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
)

// Trouble is what is wrong with a GPU.
type Trouble struct {
	Severity train.Severity
	// Word is one or two words: "idle", "Xid 79"; Text the sentence.
	Word, Text string
}

// Role is how it is drawn.
func (t *Trouble) Role() themes.Role {
	switch t.Severity {
	case train.SeverityError:
		return themes.Bad
	case train.SeverityWarning:
		return themes.Waiting
	}
	return themes.Dim
}

// Rank orders rows by it: 0 is the worst.
func (t *Trouble) Rank() int {
	if t == nil {
		return train.SeverityInfo.Rank() + 1
	}
	return t.Severity.Rank()
}

// Alarming reports whether somebody should look.
func (t *Trouble) Alarming() bool { return t != nil && t.Severity != train.SeverityInfo }

func fromSignal(s *signals.Signal) *Trouble {
	return &Trouble{Severity: s.Severity, Word: s.Word, Text: s.Text}
}

// troubleOf is the worst signal of a GPU.
func troubleOf(report *signals.Report, id train.GPUID, _ *train.GPUState) *Trouble {
	found := report.GPU(id)
	if len(found) == 0 {
		return nil
	}
	t := fromSignal(&found[0])
	for i := 1; i < len(found); i++ {
		t.Text += "; " + found[i].Text
	}
	return t
}

func missingTrouble(state *train.GPUState) *Trouble {
	t := &Trouble{Severity: train.SeverityError, Word: "missing", Text: "its exporter tells of it no longer, and still of others of the node"}
	if xid, known := state.Values.Get(train.GPUXid); known && xid != 0 {
		t.Text += "; its last Xid was " + strconv.FormatFloat(xid, 'f', 0, 64)
	}
	return t
}
