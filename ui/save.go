package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/adrg/xdg"

	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// said shows a notice when it arrives.
type said struct {
	text   string
	failed bool
}

func (s said) arrive(m *model) tea.Cmd { return m.say(s.text, s.failed) }

// save writes a file, named by the instant that it shows, and says where it
// went.
func (m *model) save(file views.File) tea.Cmd {
	folder, at := m.saveFolder(), m.snapshot.Now
	return func() tea.Msg {
		path, err := saveIn(folder, file, at)
		if err != nil {
			return said{err.Error(), true}
		}
		return said{"saved to " + path, false}
	}
}

// saveAll writes files and says where they went, and note. What cannot be
// written does not keep the others from being written.
func (m *model) saveAll(files []views.File, note string) tea.Cmd {
	if len(files) == 1 && note == "" {
		return m.save(files[0])
	}
	folder, at := m.saveFolder(), m.snapshot.Now
	return func() tea.Msg {
		saved := 0
		var failed error
		for _, file := range files {
			if _, err := saveIn(folder, file, at); err != nil {
				failed = err
				continue
			}
			saved++
		}
		text := fmt.Sprintf("saved %d of %s in %s", saved, draw.Plural(len(files), "file"), folder)
		if failed != nil {
			text += ": " + failed.Error()
		}
		if note != "" {
			text += "; " + note
		}
		return said{text, failed != nil}
	}
}

// saveFolder is where saved files go.
func (m *model) saveFolder() string {
	if m.o.SaveIn != "" {
		return m.o.SaveIn
	}
	return filepath.Join(xdg.StateHome, "traintop", "saved")
}

func saveIn(folder string, file views.File, at time.Time) (string, error) {
	name := filepath.Base(file.Name)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", fmt.Errorf("save %s: %w", name, err)
	}
	stamp := at.UTC().Format("20060102-150405")
	for n := 0; ; n++ {
		path := filepath.Join(folder, stamp+"-"+name)
		if n > 0 {
			path = filepath.Join(folder, fmt.Sprintf("%s-%d-%s", stamp, n, name))
		}
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if os.IsExist(err) && n < 1000 {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("save %s: %w", name, err)
		}
		_, err = f.WriteString(file.Text)
		if closing := f.Close(); err == nil {
			err = closing
		}
		if err != nil {
			return "", fmt.Errorf("save %s: %w", path, err)
		}
		return path, nil
	}
}
