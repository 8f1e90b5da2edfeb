package yamltext

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/termtext"
)

// TestEveryTextIsWritten writes each character below U+3000, some above it and an
// invalid one, and reads them back. The YAML contains nothing that controls a
// terminal, reverses text or hides it.
func TestEveryTextIsWritten(t *testing.T) {
	object := map[string]any{"broken": "a\xffb", "mojibake": "f\u00c3\u00bcr \u009b31m\x7f", "empty": nil, "n": 5.0}
	for r := rune(0); r < 0x3000; r++ {
		object["c"+string(r)] = "a" + string(r) + "b"
	}
	object["looksAlike"] = `\uFFFF00202E \\uFFFF "\u202e`
	for _, r := range []rune{0xd7ff, 0xe000, 0xfeff, 0xfffd, 0xfffe, 0xffff, 0x1f600, 0xe0001, 0x10ffff} {
		object["c"+string(r)] = string(r)
	}
	text, err := Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range string(text) {
		if termtext.Forbidden(r) && r != '\n' {
			t.Fatalf("%U stands in the YAML", r)
		}
	}
	var back map[string]any
	if err := yaml.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	object["broken"] = "a\ufffdb"
	if diff := cmp.Diff(object, back); diff != "" {
		t.Error(diff)
	}
}

// TestOrdinaryTextIsAsTheLibraryWritesIt checks that no other output changed.
func TestOrdinaryTextIsAsTheLibraryWritesIt(t *testing.T) {
	object := map[string]any{"metadata": map[string]any{"name": "bert", "labels": map[string]any{"on": "true", "x": "a: b"}}, "text": "two\nlines\n", "n": int64(5)}
	want, err := yaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Marshal(object); err != nil || string(got) != string(want) {
		t.Errorf("%v\n%s", err, got)
	}
}
