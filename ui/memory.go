package ui

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/adrg/xdg"

	"github.com/traintop/traintop/sources/localfile"
	"github.com/traintop/traintop/train"
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
	// Pinned are the jobs that are kept on top.
	Pinned []train.JobID `json:"pinned,omitempty"`
	// Layouts are those of single jobs, the newest last.
	Layouts []JobLayout `json:"layouts,omitempty"`
}

// JobLayout is how a person arranged a screen about one job.
type JobLayout struct {
	Job    train.JobID     `json:"job"`
	Screen string          `json:"screen"`
	Layout json.RawMessage `json:"layout"`
}

// mostLayouts bounds how many layouts are kept: jobs come and go.
const mostLayouts = 200

// kept are the pinned jobs and the layouts of the session.
type kept struct {
	pins    views.Pins
	layouts []JobLayout
}

// restore begins with what was saved.
func (k *kept) restore(r Remembered) {
	k.layouts = slices.Clone(r.Layouts)
	k.setPins(r.Pinned)
}

func (k *kept) setPins(jobs []train.JobID) {
	pinned := make(map[train.JobID]bool, len(jobs))
	for _, id := range jobs {
		pinned[id] = true
	}
	k.pins = views.Pins{Jobs: pinned, Version: k.pins.Version + 1}
}

// pinned are the pinned jobs, in order.
func (k *kept) pinned() []train.JobID { return slices.Sorted(maps.Keys(k.pins.Jobs)) }

// toggle pins jobs, or lets them go where all of them are pinned.
func (k *kept) toggle(jobs []train.JobID) (pinned bool) {
	all := !slices.ContainsFunc(jobs, func(id train.JobID) bool { return !k.pins.Jobs[id] })
	next := slices.DeleteFunc(k.pinned(), func(id train.JobID) bool { return slices.Contains(jobs, id) })
	if !all {
		next = append(next, jobs...)
	}
	k.setPins(next)
	return !all
}

// keepLayouts keeps how the screens are arranged.
func (k *kept) keepLayouts(all []views.View) {
	for _, v := range all {
		arranged, is := v.(views.Arranged)
		if !is || arranged.LayoutOf() == "" {
			continue
		}
		layout := JobLayout{Job: arranged.LayoutOf(), Screen: v.Name(), Layout: arranged.Layout()}
		k.layouts = slices.DeleteFunc(k.layouts, func(l JobLayout) bool { return l.Job == layout.Job && l.Screen == layout.Screen })
		if layout.Layout != nil {
			k.layouts = append(k.layouts, layout)
		}
	}
	k.layouts = k.layouts[max(0, len(k.layouts)-mostLayouts):]
}

// arrange arranges a screen as it was left.
func (k *kept) arrange(v views.View) {
	arranged, is := v.(views.Arranged)
	if !is {
		return
	}
	for i := range k.layouts {
		if l := &k.layouts[i]; l.Job == arranged.LayoutOf() && l.Screen == v.Name() {
			arranged.Arrange(l.Layout)
		}
	}
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
