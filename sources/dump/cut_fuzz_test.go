package dump

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Splitting and decoding any file ends without a panic, and every piece lies
// inside the file.
func FuzzCut(f *testing.F) {
	shapes, err := os.ReadFile("testdata/yamlshapes.quoted")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(shapes)) {
		text, err := strconv.Unquote(strings.TrimSuffix(line, "\n"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(text))
	}
	for _, name := range []string{"testdata/pytorch-crashloop.yaml", "testdata/mpijob-running.yaml"} {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(jsonPod("a") + "\n{\n  \"items\": [\n    " + jsonPod("b") + ",\n    {\"x\": \"\n    },\n" + jsonPod("c") + "]}"))
	f.Add([]byte(`{"items":[null,1,"x",[],{"kind":"List","items":[{}]}],"kind":"PodList"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, is := range []content{isYAML, isJSON} {
			o, err := unpack(bytes.NewReader(text))
			if err != nil {
				return
			}
			o.is = is
			err = newCutter(o, 1<<20).cut(func(p piece) bool {
				if p.line < 1 || p.offset < 0 || p.length < 0 {
					t.Errorf("a piece of %d bytes at %d, line %d", p.length, p.offset, p.line)
				}
				decode(p)
				return true
			})
			if err != nil && !errors.Is(err, errTooBroken) {
				t.Fatal(err)
			}
		}
	})
}
