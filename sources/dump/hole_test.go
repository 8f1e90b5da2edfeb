package dump

import (
	"bufio"
	"io"
	"strings"
	"testing"
)

// zeros is a device without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestHolesAreSkippedAsFarAsTheyMayBeLong(t *testing.T) {
	const most = 1 << 20
	for name, c := range map[string]struct {
		text io.Reader
		want int64
	}{
		"without an end":    {zeros{}, most},
		"a log behind one":  {io.MultiReader(io.LimitReader(zeros{}, 100_001), strings.NewReader("step 1\n")), 100_001},
		"too short for one": {io.MultiReader(io.LimitReader(zeros{}, 100), strings.NewReader("step 1\n")), 0},
		"none":              {strings.NewReader("step 1\n"), 0},
	} {
		text := bufio.NewReaderSize(c.text, sniffSize)
		if got := skipHole(text, false, most); got != c.want {
			t.Errorf("%s: %d bytes are skipped, want %d", name, got, c.want)
		}
	}
}
