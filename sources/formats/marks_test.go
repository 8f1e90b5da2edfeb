package formats

import (
	"strings"
	"testing"
)

// verbsOf looks at every second pair of letters: it has to find a verb wherever it begins.
func TestVerbsAtEachOffset(t *testing.T) {
	for _, part := range verbParts {
		for before := range 4 {
			text := strings.Repeat("#", before) + part.letters + "#"
			if got := verbsOf([]byte(text)); got != part.verb {
				t.Errorf("verbsOf(%q) = %b, want %b", text, got, part.verb)
			}
		}
	}
	for text, want := range map[string]eventVerb{"": 0, "av": 0, "ave": 0, "don": 0, "訓練": 0, "训练完成": verbFinish, "Training done": verbFinish, "wrote ckpt": verbSave, "lr decay": 0} {
		if got := verbsOf([]byte(text)); got != want {
			t.Errorf("verbsOf(%q) = %b, want %b", text, got, want)
		}
	}
}

// What a search begins at must not change what it finds.
func TestIndexBy(t *testing.T) {
	const phrase = " rate, "
	for _, text := range []string{"", ",", "rate,", " rate, 1", "a, b rate, 1", " rate,", " rate,x rate, ", strings.Repeat(",", 20), strings.Repeat(",", 7) + phrase, strings.Repeat(",", 8) + phrase, strings.Repeat(" rate,", 9) + phrase, strings.Repeat("rate, ", 9) + phrase, "x" + strings.Repeat(phrase, 2)} {
		if got, want := indexBy([]byte(text), phrase, len(" rate")), strings.Index(text, phrase); got != want {
			t.Errorf("indexBy(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestPlainLines(t *testing.T) {
	for _, text := range []string{"", "loss: 0.5", "0123456789abcdef ~"} {
		if !isPlain([]byte(text)) || !isASCII([]byte(text)) {
			t.Errorf("%q has printed characters of ASCII only", text)
		}
	}
	for at := range 20 {
		for _, c := range []byte{0, '\b', '\t', '\r', 0x1b, 0x1f, 0x80, 0xff} {
			text := []byte(strings.Repeat(" ", 20))
			text[at] = c
			if isPlain(text) {
				t.Errorf("%q is called plain", text)
			}
			if isASCII(text) != (c < 0x80) {
				t.Errorf("isASCII(%q) = %v", text, c >= 0x80)
			}
		}
	}
}
