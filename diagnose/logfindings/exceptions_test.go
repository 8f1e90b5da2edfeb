package logfindings_test

import (
	"os"
	"strings"
	"testing"
)

// TestExceptionsOfLibraries checks exceptions as the sources of libraries make them: the
// exact cause comes first.
func TestExceptionsOfLibraries(t *testing.T) {
	texts, err := os.ReadFile("testdata/exceptions.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(texts)) {
		fields := strings.SplitN(strings.TrimSpace(line), "\t", 3)
		if strings.HasPrefix(line, "#") || len(fields) < 3 {
			continue
		}
		found := diagnosed("Traceback (most recent call last):\n  File \"/opt/train/train.py\", line 12, in <module>\n    main()\n  File \"/usr/lib/python3/dist-packages/lib/part.py\", line 40, in call\n    raise\n" + fields[2] + "\n")
		if len(found) == 0 || string(found[0].Cause) != fields[0] {
			t.Errorf("%s: %s: got %+v, want %s", fields[1], fields[2], found, fields[0])
		}
	}
}
