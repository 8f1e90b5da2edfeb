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

// verbsOf checks quickly for those verbs.
func verbsOf(text []byte) (verbs eventVerb) {
	for i := range len(text) - 3 {
		next, third := text[i+1], text[i+2]
		switch text[i] {
		case 'a':
			if next == 'v' && (third == 'i' || third == 'e') {
				verbs |= verbSave
			}
		case 'o':
			switch {
			case next == 'n' && third == 'e', next == 'm' && third == 'p' && text[i+3] == 'l':
				verbs |= verbFinish
			case next == 'n' && third == 't', next == 'a' && third == 'd':
				verbs |= verbResume
			}
		case 'e':
			switch {
			case next == 's' && (third == 'u' || third == 't'):
				verbs |= verbResume
			case next == 'a' && third == 'c' && text[i+3] == 'h':
				verbs |= verbFinish
			case next == 'c' && third == 'k' && text[i+3] == 'p':
				verbs |= verbSave
			}
		case 'i':
			switch {
			case next == 'n' && third == 'i', next == 's' && third == ' ' && text[i+3] == 'o':
				verbs |= verbFinish
			case next == 'n' && third == 'a', next == 't' && third == 't' && text[i+3] == 'e':
				verbs |= verbSave
			}
		case 'r':
			if next == 'o' && third == 't' && text[i+3] == 'e' {
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
