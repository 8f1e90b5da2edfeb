// Package demo opens the recording that `traintop demo` plays: a quarter of an
// hour in which a dozen jobs on twelve GPU nodes have common failures, and the
// narration beside it. The files are in testdata/story.
package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/testdata/story"
)

// Instants of the recording, since its beginning.
const (
	// Start is where playing begins: the first readings of all GPUs are there.
	Start = 20 * time.Second
	// Still is the best instant for one snapshot: jobs wait, have failed, and
	// run.
	Still = 8*time.Minute + 10*time.Second
)

// Chapter is a part of the story.
type Chapter struct {
	// At is when it begins, since the recording's beginning.
	At time.Duration `json:"-"`
	// Text describes the event in one line of at most 76 cells.
	Text string `json:"text"`
	// Keys names the keys that show more: "D on clip-b32".
	Keys string `json:"keys"`
	// Job is the chapter's job, as namespace/name.
	Job string `json:"job"`
	// Cause is the root cause that the diagnosis of the job finds during the
	// chapter, one of docs/causes.md; "" where nothing is wrong.
	Cause string `json:"cause,omitempty"`
}

// written is a chapter as the file has it.
type written struct {
	At string `json:"at"`
	Chapter
}

// Open opens the recording.
func Open() (*recording.File, error) {
	file, err := recording.Read(bytes.NewReader(story.Recording), int64(len(story.Recording)))
	if err != nil {
		return nil, fmt.Errorf("opening the demo: %w", err)
	}
	return file, nil
}

// Chapters are the parts of the story in order; the first begins with the
// recording, and each lasts until the next.
func Chapters() []Chapter { return chapters() }

var chapters = sync.OnceValue(func() []Chapter {
	all, err := read(story.Text)
	if err != nil {
		panic(err) // it is part of the program, and a test reads it
	}
	return all
})

// At is the chapter at an instant, as the time since the recording's beginning.
func At(offset time.Duration) Chapter {
	var now Chapter
	for _, c := range Chapters() {
		if c.At > offset {
			break
		}
		now = c
	}
	return now
}

// Write makes the text of story.json.
func Write(all []Chapter) ([]byte, error) {
	rows := make([]written, len(all))
	for i, c := range all {
		rows[i] = written{c.At.String(), c}
	}
	text, err := json.MarshalIndent(rows, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the story: %w", err)
	}
	return append(text, '\n'), nil
}

func read(text []byte) ([]Chapter, error) {
	var rows []written
	if err := json.Unmarshal(text, &rows); err != nil {
		return nil, fmt.Errorf("reading the story: %w", err)
	}
	all := make([]Chapter, len(rows))
	for i, row := range rows {
		at, err := time.ParseDuration(row.At)
		if err != nil {
			return nil, fmt.Errorf("reading the story: chapter %d begins at %q: %w", i+1, row.At, err)
		}
		all[i] = row.Chapter
		all[i].At = at
	}
	return all, nil
}
