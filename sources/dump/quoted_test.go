package dump

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestQuotedText checks that a quoted text is read without its quoting, and
// that one with only some quoted lines is read unchanged.
func TestQuotedText(t *testing.T) {
	for text, want := range map[string]string{
		"> Capacity:\n>   cpu:  12\n>\n> Allocatable:\n":          "Capacity:\n  cpu:  12\n\nAllocatable:\n",
		"\n> > RuntimeError: a\n> > b > c":                        "\nRuntimeError: a\nb > c",
		"> initializing model parallel with size 1\n[rank0]: a\n": "> initializing model parallel with size 1\n[rank0]: a\n",
		"> one line\n": "> one line\n",
		">\n>":         "\n",
		"+apiVersion: v1\n+kind: Pod\n+metadata:\n+  name: a\n":                         "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n",
		"+{\n+  \"kind\": \"Pod\"\n+}\n":                                                "{\n  \"kind\": \"Pod\"\n}\n",
		"+ python train.py\n+ echo kind: of\n":                                          "+ python train.py\n+ echo kind: of\n",
		` "{\n \"apiVersion\": \"v1\", \"note\": \"a \\\"b\\\" \u00e9\ud83d\ude00\"}" `: "{\n \"apiVersion\": \"v1\", \"note\": \"a \\\"b\\\" é😀\"}",
		`"apiVersion: v1\nkind: Pod\n"`:                                                 "apiVersion: v1\nkind: Pod\n",
		`"{\"kind\":\"Pod\"}"` + "\r\n" + `"{\"kind\":\"Node\"}", ` + "\n":              "{\"kind\":\"Pod\"}\n{\"kind\":\"Node\"}",
		`"kind: Pod\n" "kind: Node\n"`:                                                  "kind: Pod\n\n---\nkind: Node\n",
		`"{\"kind\":\"Pod\"}"` + "\n{\"kind\":\"Node\"}\n":                              "{\"kind\":\"Pod\"}\n{\"kind\":\"Node\"}\n",
		`"loss: 1\nkind: Pod\n"`:                                                        `"loss: 1\nkind: Pod\n"`,
	} {
		for _, in := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			o, err := unpack(in)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(o.text); err != nil || string(got) != want {
				t.Errorf("%q\n got %q, %v, want %q", text, got, err, want)
			}
			if o.packed != (text != want) {
				t.Errorf("%q: packed %v", text, o.packed)
			}
		}
	}
}
