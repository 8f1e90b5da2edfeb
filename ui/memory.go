package ui

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"github.com/traintop/traintop/sources/localfile"
	"github.com/traintop/traintop/views"
)

// Memory is the state kept between runs, for each context. It is written at the
// end and whenever the context changes.
type Memory struct {
	path     string
	contexts map[string]Remembered
}

// Remembered is the state of one context.
type Remembered struct {
	// Namespace is the one last in use; nil when none ever was.
	Namespace *string `json:"namespace,omitempty"`
	// Screen is the list shown last: "jobs", "nodes".
	Screen string `json:"screen,omitempty"`
	// Favourites are the namespaces last used, the newest first.
	Favourites []string `json:"favourites,omitempty"`
	// Screens are the settings of each screen, by its name.
	Screens map[string]views.State `json:"screens,omitempty"`
}

// MemoryPath is the file of Memory: traintop/state.json in the XDG state
// directory.
func MemoryPath() string { return filepath.Join(xdg.StateHome, "traintop", "state.json") }

// OpenMemory reads the saved state. A missing file is an empty memory; an
// unreadable one is an error and an empty memory that still works.
func OpenMemory(path string) (*Memory, error) {
	m := &Memory{path: path, contexts: map[string]Remembered{}}
	text, err := localfile.Read(path, localfile.Settings)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, fmt.Errorf("read what is remembered: %w", err)
	}
	if err := json.Unmarshal(text, &m.contexts); err != nil {
		m.contexts = map[string]Remembered{}
		return m, fmt.Errorf("read what is remembered in %s: %w; it is written anew at the end", path, err)
	}
	if m.contexts == nil {
		m.contexts = map[string]Remembered{}
	}
	return m, nil
}

// Of returns the state of a context.
func (m *Memory) Of(context string) Remembered {
	if m == nil {
		return Remembered{}
	}
	return m.contexts[context]
}

// Keep replaces the state of a context.
func (m *Memory) Keep(context string, r Remembered) {
	if m == nil {
		return
	}
	m.contexts = maps.Clone(m.contexts)
	m.contexts[context] = r
}

// Write writes the memory to its file, completely or not at all.
func (m *Memory) Write() error {
	if m == nil {
		return nil
	}
	text, err := json.MarshalIndent(m.contexts, "", "  ")
	if err != nil {
		return fmt.Errorf("write what is remembered: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(m.path), 0o700); err != nil {
		return fmt.Errorf("write what is remembered: %w", err)
	}
	temporary, err := os.CreateTemp(filepath.Dir(m.path), ".state-*")
	if err != nil {
		return fmt.Errorf("write what is remembered: %w", err)
	}
	_, err = temporary.Write(append(text, '\n'))
	err = errors.Join(err, temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), m.path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(temporary.Name()))
		return fmt.Errorf("write what is remembered: %w", err)
	}
	return nil
}
