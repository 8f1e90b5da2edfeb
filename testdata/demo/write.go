//go:build ignore

// Command write brings the embedded files up to date with their description:
// go run testdata/demo/write.go, from the root of the repository.
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/traintop/traintop/testdata/demo/generate"
)

func main() {
	files, err := generate.Files()
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join("testdata", "demo", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
