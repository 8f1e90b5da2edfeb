package formats

import (
	"bytes"
	"math/bits"

	"github.com/traintop/traintop/train"
)

// mark finds the events of a run in a line.
func (p *Parser) mark(l *line) {
	kind := markKind(l.text)
	if kind == "" {
		return
	}
	s := l.stream
	m := train.Mark{Kind: kind, Line: l.number, Time: l.at, Step: s.step, HasStep: s.hasStep}
	p.reading.Marks = append(p.reading.Marks, m)
	if kind == train.MarkCheckpoint && verbsOf(l.text)&verbFinish != 0 && isFinished(l.text) {
		m.Kind = train.MarkFinished // "Training complete, model saved to ..." is both
		p.reading.Marks = append(p.reading.Marks, m)
	}
}

// maxMark bounds a line that reports an event; longer ones are dumps.
const maxMark = 400

func markKind(text []byte) train.MarkKind {
	if len(text) > maxMark || len(text) < 6 {
		return ""
	}
	verbs := verbsOf(text)
	switch {
	case verbs&(verbSave|nounCheckpoint) != 0 && isCheckpoint(text, verbs):
		return train.MarkCheckpoint
	case verbs&verbResume != 0 && isResumed(text):
		return train.MarkResumed
	case verbs&verbFinish != 0 && isFinished(text):
		return train.MarkFinished
	}
	return ""
}

// eventVerb is what a mark needs a word of.
type eventVerb uint8

const (
	verbSave   eventVerb = 1 << iota // to save, write, finalize
	verbResume                       // to resume, restore, continue, load
	verbFinish                       // to finish, complete, reach, be done
	nounCheckpoint
)

// verbParts are letters of those verbs.
var verbParts = [...]struct {
	letters string
	verb    eventVerb
}{
	{"avin", verbSave}, {"ave", verbSave}, {"itte", verbSave}, {"inal", verbSave}, {"rote", verbSave}, // saving, saved, written, finalized, wrote
	{"eckp", nounCheckpoint},
	{"esum", verbResume}, {"esto", verbResume}, {"onti", verbResume}, {"oade", verbResume}, {"oadi", verbResume}, // resume, restore, continue, loaded
	{"ompl", verbFinish}, {"done", verbFinish}, {"Done", verbFinish}, {"each", verbFinish}, {"inis", verbFinish}, {"is o", verbFinish}, // complete, reached, finish, is over
}

// verbPairs holds two sets of verbParts for each pair of letters: those that begin with it, and those
// that have it behind their first letter. Pairs that share a place are compared later.
var verbPairs = func() (parts [1 << 10][2]uint32) {
	for i, part := range verbParts {
		for at := range parts[0] {
			parts[pairOf(part.letters[at], part.letters[at+1])][at] |= 1 << i
		}
	}
	return parts
}()

func pairOf(a, b byte) int { return int(a&31)<<5 | int(b&31) }

// verbsOf checks quickly for four letters of those verbs. It looks at every second pair of letters:
// that is the first one of a verb, or the one behind its first letter.
func verbsOf(text []byte) (verbs eventVerb) {
	const least = 4
	const practice = 0xAE // in 训练
	if len(text) < least {
		return 0
	}
	for i := 0; i+1 < len(text); i += 2 {
		parts := &verbPairs[pairOf(text[i], text[i+1])]
		if parts[0]|parts[1] == 0 {
			continue
		}
		for at, set := range parts {
			for ; set != 0 && i >= at && i-at+least <= len(text); set &= set - 1 {
				part := &verbParts[bits.TrailingZeros32(set)]
				if string(text[i-at:i-at+len(part.letters)]) == part.letters {
					verbs |= part.verb
				}
			}
		}
	}
	if bytes.IndexByte(text[:len(text)-least+1], practice) >= 0 {
		verbs |= verbFinish
	}
	return verbs
}

func hasAny(text []byte, parts ...string) bool {
	for _, part := range parts {
		if bytes.Contains(text, []byte(part)) {
			return true
		}
	}
	return false
}

// isCheckpoint reports whether a line states that a checkpoint was, or is being,
// written.
func isCheckpoint(text []byte, verbs eventVerb) bool {
	if !hasAny(text, "heckpoint", "napshot", "odel", "eights", "tate", "ckpt") {
		return false
	}
	if bytes.Contains(text, []byte("Checkpoint at step ")) {
		return true
	}
	if verbs&verbSave == 0 || !hasAny(text, "aving ", "aved ", "aves ", " save ", "aved.", "ritten", "inalized", "rote ") {
		return false
	}
	return !hasAny(text, "will be", "not save", "n't save", "ailed", "save_", "aving took", "Unable", "unable", "every", "error", "Error", " = ", "....", "to save", "not found", "can save", "Saving config", "tokenizer", "aved to hub")
}

// isResumed reports whether a line states that training continues from a
// checkpoint.
func isResumed(text []byte) bool {
	if hasAny(text, "esum") && hasAny(text, "esuming from", "esuming train", "esumed from", "esumed train", "esume from", "esume train", "esuming at", "esumed at", "esuming run") {
		return !hasAny(text, "If ", "False", "None", "not resum", "can be resumed", "could not", "rror", "null", "resume_from", "To resume", "to resume", "fail")
	}
	if hasAny(text, "ontinuing training from", "ontinue training from", "estoring from checkpoint", "estored from checkpoint", "estored checkpoint") {
		return true
	}
	return hasAny(text, "oaded checkpoint", "oading checkpoint") && hasAny(text, "epoch ", "iteration ", "step ", "(epoch") && !hasAny(text, "shards", "took")
}

// isFinished reports whether a line states that training is over.
func isFinished(text []byte) bool {
	if hasAny(text, "训练完成", "训练结束") {
		return true
	}
	if !hasAny(text, "inish", "omplete", "done", "Done", "reached", "is over") {
		return false
	}
	if hasAny(text, "Trainer.fit` stopped", "Optimization Finished", "Finish fit", "run completed", "after training is done") {
		return true
	}
	lowered := bytes.ToLower(text)
	for _, phrase := range [...]string{"training complete", "training finished", "training is finished", "training is complete", "training has finished", "training done", "training is over", "finished training", "done training", "completed training", "train finished", "training run finished", "training successfully completed", "training job completed"} {
		at := bytes.Index(lowered, []byte(phrase))
		if at < 0 {
			continue
		}
		rest := lowered[at+len(phrase):]
		return !bytes.HasPrefix(bytes.TrimLeft(rest, "d "), []byte("step")) && !hasAny(rest, "epoch", "iteration") && !hasAny(lowered[:at], "not ", "when ", "after ", "until", "if ", "epoch ")
	}
	return false
}
