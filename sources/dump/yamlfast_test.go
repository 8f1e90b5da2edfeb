package dump

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shapes are forms of YAML of Kubernetes objects, besides those in testdata.
var shapes = []string{
	"a: 1\nb: two\nc:\n- x\n- y: 1\n  z: [1, two]\n",
	"a:\n  - 1\n  - - deep\n    - er\n  -\n    k: v\nb: {}\nc: []\n",
	"a: \"quoted \\\"text\\\"\"\nb: 'it''s'\nc: ''\nd: \"\"\n",
	"a: |\n  one\n\n    two\n  three\nb: |-\n  x\nc: end\n",
	"message: '0/6 nodes are available:\n  1 node(s) had taints'\nnext: plain text\n  goes on\n\n  and on\nlast: x\n",
	"m: \"double\n  folded\"\nn: 1\n",
	"t: true\nf: false\nn: null\ny: yes\no: off\ntilde: ~\nempty:\nword: None\n",
	"i: 8\nq: 64Gi\nm: 500m\nip: 10.20.0.1\nf: 0.5\no: 0755\nh: 0x1f\ne: 1e3\nbig: 12345678901234567890\nneg: -4\nd: 2026-11-20\nu: 1_000\n",
	"t: 2026-11-20T09:25:48Z\nv: 1.36\nversion: v1.36.3\ndash: -\nk: --flag\n",
	"# comment\na: b # not part\n\n# more\nc: d#e\nurl: http://x:80/y\n",
	"'quoted key': 1\n\"other\": 2\nnvidia.com/gpu: \"8\"\n8: eight\non: 1\ny: 2\n",
	"a: &x 1\nb: *x\n", "a: !!str 1\n", "a: >\n  folded\n  text\n", "? a\n: b\n", "a: {b: [1, {c: d}]}\n", "a: [1,\n  2]\n",
	"- a\n- b: c\n", "just text\n", "a: b: c\n", "a:\n b\n", "\ta: b\n", "a: b\r\nc: d\r\n", "a: 1\na: 2\n", "<<: {a: 1}\nb: 2\n",
	"a: 'open\n", "a: \"bad \\q escape\"\n", "a: \u0085x\n", "a: \xff\n", "a: .inf\n", "- - - - x\n", "a: |\n\n\n  x\n\n\nb: 1\n", "a: |\n   \n  x\n", "a: |\nb: 1\n",
	"a: 'x'y\n", "a: \"x\" # c\n", "a: x\n  # comment\n  y\n", "a: -\n", "a: - b\n", "a: ...\n", "a: ---\n", "a: 'é'\nb: ü\n", "é: 1\n", "a: 'x\n\n  y'\n",
	"a: 0\nb: 00\nc: 0.0\nd: +1\ne: 1.\nf: .5\ng: 1.2.3\nh: 1e\ni: 0o7\nj: 0b1\nk: 12:30:45\n",
	strings.Repeat("k", 1025) + ": 1\n",
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
	for _, text := range shapes {
		sameAsLibrary(t, []byte(text))
	}
}

// The fast parser must accept the dumps themselves, or it is useless.
func TestFastYAMLReadsDumps(t *testing.T) {
	for _, pattern := range []string{"testdata/*.yaml", "../../testdata/demo/*.yaml"} {
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
	for _, text := range shapes {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { sameAsLibrary(t, text) })
}
