package alerts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

func TestMarksAreKeptForThirtyDays(t *testing.T) {
	file := MarksFile{Path: filepath.Join(t.TempDir(), "below", "prod.marks.json")}
	if m, _, err := file.Read(); err != nil || len(m) != 0 {
		t.Errorf("a missing file has %v, %v", m, err)
	}
	written := Marks{
		"taken": {Acknowledged: noon, Changed: noon}, "muted": {Muted: noon.Add(time.Hour), Changed: noon},
		"old": {Acknowledged: noon, Changed: noon.Add(-31 * 24 * time.Hour)},
	}
	if _, err := file.Write(written, noon); err != nil {
		t.Fatal(err)
	}
	read, _, err := file.Read()
	if err != nil || len(read) != 2 || !read["taken"].Acknowledged.Equal(noon) || !read["muted"].Muted.Equal(noon.Add(time.Hour)) {
		t.Errorf("read %v, %v", read, err)
	}
	if len(written) != 3 {
		t.Error("writing changed the marks")
	}
}

func TestMarksThatCannotBeReadSayWhatToDo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "marks.json")
	for text, says := range map[string]string{`{"version":`: "move the file away", `{"version":7}`: "version 7", strings.Repeat(" ", 5<<20): "marks.json"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := (MarksFile{Path: path}).Read(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	if _, err := (MarksFile{Path: filepath.Join(path, "below.json")}).Write(Marks{}, noon); err == nil || !strings.Contains(err.Error(), "which incidents") {
		t.Errorf("below a file: %v", err)
	}
}

// Clusters of one context name have marks of their own, whoever marked first.
func TestClustersOfOneNameDoNotShareMarks(t *testing.T) {
	folder := t.TempDir()
	of := func(address string) MarksFile {
		return MarksFile{Path: filepath.Join(folder, "prod.marks.json"), Beside: filepath.Join(folder, "prod___"+address+".marks.json"), Address: address}
	}
	first, second := of("10.0.0.1"), of("10.0.0.2")
	for _, file := range []MarksFile{first, second, first} {
		if _, err := file.Write(Marks{IncidentID(file.Address): {Changed: noon}}, noon); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []MarksFile{first, second} {
		if m, _, err := file.Read(); err != nil || len(m) != 1 || m[IncidentID(file.Address)].Changed.IsZero() {
			t.Errorf("%s has %v, %v", file.Address, m, err)
		}
	}
}

func TestTheLaterMarkWins(t *testing.T) {
	m := Marks{"a": {Muted: noon, Changed: noon}, "b": {Changed: noon}}
	m.Merge(Marks{"a": {Changed: noon.Add(-time.Second)}, "b": {Muted: noon, Changed: noon.Add(time.Second)}, "c": {Changed: noon}})
	if m["a"].Muted.IsZero() || m["b"].Muted.IsZero() || len(m) != 3 {
		t.Errorf("%v", m)
	}
}

// A person marks an incident on a screen; a watcher adopts that before and after
// the incident opens, and sends nothing about one that is muted.
func TestAWatcherAdoptsMarks(t *testing.T) {
	outlet := &collected{}
	w := NewWatcher("prod", Presets(), func(string) {})
	if err := w.Begin("", []Outlet{outlet}); err != nil {
		t.Fatal(err)
	}
	look := func(after time.Duration, troubles ...Trouble) {
		w.Look(Observation{At: noon.Add(after), Troubles: troubles, Phase: func(train.JobID) (train.Phase, bool) { return train.Failed, true }})
	}
	look(0)
	failed := trouble(1, train.Failed, "cuda-out-of-memory")
	failed.Since = noon.Add(time.Second)
	look(time.Minute, failed)
	id := w.Incidents()[0].ID

	other := NewWatcher("prod", Presets(), func(string) {})
	held := &collected{}
	if err := other.Begin("", []Outlet{held}); err != nil {
		t.Fatal(err)
	}
	other.Adopt(Marks{id: {Acknowledged: noon, Muted: noon.Add(time.Hour), Changed: noon}})
	other.Look(Observation{At: noon})
	other.Look(Observation{At: noon.Add(time.Minute), Troubles: []Trouble{failed}})
	if i := other.Incidents()[0]; i.ID != id || i.Acknowledged.IsZero() || len(held.notices) > 0 {
		t.Errorf("it opened as %+v, and %d notices were sent", i, len(held.notices))
	}
	other.Adopt(Marks{id: {Changed: noon.Add(time.Minute)}}) // given back
	if i := other.Incidents()[0]; !i.Acknowledged.IsZero() || !i.Muted.IsZero() {
		t.Errorf("after it was given back: %+v", i)
	}
	other.Look(Observation{At: noon.Add(2 * time.Minute), Troubles: []Trouble{failed}})
	if len(held.notices) != 1 {
		t.Errorf("%d notices were sent once it is not muted", len(held.notices))
	}
}

// collected is an outlet that keeps notices.
type collected struct{ notices []Notice }

func (*collected) Name() string     { return "collected" }
func (c *collected) Queue(n Notice) { c.notices = append(c.notices, n) }
