package formats

import (
	"fmt"
	"strings"
	"testing"
)

// K and M right behind a number are thousands and millions of any metric that is no
// size; C runtimes of Windows spell what is no number in their own way.
func TestRoundedNumbers(t *testing.T) {
	for line, want := range map[string]string{
		"step 10 loss 2.5 tps: 12.5K":                  "[{loss 2.5} {tokens_per_second 12500}]",
		"step: 10 loss: 2.5 throughput: 1.2M tokens/s": "[{loss 2.5} {throughput 1.2e+06}]",
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
