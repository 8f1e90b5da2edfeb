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
	p.reading.Marks = append(p.reading.Marks, train.Mark{Kind: kind, Line: l.number, Time: l.at, Step: s.step, HasStep: s.hasStep})
}

// maxMark bounds a line that reports an event; longer ones are dumps.
const maxMark = 400

func markKind(text []byte) train.MarkKind {
	if len(text) > maxMark || len(text) < 6 || !eventful(text) {
		return ""
	}
	switch {
	case isCheckpoint(text):
		return train.MarkCheckpoint
	case isResumed(text):
		return train.MarkResumed
	case isFinished(text):
		return train.MarkFinished
	}
	return ""
}

// eventful checks quickly for the verbs that a mark needs: to save, write, finalize,
// resume, restore, continue, load, finish, complete, be done.
func eventful(text []byte) bool {
	for i := range len(text) - 3 {
		next := text[i+1]
		switch text[i] {
		case 'a':
			if next == 'v' && (text[i+2] == 'i' || text[i+2] == 'e') {
				return true
			}
		case 'o':
			if next == 'n' && (text[i+2] == 'e' || text[i+2] == 't') || next == 'm' && text[i+2] == 'p' && text[i+3] == 'l' || next == 'a' && text[i+2] == 'd' {
				return true
			}
		case 'e':
			if next == 's' && (text[i+2] == 'u' || text[i+2] == 't') || next == 'a' && text[i+2] == 'c' && text[i+3] == 'h' || next == 'c' && text[i+2] == 'k' && text[i+3] == 'p' {
				return true
			}
		case 'i':
			if next == 'n' && (text[i+2] == 'i' || text[i+2] == 'a') || next == 't' && text[i+2] == 't' && text[i+3] == 'e' || next == 's' && text[i+2] == ' ' && text[i+3] == 'o' {
				return true
			}
		case 'r':
			if next == 'o' && text[i+2] == 't' && text[i+3] == 'e' {
				return true
			}
		case 0xAE: // 训练
			return true
		}
	}
	return false
}

func hasAny(text []byte, parts ...string) bool {
	for _, part := range parts {
		if bytes.Contains(text, []byte(part)) {
			return true
		}
	}
	return false
}

// isCheckpoint reports whether a line says that a checkpoint was, or is being, written.
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

// isResumed reports whether a line says that training continues from a checkpoint.
func isResumed(text []byte) bool {
	if hasAny(text, "esum") && hasAny(text, "esuming from", "esuming train", "esumed from", "esumed train", "esume from", "esume train", "esuming at", "esumed at", "esuming run") {
		return !hasAny(text, "If ", "False", "None", "not resum", "can be resumed", "could not", "rror", "null", "resume_from", "To resume", "to resume", "fail")
	}
	if hasAny(text, "ontinuing training from", "ontinue training from", "estoring from checkpoint", "estored from checkpoint", "estored checkpoint") {
		return true
	}
	return hasAny(text, "oaded checkpoint", "oading checkpoint") && hasAny(text, "epoch ", "iteration ", "step ", "(epoch") && !hasAny(text, "shards", "took")
}

// isFinished reports whether a line says that training is over.
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
