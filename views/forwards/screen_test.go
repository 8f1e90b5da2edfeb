package forwards

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/screentest"
)

// ports are so many forwarded ports: a TensorBoard that is up, one that waits,
// one whose pod is gone, and then plain ones.
func ports(tb testing.TB, count, width, height int, o themes.Options) views.Frame {
	tb.Helper()
	snapshot, _ := screentest.Pods(1)
	f := screentest.Frame(tb, snapshot, width, height, o)
	for i := range count {
		one := views.Forwarded{ID: i + 1, Port: actions.Port{Name: "master", Number: 29500}}
		one.State = actions.ForwardState{
			Forward: actions.Forward{Namespace: "ml", Pod: fmt.Sprintf("gpt-worker-%d", i), PodUID: "u", Remote: 29500, Local: 40000 + i},
			Since:   f.Now().Add(-time.Duration(i+1) * time.Minute), Open: i % 3, Served: 10 * i, Bytes: int64(i) << 20,
		}
		switch i {
		case 0:
			one.Port = actions.Port{Name: "TensorBoard", Number: 6006, Scheme: "http", Path: "/"}
			one.State.Remote = 6006
		case 1:
			one.State.Trouble = "nothing listens on port 29500 in the pod; trying again"
		case 2:
			one.State.Trouble, one.State.Ended = "pod ml/gpt-worker-2 is gone", true
		}
		f.Forwards = append(f.Forwards, one)
	}
	return f
}

func TestScreens(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 18}, {160, 39}, {40, 8}, {20, 5}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			golden.RequireEqual(t, screentest.Plain(New(), ports(t, 6, size.width, size.height, themes.Options{})))
		})
	}
	t.Run("none", func(t *testing.T) {
		golden.RequireEqual(t, screentest.Plain(New(), ports(t, 0, 80, 10, themes.Options{})))
	})
	t.Run("ascii", func(t *testing.T) {
		screen := screentest.Screen(New(), ports(t, 6, 120, 12, themes.Options{ASCII: true, NoColor: true}))
		screentest.CheckASCII(t, screen)
		golden.RequireEqual(t, screen)
	})
}

// Keys apply to the row under the cursor, which stays on its port while others
// end.
func TestKeysMeanTheRowUnderTheCursor(t *testing.T) {
	v, f := New(), ports(t, 6, 160, 40, themes.Options{})
	v.Render(f)
	v.Select("1")
	do := func(action keymap.Action) views.Effect {
		t.Helper()
		effect, handled := v.Do(action, f)
		if !handled {
			t.Errorf("%s means nothing", action)
		}
		return effect
	}
	if address := screentest.In[views.OpenBrowser](do(keymap.ForwardBrowse)).Address; address != "http://localhost:40000/" {
		t.Errorf("the browser opens %q", address)
	}
	if text := screentest.In[views.CopyText](do(keymap.ForwardURL)).Text; text != "http://localhost:40000/" {
		t.Errorf("copied %q", text)
	}
	v.Select("4")
	if effect := do(keymap.ForwardBrowse); screentest.In[views.OpenBrowser](effect).Address != "" || !strings.Contains(screentest.In[views.Notice](effect).Text, "connect to localhost:40003") {
		t.Errorf("a browser for a port of NCCL: %+v", effect)
	}
	f.Forwards = f.Forwards[2:] // the first two are stopped
	v.Render(f)
	if stop := screentest.In[views.StopForwards](do(keymap.ForwardStop)).IDs; len(stop) != 1 || stop[0] != 4 {
		t.Errorf("it stops %v, want 4", stop)
	}
	v.Do(keymap.Mark, f)
	v.Select("6")
	v.Do(keymap.Mark, f)
	if stop := screentest.In[views.StopForwards](do(keymap.ForwardStop)).IDs; len(stop) != 2 {
		t.Errorf("it stops %v, want the two that are marked", stop)
	}
	if refs := v.Selected(f); len(refs) != 2 || refs[0].Kind != "Pod" || refs[0].UID != "u" {
		t.Errorf("they stand for %v", refs)
	}
	f.Forwards = nil
	for _, action := range []keymap.Action{keymap.ForwardBrowse, keymap.ForwardURL, keymap.ForwardStop} {
		if effect := do(action); screentest.In[views.OpenBrowser](effect).Address != "" || screentest.In[views.CopyText](effect).Text != "" || len(screentest.In[views.StopForwards](effect).IDs) > 0 {
			t.Errorf("%s with no port: %+v", action, effect)
		}
	}
}

// A name from the cluster moves no cursor.
func TestNamesAreShownSafely(t *testing.T) {
	v, f := New(), ports(t, 1, 160, 10, themes.Options{NoColor: true})
	f.Forwards[0].Port.Name = "board\x1b[2J\r\n"
	f.Forwards[0].State.Trouble = "\x1b]52;c;aGk=\a says no"
	if screen := screentest.Screen(v, f); strings.ContainsAny(screen, "\r\a") || strings.Contains(screen, "\x1b[2J") || strings.Contains(screen, "\x1b]") {
		t.Errorf("%q", screen)
	}
}

// BenchmarkFrame draws one window of 200 forwards, whose byte counts keep
// growing.
func BenchmarkFrame(b *testing.B) {
	v, f := New(), ports(b, 200, 160, 50, themes.Options{})
	b.ReportAllocs()
	for b.Loop() {
		v.Title(f)
		v.Render(f)
	}
}
