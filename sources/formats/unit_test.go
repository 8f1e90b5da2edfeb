package formats

import (
	"fmt"
	"strings"
	"testing"
)

// A date whose month is a word has no value: neither its day nor its year measures anything.
func TestDatesInWords(t *testing.T) {
	for line, want := range map[string]string{
		"epoch 1 loss 0.5 saved 1 Nov 2026":                "[{loss 0.5}]",
		"epoch 1 loss 0.5 saved 1 November 2026 10:00":     "[{loss 0.5}]",
		"epoch 1 loss 0.5 at 01-Nov-2026 10:00:00":         "[{loss 0.5}]",
		"epoch 1 loss 0.5 on Nov 1, 2026":                  "[{loss 0.5}]",
		"epoch 1 loss 0.5 at Sun Nov  1 10:00:00 UTC 2026": "[{loss 0.5}]",
		"epoch 1 loss 0.5 at Nov 1 10:00:00":               "[{loss 0.5}]",
		"epoch 1 on 1 Nov 2026 loss 0.5":                   "[{loss 0.5}]",
		"epoch 1 loss 0.5 dec 3.5 mar 7":                   "[{loss 0.5} {dec 3.5} {mar 7}]",
		"epoch 1 loss 0.5 Dec 3.5":                         "[{loss 0.5} {Dec 3.5}]",
		"epoch 1 loss 0.5 Mar 7 acc 0.5":                   "[{loss 0.5} {Mar 7} {accuracy 0.5}]",
	} {
		e, err := Explain(strings.NewReader(line+"\n"), 1, Options{})
		if err != nil || len(e.Samples) != 1 {
			t.Errorf("%q: %+v, %v", line, e, err)
			continue
		}
		if got := fmt.Sprint(e.Samples[0].Metrics); got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}

// K and M right behind a number are thousands and millions of any metric that is no
// size; C runtimes of Windows spell what is no number in their own way.
func TestRoundedNumbers(t *testing.T) {
	for line, want := range map[string]string{
		"step 10 loss 2.5 tps: 12.5K":                  "[{loss 2.5} {tokens_per_second 12500}]",
		"step: 10 loss: 2.5 throughput: 1.2M tokens/s": "[{loss 2.5} {tokens_per_second 1.2e+06}]",
		"step 10 loss 2.5 grad_norm 1.2k":              "[{loss 2.5} {grad_norm 1200}]",
		"step 10 loss 2.5 temperature 300K":            "[{loss 2.5} {temperature 300}]",
		"step 10 loss 1.#QNAN lr 0.1":                  "[{loss NaN} {lr 0.1}]",
		"step 10 loss -1.#IND00 lr 0.1":                "[{loss NaN} {lr 0.1}]",
		"step 10 loss -1.#INF lr 0.1":                  "[{loss -Inf} {lr 0.1}]",
	} {
		e, err := Explain(strings.NewReader(line+"\n"), 1, Options{})
		if err != nil || len(e.Samples) != 1 {
			t.Errorf("%q: %+v, %v", line, e, err)
			continue
		}
		if got := fmt.Sprint(e.Samples[0].Metrics); got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}
