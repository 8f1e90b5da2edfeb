package dump

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestTextOfOtherEncodings checks that a log in an encoding other than UTF-8 is a log, and
// that data with as many bytes of that kind is none.
func TestTextOfOtherEncodings(t *testing.T) {
	noise := make([]byte, 4096)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		noise[i] = byte(random.UintN(256))
	}
	for _, c := range []struct {
		about, text string
		is          bool
	}{
		{"GBK among settings", strings.Repeat("epoch 1 loss 0.5 \xd1\xb5\xc1\xb7\xbc\xaf\xd1\xe9\xd6\xa4\xbc\xaf\xc9\xcf\xb5\xc4\xbd\xe1\xb9\xfb\n", 20), true},
		{"GBK in sentences", strings.Repeat("10:00 INFO \xce\xd2\xcf\xeb\xc4\xe3\xb5\xc4\xca\xb1\xba\xf2\xa3\xac\xd7\xee\xba\xc3\xb2\xbb\xb9\xfd\xc1\xcb\xa1\xa3\n", 20), true},
		{"Shift-JIS", strings.Repeat("step 3 \x91\xb9\x8e\xb8: 0.5 \x8c\x9f\x8f\xd8\x91\xb9\x8e\xb8: 0.6\r\n", 20), true},
		{"Latin-1", strings.Repeat("\xe9poque 3 pr\xe9cision \xe9lev\xe9e: \xe0 0.5\n", 20), true},
		{"random bytes", string(noise), false},
		{"random bytes between lines", strings.Repeat("header\n", 40) + string(noise[:600]), false},
		{"numbers of a model", "weights\n" + strings.Repeat("\x00\x00\x80?\xcd\xcc\xcc=", 100), false},
		{"bytes of one kind", strings.Repeat("\x80\x91\xfe\xa2", 400) + "\n", false},
		{"one line without an end", "abcdefgh" + strings.Repeat("\xfe\xa2", 40) + strings.Repeat("x", 40), false},
	} {
		if is, what := detect([]byte(c.text)); (is == isLog) != c.is {
			t.Errorf("%s: read as %d, %q", c.about, is, what)
		}
	}
}
