package recording

import "time"

// longestHold is how long batches wait for the redactor to know all secrets. A
// list of pods that takes longer than that fails again and again.
const longestHold = 2 * time.Minute

// heldBatches wait, in order, until the redactor knows all secrets.
type heldBatches struct {
	batches []batch
	// over is true if they waited too long, until the redactor is ready.
	over bool
}

// hold encodes a batch once the redactor is ready.
func (w *Writer) hold(b batch) {
	w.held.batches = append(w.held.batches, b)
	w.holds()
}

// holds encodes the batches that wait, unless the redactor is not ready. It reports
// whether some still wait.
func (w *Writer) holds() bool {
	if w.o.Redact == nil || w.o.Ready == nil || w.o.Ready() {
		w.held.over = false
		w.takeHeld()
		return false
	}
	if len(w.held.batches) == 0 {
		return false
	}
	waited := micros(w.o.Now()) - w.held.batches[0].at
	if w.held.over = w.held.over || waited > longestHold.Microseconds(); !w.held.over {
		return true
	}
	w.takeHeld()
	return false
}

func (w *Writer) takeHeld() {
	for _, b := range w.held.batches {
		w.take(b)
	}
	w.held.batches = nil
}
