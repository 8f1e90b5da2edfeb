package logfindings_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// A log that something else keeps writing into has no pace after one sample:
// what may be a hang is then reported as possible, never as an error.
func TestSilenceNeedsARhythm(t *testing.T) {
	pulse := func(int) string { return "PULSE: the run is alive" }
	text := func(steps int, quiet time.Duration) string {
		at := time.Date(2026, 11, 20, 1, 0, 0, 0, time.UTC)
		var b strings.Builder
		for step := range steps {
			at = at.Add(time.Minute)
			fmt.Fprintf(&b, "%s step %d loss %.2f\n", at.Format(time.RFC3339), step+1, 3-0.1*float64(step))
		}
		for end := at.Add(quiet); at.Before(end); {
			at = at.Add(10 * time.Minute)
			fmt.Fprintf(&b, "%s %s\n", at.Format(time.RFC3339), pulse(steps))
		}
		return b.String()
	}
	f := func(name, text string, want train.Severity, sure train.Confidence) {
		t.Helper()
		found := diagnosed(text)
		if len(found) != 1 || found[0].Cause != "hang-no-output" || found[0].Severity != want || found[0].Confidence != sure {
			t.Errorf("%s: got %+v", name, found)
		}
	}
	f("after many steps", text(20, 3*time.Hour), train.SeverityError, train.Likely)
	f("after one step", text(1, 3*time.Hour), train.SeverityWarning, train.Possible)
	f("after four", text(4, 3*time.Hour), train.SeverityWarning, train.Possible)
	if found := diagnosed(text(20, 20*time.Minute)); len(found) > 0 {
		t.Errorf("twenty minutes are no hang: %+v", found)
	}
	pulse = func(step int) string {
		return fmt.Sprintf("[heartbeat] step %d loss %.2f", step, 3-0.1*float64(step-1))
	}
	f("the last step again and again", text(20, 3*time.Hour), train.SeverityError, train.Likely)
	losses := 0
	pulse = func(step int) string { losses++; return fmt.Sprintf("step %d loss %.2f", step, 3+0.01*float64(losses)) }
	if found := diagnosed(text(20, 3*time.Hour)); len(found) > 0 {
		t.Errorf("parts of one step are no silence: %+v", found)
	}
}

// The half hour that a collective's time-out takes is silence too: what ended the steps, or
// the rank that the others wait for, is the finding, with times on the lines as without.
func TestSilenceBeforeATimeOut(t *testing.T) {
	const watchdog = "[rank%[1]d]:[E1120 10:34:00.000000 1 ProcessGroupNCCL.cpp:616] [Rank %[1]d] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=4021, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=1800000) ran for 1800010 milliseconds before timing out."
	begin := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	logs := func(timed bool, of map[int]string) map[int]string {
		all := map[int]string{}
		for rank := range 4 {
			at, text := begin, ""
			say := func(after time.Duration, line string) {
				if at = at.Add(after); timed {
					text += at.Format(time.RFC3339) + " "
				}
				text += line + "\n"
			}
			for step := range 120 {
				say(2*time.Second, fmt.Sprintf("step %d loss %.4f", step+1, 3-0.01*float64(step)))
			}
			if said, own := of[rank]; !own {
				say(30*time.Minute, fmt.Sprintf(watchdog, rank))
			} else if said != "" {
				say(3*time.Second, said)
			}
			all[rank] = text
		}
		return all
	}
	for _, timed := range []bool{false, true} {
		for said, want := range map[string]train.Cause{"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB": "cuda-out-of-memory", "": "one-rank-behind"} {
			found := diagnosedRanks(logs(timed, map[int]string{2: said}))
			if len(found) != 1 || found[0].Cause != want || !slices.Contains(found[0].Ranks, 2) {
				t.Errorf("with times: %t, rank 2 says %q: %+v", timed, said, found)
			}
		}
	}
}

// An error that ends a hang an hour later does not explain it.
func TestWhatEndsAHangDoesNotExplainIt(t *testing.T) {
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	text := ""
	for step := range 40 {
		at = at.Add(10 * time.Second)
		text += fmt.Sprintf("%s step %d loss %.3f\n", at.Format(time.RFC3339), step, 3-0.01*float64(step))
	}
	for range 60 {
		at = at.Add(time.Minute)
		text += at.Format(time.RFC3339) + " heartbeat ok\n"
	}
	for _, end := range []string{"ERROR Received SIGTERM: 15", "KeyError: 'tokens'"} {
		found := diagnosed(text + at.Format(time.RFC3339) + " " + end + "\n")
		if len(found) == 0 || found[0].Cause != "hang-no-output" {
			t.Errorf("%s: %+v", end, found)
		}
	}
}

// A loss that often jumps by factors has no spike where it happens to stay
// high for three points; one that was calm has.
func TestSpikesStandOutOfTheNoise(t *testing.T) {
	run := func(losses ...float64) string {
		var b strings.Builder
		for i, loss := range losses {
			fmt.Fprintf(&b, "step %d loss %.4f\n", i+1, loss)
		}
		return b.String()
	}
	noisy, calm := make([]float64, 60), make([]float64, 60)
	for i := range noisy {
		noisy[i], calm[i] = []float64{0.2, 0.9, 0.3, 1.4, 0.6}[i%5], 0.6+0.01*float64(i%3)
	}
	if found := diagnosed(run(append(noisy, 2.0, 2.1, 2.0)...)); len(found) > 0 {
		t.Errorf("noise is a spike: %+v", found)
	}
	if found := diagnosed(run(append(calm, 2.0, 2.1, 2.0)...)); len(found) != 1 || found[0].Cause != "loss-spike" {
		t.Errorf("a calm loss that tripled: %+v", found)
	}
}

// In a text with few points left, a loss that is many times higher for three
// is a spike; one that comes back, or jumps less, is none.
func TestSpikesOfShortTexts(t *testing.T) {
	const keras = "%d/100 [====] - 5s - loss: %g\n"
	run := func(losses ...float64) string {
		var b strings.Builder
		for i, loss := range losses {
			fmt.Fprintf(&b, "Epoch %d\n"+keras, i+1, 100, loss)
		}
		return b.String()
	}
	for _, c := range []struct {
		losses []float64
		want   int
	}{
		{[]float64{0.7627, 0.7407, 13.3614, 26.6396, 26.6453}, 1},
		{[]float64{0.7627, 0.7407, 13.3614, 26.6396, 1.2}, 0},
		{[]float64{0.7627, 0.7407, 1.3, 1.4, 1.3}, 0},
		{[]float64{0.7627, 13.3614, 26.6396, 26.6453}, 0},
	} {
		found := diagnosed(run(c.losses...))
		if len(found) != c.want || c.want == 1 && found[0].Cause != "loss-spike" {
			t.Errorf("%v: %+v", c.losses, found)
		}
	}
}

// One value that is no number ends a text: a loss is reported as possible,
// gradients alone may be a skipped step.
func TestOneValueThatIsNoNumber(t *testing.T) {
	for text, want := range map[string]int{
		"{'loss': 0.0, 'grad_norm': nan, 'learning_rate': 5e-05, 'epoch': 0.54}":                                                      1,
		"{'loss': 0.9, 'epoch': 0.1}\n{'loss': nan, 'epoch': 0.2}":                                                                    1,
		"{'loss': 8.1, 'grad_norm': nan, 'learning_rate': 5e-05, 'epoch': 0.01}":                                                      0,
		"{'loss': 0.9, 'grad_norm': inf, 'epoch': 0.1}":                                                                               0,
		"{'loss': nan, 'epoch': 0.1}\n{'loss': 0.9, 'epoch': 0.2}":                                                                    0,
		"iteration 5/ 100 | lm loss: 2.1E+00 | grad norm: nan | number of skipped iterations: 1 | loss scale: 65536":                  0,
		"iteration 5426/ 250000 | loss scale: 1.0 | grad norm: nan | number of skipped iterations: 0 | number of nan iterations: 0 |": 1,
	} {
		found := diagnosed(text + "\n")
		if len(found) != want || want == 1 && (found[0].Cause != "nan-loss" || found[0].Severity != train.SeverityWarning) {
			t.Errorf("%s: %+v", text, found)
		}
	}
}

// The gradients of one layer that are no numbers to the end of a log are a finding where they
// were numbers before: a layer that is not trained has none from the beginning. The loss goes
// first.
func TestGradientsOfALayerThatAreNoNumbers(t *testing.T) {
	run := func(record string, values ...string) string {
		var b strings.Builder
		for i, value := range values {
			fmt.Fprintf(&b, record+"\n", i+1, value)
		}
		return b.String()
	}
	const record = `{"step": %d, "loss": 0.9, "layer0.grad_norm": 0.5, "layer1.grad_norm": %s}`
	const both = `{"step": %d, "layer0.grad_norm": 0.5, "layer1.grad_norm": %[2]s, "loss": %[2]s}`
	for _, c := range []struct{ about, text, want string }{
		{"they were numbers", run(record, "0.4", "0.5", "NaN", "NaN", "NaN"), "layer1.grad_norm is NaN from step 3 on"},
		{"they are none from the beginning", run(record, "NaN", "NaN", "NaN", "NaN"), ""},
		{"a step that a scaler skips", run(record, "0.4", "NaN", "0.4", "NaN", "0.4"), ""},
		{"the loss is none too", run(both, "0.4", "0.5", "NaN", "NaN", "NaN"), "loss is NaN from step 3 on"},
	} {
		found := diagnosed(c.text)
		if c.want == "" && len(found) > 0 || c.want != "" && (len(found) != 1 || found[0].Cause != "nan-loss" || !strings.Contains(found[0].Title, c.want)) {
			t.Errorf("%s: %+v", c.about, found)
		}
	}
}

// Dumps of py-spy (0.3 to 0.4) of several ranks: the one whose main thread is
// elsewhere delays the others.
func TestStacksOfSeveralRanks(t *testing.T) {
	within := "Thread 117489 (idle): \"MainThread\"\n    all_gather_into_tensor (torch/distributed/distributed_c10d.py:4193)\n    train_step (train.py:88)\n"
	away := "Thread 117492 (active+gil): \"MainThread\"\n    tokenize (data.py:989)\n    main (train.py:12)\n"
	found := diagnosed(within, away, within)
	if len(found) != 1 || found[0].Cause != "hang-no-output" || found[0].RootRank != 1 || !strings.Contains(found[0].Title, "it stands in tokenize (data.py:989)") || len(found[0].Evidence) < 2 {
		t.Errorf("got %+v", found)
	}
	for name, texts := range map[string][]string{"all wait": {within, within}, "two elsewhere": {within, away, away}} {
		if found := diagnosed(texts...); len(found) > 0 && found[0].RootRank >= 0 {
			t.Errorf("%s: got %+v", name, found)
		}
	}
	if found := diagnosed(away, away); len(found) > 0 {
		t.Errorf("nobody waits: got %+v", found)
	}
	gdb := "#3  0x00007f87915e516a in MPIC_Recv () from /usr/lib64/mpich/lib/libmpi.so.12\n#7  0x00007f8791454a5b in PMPI_Bcast_c () from /usr/lib64/mpich/lib/libmpi.so.12\n"
	if found := diagnosed(gdb); len(found) != 1 || found[0].Cause != "hang-no-output" {
		t.Errorf("gdb: got %+v", found)
	}
	jax := "Thread 1 (idle): \"MainThread\"\n    _value (jax/_src/array.py:642)\n    __float__ (jax/_src/array.py:300)\n    main (train.py:392)\n"
	if found := diagnosed(away, jax); len(found) != 1 || found[0].RootRank != 0 {
		t.Errorf("jax: got %+v", found)
	}
}

// Horovod's warning (operations.cc, 0.13 to 0.18) on one line, as printed
// behind a progress bar: the ready ranks leave the one that is not.
func TestHorovodsReadyRanks(t *testing.T) {
	text := "228/625 [==>...] - ETA: 6:32WARNING: One or more tensors were submitted to be reduced, gathered or broadcasted by subset of ranks and are waiting for remainder of ranks for more than 60 seconds. Stalled ops: training/SGD/DistributedSGD_Allreduce/grad_0 [ready ranks: 4, 1, 3, 0]\n"
	found := diagnosed(text)
	if len(found) != 1 || found[0].Cause != "horovod-stall" || found[0].RootRank != 2 || len(found[0].Evidence) != 1 {
		t.Errorf("got %+v", found)
	}
}
