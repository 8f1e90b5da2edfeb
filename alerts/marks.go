package alerts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"time"

	"github.com/traintop/traintop/sources/localfile"
)

// keepMarks is how long a mark is kept after a person set it.
const keepMarks = 30 * 24 * time.Hour

// marksVersion is that of the file's form.
const marksVersion = 1

// Mark is what a person set on an incident.
type Mark struct {
	// Acknowledged is when the person took it, zero for not taken. Muted is until
	// when nothing is sent about it, zero or past for not muted.
	Acknowledged time.Time `json:"acknowledged,omitzero"`
	Muted        time.Time `json:"muted,omitzero"`
	// Changed is when the mark was set last.
	Changed time.Time `json:"changed"`
}

// Marks are the marks that people set, by incident. Screens and watchers of one
// cluster share them by a file.
type Marks map[IncidentID]Mark

// marksFile is the form of the file.
type marksFile struct {
	Version int `json:"version"`
	// Address is that of the cluster's API server, as in State.
	Address string `json:"address,omitempty"`
	Marks   Marks  `json:"marks"`
}

// Merge takes the marks of another source that were set later.
func (m Marks) Merge(other Marks) {
	for id, mark := range other {
		if known, has := m[id]; !has || mark.Changed.After(known.Changed) {
			m[id] = mark
		}
	}
}

// MarksFile is the file with the marks of one cluster.
type MarksFile struct {
	// Path is the file, "" for none. Where that is of a cluster at another address,
	// Beside is the file of this one.
	Path, Beside string
	// Address is that of the cluster's API server, "" where it is not known.
	Address string
}

// Read reads the marks and returns the file that has them. A missing file has none.
func (f MarksFile) Read() (m Marks, path string, err error) {
	read, err := readMarks(f.Path)
	if err != nil || !otherAddress(read.Address, f.Address) || f.Beside == "" {
		return read.Marks, f.Path, err
	}
	read, err = readMarks(f.Beside)
	return read.Marks, f.Beside, err
}

func readMarks(path string) (f marksFile, err error) {
	text, err := localfile.Read(path, localfile.Settings)
	if errors.Is(err, fs.ErrNotExist) {
		return marksFile{Marks: Marks{}}, nil
	}
	if err != nil {
		return marksFile{}, fmt.Errorf("reading which incidents are taken or muted: %w", err)
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return marksFile{}, fmt.Errorf("reading which incidents are taken or muted from %s: %w; %w", path, err, errUnusable)
	}
	if f.Version != marksVersion {
		return marksFile{}, fmt.Errorf("%s is of version %d, and this program writes version %d; %w", path, f.Version, marksVersion, errUnusable)
	}
	if f.Marks == nil {
		f.Marks = Marks{}
	}
	return f, nil
}

// Write adds marks to those of the file, which it replaces in one step, and returns all of
// them. Marks that were set more than 30 days before now are left out.
func (f MarksFile) Write(m Marks, now time.Time) (Marks, error) {
	all, path, err := f.Read()
	if err != nil {
		return m, err
	}
	all.Merge(m)
	kept := maps.Clone(all)
	maps.DeleteFunc(kept, func(_ IncidentID, mark Mark) bool { return now.Sub(mark.Changed) > keepMarks })
	if err := replaceJSON(path, marksFile{Version: marksVersion, Address: f.Address, Marks: kept}); err != nil {
		return all, fmt.Errorf("writing which incidents are taken or muted: %w", err)
	}
	return all, nil
}

// Adopt takes marks that people set elsewhere, also for incidents that open
// later. An incident without a mark keeps what it has.
func (w *Watcher) Adopt(m Marks) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tracker.marks = maps.Clone(m)
	if len(m) == 0 {
		return
	}
	for _, i := range w.tracker.incidents {
		if i.take(m) {
			w.tracker.version++
		}
	}
}

// take sets what a person marked, and reports whether that is new.
func (i *Incident) take(m Marks) bool {
	mark, marked := m[i.ID]
	if !marked || mark.Acknowledged.Equal(i.Acknowledged) && mark.Muted.Equal(i.Muted) {
		return false
	}
	i.Acknowledged, i.Muted = mark.Acknowledged, mark.Muted
	return true
}
