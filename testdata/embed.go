// Package testdata holds the demo cluster: what kubectl would print for it,
// embedded for tests and read by the same source that reads files. The files
// were made once and are edited by hand.
package testdata

import (
	"embed"
	"io/fs"
)

//go:embed demo
var files embed.FS

// Demo holds one list of objects for each namespace, and one for what belongs
// to none, the logs of pods, and what exporters report about GPUs.
var Demo = func() fs.FS {
	demo, err := fs.Sub(files, "demo")
	if err != nil {
		panic(err) // the name is that of the folder
	}
	return demo
}()
