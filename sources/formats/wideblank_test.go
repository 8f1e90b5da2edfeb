package formats

import (
	"strings"
	"testing"
	"time"
)

// TestWideBlanks checks that lines with the blanks of documents, chats and typesetting are read as
// those with plain blanks.
func TestWideBlanks(t *testing.T) {
	const plain = "2026-11-20 10:00:31 INFO step 31/60 loss: nan lr: 1e-4 \n| epoch 3 | acc 0.5 |\n20 000 it, loss 0.4\nstep=19 000 loss=0.3"
	want := metricsOf(plain)
	for _, blank := range []string{"\u00a0", "\u1680", "\u2000", "\u2007", "\u2009", "\u200a", "\u202f", "\u205f", "\u3000"} {
		if got := metricsOf(strings.ReplaceAll(plain, " ", blank)); got != want {
			t.Errorf("all blanks %+q:\n\t%s\nwant\n\t%s", blank, got, want)
		}
		if got := metricsOf(strings.ReplaceAll(plain, ": ", ":"+blank)); got != want {
			t.Errorf("%+q behind colons:\n\t%s\nwant\n\t%s", blank, got, want)
		}
	}
	runWays(t, []way{
		{"bars and words that share their bytes", "Epoch 3: ██▎ – 第 5 步 loss：0.5 é", "1 step=5 epoch=3 loss=0.5"},
		{"beside colour codes", "\x1b[32mstep\u00a07\x1b[0m loss:\u00a00.5", "1 step=7 loss=0.5"},
		{"cut in a blank", "step 7 loss 0.5\xc2", "1 step=7 loss=0.5"},
	})
}

// TestPatternWithWideBlanks checks that a pattern made from a line with such blanks reads that line.
func TestPatternWithWideBlanks(t *testing.T) {
	list, err := Compile([]Pattern{{Name: "mine", Match: "Ort\u00a0(?P<step>\\d+)\u00a0Wert\u00a0(?P<loss>\\S+)", Example: "Ort\u00a05\u00a0Wert\u00a00.5"}})
	if err != nil {
		t.Fatal(err)
	}
	p := New(Options{Patterns: list})
	if got := p.Line(1, time.Time{}, []byte("Ort\u00a06\u00a0Wert\u00a00.4")).Samples; len(got) != 1 || got[0].Step != 6 {
		t.Errorf("samples %v", got)
	}
}

// TestLinesWithoutWideBlanksStay checks that a line without such blanks is not copied.
func TestLinesWithoutWideBlanksStay(t *testing.T) {
	c := &cleaner{}
	for _, text := range []string{"", "step 7 loss 0.5", "Epoch 3: ██▎", "第 5 步"} {
		if raw := []byte(text); len(raw) > 0 && &c.plain(raw)[0] != &raw[0] {
			t.Errorf("%q is copied", text)
		}
	}
}
