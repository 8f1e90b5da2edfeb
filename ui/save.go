package ui

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/adrg/xdg"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// wasRedacted is added to the notice when secrets were masked in copied or
// saved text.
const wasRedacted = "; secrets in it are replaced by <redacted:...>"

// shared is a text without secrets, as it may leave the program
// (docs/redaction.md), and whether it had any.
func shared(text string) (safe string, redacted bool) {
	safe = redact.Text(text)
	return safe, safe != text
}

// copied copies a text to the clipboard and completes the notice about it.
func copied(text string, notice *string) tea.Cmd {
	safe, redacted := shared(text)
	if redacted && *notice != "" {
		*notice += wasRedacted
	}
	return tea.SetClipboard(safe)
}

// save writes a file, named by the instant that it shows, and reports its path.
func (m *model) save(file views.File) tea.Cmd {
	folder, at := m.saveFolder(), m.snapshot.Now
	return func() tea.Msg {
		path, redacted, err := saveIn(folder, file, at)
		if err != nil {
			return m.host.Notice(err.Error(), true)
		}
		if redacted {
			path += wasRedacted
		}
		return m.host.Notice("saved to "+path, false)
	}
}

// saveAll writes files and reports their paths, and note. A file that cannot be
// written does not stop the others.
func (m *model) saveAll(files []views.File, note string) tea.Cmd {
	if len(files) == 1 && note == "" {
		return m.save(files[0])
	}
	folder, at := m.saveFolder(), m.snapshot.Now
	return func() tea.Msg {
		saved, redacted := 0, false
		var failed error
		for _, file := range files {
			_, secrets, err := saveIn(folder, file, at)
			if err != nil {
				failed = cmp.Or(failed, err)
				continue
			}
			saved++
			redacted = redacted || secrets
		}
		text := fmt.Sprintf("saved %d of %s in %s", saved, draw.Plural(len(files), "file"), folder)
		if failed != nil {
			text += fmt.Sprintf("; %d not saved, of which nothing is left there: %s", len(files)-saved, failed)
		}
		if note != "" {
			text += "; " + note
		}
		if redacted {
			text += wasRedacted
		}
		return m.host.Notice(text, failed != nil)
	}
}

// saveFolder is the folder of saved files.
func (m *model) saveFolder() string {
	if m.o.SaveIn != "" {
		return m.o.SaveIn
	}
	return filepath.Join(xdg.StateHome, "traintop", "saved")
}

// saveIn writes a file without secrets, and reports its path and whether there
// were any.
func saveIn(folder string, file views.File, at time.Time) (path string, redacted bool, err error) {
	name := filepath.Base(file.Name)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", false, fmt.Errorf("save %s: %w", name, err)
	}
	text, redacted := shared(file.Text)
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
			return "", false, fmt.Errorf("save %s: %w", name, err)
		}
		if err := writeWhole(f, path, text); err != nil {
			return "", false, fmt.Errorf("save %s: %w", name, err)
		}
		return path, redacted, nil
	}
}

// writeWhole writes a text into a new file and closes it. A file that could not be written
// whole, such as on a full disk, is removed.
func writeWhole(f io.WriteCloser, path, text string) error {
	_, err := io.WriteString(f, text)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		_ = os.Remove(path)
	}
	return err
}
