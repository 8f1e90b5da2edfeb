package dump

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/store"
)

// silent is a sink that drops all events, so that only reading is measured.
type silent struct{}

func (silent) Apply(...store.Event) {}

// recorded returns a recorded dump repeated to some megabytes.
func recorded(b *testing.B, name string, convert func([]byte) []byte) fs.FS {
	text, err := os.ReadFile("testdata/pytorch-crashloop.yaml")
	if err != nil {
		b.Fatal(err)
	}
	text = convert(text)
	const size = 4 << 20
	var all bytes.Buffer
	for all.Len() < size {
		all.WriteString("---\n"[:4*btoi(name == "dump.yaml")])
		all.Write(text)
	}
	return fstest.MapFS{name: {Data: all.Bytes()}}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func benchmarkRead(b *testing.B, name string, convert func([]byte) []byte) {
	files := recorded(b, name, convert)
	info, err := fs.Stat(files, name)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	for b.Loop() {
		if err := New([]string{name}, Options{FS: files}).Run(b.Context(), silent{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadYAML(b *testing.B) {
	benchmarkRead(b, "dump.yaml", func(text []byte) []byte { return text })
}

func BenchmarkReadJSON(b *testing.B) {
	benchmarkRead(b, "dump.json", func(text []byte) []byte {
		text, err := yaml.YAMLToJSON(text)
		if err != nil {
			b.Fatal(err)
		}
		var indented bytes.Buffer
		if err := json.Indent(&indented, text, "", "    "); err != nil {
			b.Fatal(err)
		}
		return indented.Bytes()
	})
}

// Measures splitting alone, which limits the speed of reading a file.
func BenchmarkCut(b *testing.B) {
	text, err := os.ReadFile("testdata/pytorch-crashloop.yaml")
	if err != nil {
		b.Fatal(err)
	}
	text = bytes.Repeat(append([]byte("---\n"), text...), 50)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		o, err := unpack(bytes.NewReader(text))
		if err != nil {
			b.Fatal(err)
		}
		if err := newCutter(o, maxPiece).cut(func(piece) bool { return true }); err != nil {
			b.Fatal(err)
		}
	}
}
