// Package story holds the files of `traintop demo`: a recording and the story
// that is told beside it. e2e/cmd/makedemo writes both.
package story

import _ "embed" // the files

// Recording is what the demo plays, in the format of docs/recording.md.
//
//go:embed demo.ttrec
var Recording []byte

// Text is the story as JSON; the package demo reads it.
//
//go:embed story.json
var Text []byte
