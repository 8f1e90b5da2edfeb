package formats

import (
	"bytes"

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
	case verbs&verbSave != 0 && isCheckpoint(text):
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
)

// verbsOf checks quickly for four letters of those verbs.
func verbsOf(text []byte) (verbs eventVerb) {
	const least = 4
	for i := range len(text) - least + 1 {
		second, third, fourth := text[i+1], text[i+2], text[i+3]
		switch text[i] {
		case 'a': // saving, saved, saves, save
			if second == 'v' && (third == 'i' && fourth == 'n' || third == 'e') {
				verbs |= verbSave
			}
		case 'o':
			switch {
			case second == 'm' && third == 'p' && fourth == 'l':
				verbs |= verbFinish
			case second == 'n' && third == 't' && fourth == 'i', second == 'a' && third == 'd' && (fourth == 'e' || fourth == 'i'): // continue, loaded
				verbs |= verbResume
			}
		case 'd', 'D': // done
			if second == 'o' && third == 'n' && fourth == 'e' {
				verbs |= verbFinish
			}
		case 'e':
			switch {
			case second == 's' && (third == 'u' && fourth == 'm' || third == 't' && fourth == 'o'): // resume, restore
				verbs |= verbResume
			case second == 'a' && third == 'c' && fourth == 'h': // reached
				verbs |= verbFinish
			case second == 'c' && third == 'k' && fourth == 'p': // checkpoint
				verbs |= verbSave
			}
		case 'i':
			switch {
			case second == 'n' && third == 'i' && fourth == 's', second == 's' && third == ' ' && fourth == 'o': // finish, is over
				verbs |= verbFinish
			case second == 'n' && third == 'a' && fourth == 'l', second == 't' && third == 't' && fourth == 'e': // finalized, written
				verbs |= verbSave
			}
		case 'r':
			if second == 'o' && third == 't' && fourth == 'e' { // wrote
				verbs |= verbSave
			}
		case 0xAE: // 训练
			verbs |= verbFinish
		}
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
func isCheckpoint(text []byte) bool {
	if !hasAny(text, "heckpoint", "napshot", "odel", "eights", "tate", "ckpt") {
		return false
	}
	if bytes.Contains(text, []byte("Checkpoint at step ")) {
		return true
	}
	if !hasAny(text, "aving ", "aved ", "aves ", " save ", "aved.", "ritten", "inalized", "rote ") {
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
