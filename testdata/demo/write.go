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
		if err := os.WriteFile(filepath.Join("testdata", "demo", name), text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
