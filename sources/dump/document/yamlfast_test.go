package document

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shapes are forms of YAML of Kubernetes objects, besides those in testdata: one on
// each line, quoted as in Go.
func shapes(t testing.TB) (all []string) {
	t.Helper()
	text, err := os.ReadFile("../testdata/yamlshapes.quoted")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		shape, err := strconv.Unquote(strings.TrimSuffix(line, "\n"))
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all = append(all, shape)
	}
	return all
}

// sameAsLibrary fails if the fast parser gives another value than the library.
func sameAsLibrary(t *testing.T, text []byte) (sure bool) {
	t.Helper()
	fast, err := kubectlYAML(text)
	if err != nil {
		return false
	}
	slow, err := libraryYAML(text)
	if err != nil {
		t.Fatalf("the library refuses %q (%v), the fast parser read %v", text, err, fast)
	}
	if diff := cmp.Diff(slow, fast); diff != "" {
		t.Fatalf("%q is read differently (-library +fast):\n%s", text, diff)
	}
	return true
}

func TestFastYAMLAgreesWithLibrary(t *testing.T) {
	for _, text := range shapes(t) {
		sameAsLibrary(t, []byte(text))
	}
}

// The fast parser must accept the dumps themselves, or it is useless.
func TestFastYAMLReadsDumps(t *testing.T) {
	for _, pattern := range []string{"../testdata/*.yaml", "../../../testdata/demo/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files at %s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !sameAsLibrary(t, text) {
				t.Errorf("%s is left to the library", file)
			}
		}
	}
}

func FuzzFastYAML(f *testing.F) {
	for _, text := range shapes(f) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { sameAsLibrary(t, text) })
}

// Compares the two parsers.
func BenchmarkParseYAML(b *testing.B) {
	text, err := os.ReadFile("../testdata/pytorch-crashloop.yaml")
	if err != nil {
		b.Fatal(err)
	}
	for name, parse := range map[string]func([]byte) (any, error){"fast": kubectlYAML, "library": libraryYAML} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
