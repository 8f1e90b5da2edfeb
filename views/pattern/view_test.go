package pattern

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/screentest"
)

// open shows the screen for a log in a style that nobody reads.
func open(t *testing.T, width, height int) (*View, views.Frame) {
	t.Helper()
	s := store.New(func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) })
	id := train.StreamID{File: "ours.log"}
	logged := store.Logged{Stream: id}
	for i := range 40 {
		text := fmt.Sprintf("09:00:%02d runner (node a) | lap %4d/900 >> quality ~ %.4f | seen %d", i, i, 9/float64(i+1), i*7)
		logged.Lines = append(logged.Lines, train.LogLine{Number: int64(2*i + 1), Text: text}, train.LogLine{Number: int64(2*i + 2), Text: "\x1b[32mheartbeat 7 ok\x1b[m"})
	}
	s.Apply(store.StreamChanged{Stream: id, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}}, logged)
	v := New(views.PatternRoute{Job: s.Snapshot().LogJobs()[0].ID})
	return v, screentest.Frame(t, s.Snapshot(), width, height, themes.Options{})
}

// The screen begins with the line that looks most like a metric; what is taken
// and named is read of the whole log, and saved with the line as its example.
func TestAFormatIsMadeOfALine(t *testing.T) {
	v, f := open(t, 110, 20)
	shows := func(texts ...string) {
		t.Helper()
		screen := screentest.Plain(v, f)
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				t.Errorf("%q is not shown:\n%s", text, screen)
			}
		}
	}
	shows("line 79, which looks most like a metric   kind 1 of 2", "lap   39/900 >> quality ~ 0.2250 | seen 273", "reads 40 of 80 lines", "quality")
	effect, _ := v.Do(keymap.PatternSave, f)
	if notice := screentest.In[views.Notice](effect); !strings.Contains(notice.Text, "a curve needs its x") {
		t.Errorf("a pattern without a step is saved: %+v", effect)
	}
	effect, _ = v.Do(keymap.FieldName, f)
	question := screentest.In[views.AskLine](effect).Question
	if question.Text != "lap" || v.Typed(question, "no name") == nil {
		t.Errorf("asked for a name with %+v, and takes any text", question)
	}
	v.Answered(question, "step", f)
	v.Do(keymap.FieldRight, f)
	v.Do(keymap.FieldPick, f) // no word is before 900: a name is asked for, or it is left
	v.Answered(question, "", f)
	shows("▌ not read", "step", "39", "0.225")
	effect, _ = v.Do(keymap.PatternSave, f)
	saved := screentest.In[views.SavePattern](effect)
	if saved.Name != "ours.log" || !strings.Contains(saved.Match, "(?P<step>") || !strings.Contains(saved.Match, "(?P<quality>") || !strings.HasPrefix(saved.Example, "09:00:39 runner") {
		t.Errorf("saved %+v", saved)
	}
	v.Do(keymap.OtherDown, f)
	shows("heartbeat 7 ok", "kind 2 of 2")
}

// Without any number there is nothing to pick, and the screen reports it.
func TestALogWithoutNumbers(t *testing.T) {
	s := store.New(func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) })
	id := train.StreamID{File: "words.log"}
	s.Apply(store.StreamChanged{Stream: id, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}}, store.Logged{Stream: id, Lines: []train.LogLine{{Number: 1, Text: "only words"}}})
	v := New(views.PatternRoute{Job: s.Snapshot().LogJobs()[0].ID})
	f := screentest.Frame(t, s.Snapshot(), 80, 10, themes.Options{})
	if screen := screentest.Plain(v, f); !strings.Contains(screen, "no line of the log has a number") {
		t.Errorf("got\n%s", screen)
	}
	if _, handled := v.Do(keymap.PatternSave, f); !handled {
		t.Error("a key of the screen is not known")
	}
}

func TestAnySize(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {40, 10}, {20, 5}, {10, 2}, {1, 1}} {
		v, f := open(t, size[0], size[1])
		for range 4 {
			screentest.Screen(v, f)
			v.Do(keymap.FieldRight, f)
		}
	}
}
