package ui

import (
	"errors"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
)

func TestEscUndoesOneStep(t *testing.T) {
	d := drive(t, Options{}, 120, 30)
	d.keys("/").types("clip").keys("enter", "enter")
	d.shows("PyTorchJob vision/clip", "jobs › clip")
	d.keys("/").types("work")
	d.keys("esc")
	d.shows("jobs › clip")
	d.hides("/work")
	d.keys("esc")
	d.shows("Jobs 1 of 14", "/clip")
	d.keys("esc")
	d.shows("Jobs 14")
	d.keys("esc", "esc")
	d.shows("Jobs 14")
	if d.quit {
		t.Error("esc quits")
	}
}

func TestQuitting(t *testing.T) {
	for _, way := range [][]string{{"ctrl+c"}, {"q", "q"}, {":", "q", "enter"}, {":", "q", "!", "enter"}, {"?", "ctrl+c"}, {"/", "ctrl+c"}} {
		d := drive(t, Options{}, 100, 20).keys(way...)
		if !d.quit {
			t.Errorf("%v does not quit:\n%s", way, d.screen())
		}
	}
	d := drive(t, Options{}, 100, 20).keys("q")
	d.shows("q again quits")
	d.send(noticeOver(d.m.notice.generation))
	if d.keys("q"); d.quit {
		t.Error("a q long after another quits")
	}
}

func TestPromptCompletes(t *testing.T) {
	d := drive(t, Options{}, 120, 30).keys(":").types("no")
	d.shows(":nodes")
	d.keys("tab", "enter")
	d.shows("Nodes 14")
	d.keys(":").types("eve").keys("enter") // the suggestion is run
	d.shows("Events 44")
	d.keys(":").types("ns st").keys("right", "enter")
	d.shows("namespace students")
	d.command("jobs")
	d.shows("Jobs 1")
	d.keys(":").types("n").keys("ctrl+n", "ctrl+n", "ctrl+w").types("jobs all").keys("enter")
	d.shows("Jobs 14")
	d.command("nonsense")
	d.shows("nonsense is no command")
	d.command("po")
	d.shows("files have no list of pods: enter in :jobs or :nodes")
	d.keys(":", "backspace")
	if d.m.prompt.open() {
		t.Error("backspace in an empty prompt leaves it open")
	}
}

func TestCommandArguments(t *testing.T) {
	d := drive(t, Options{}, 120, 30)
	d.command("jobs llm /qwen")
	d.shows("Jobs 1 of 4", "/qwen")
	d.command("jobs all app=nothing")
	d.shows("no job matches /-l app=nothing")
	d.command("jobs all")
	d.shows("Jobs 14")
	d.command("jobs /(")
	d.shows("regular expression")
	d.command("ctx other")
	d.shows("comes from files")
}

func TestHistory(t *testing.T) {
	d := drive(t, Options{}, 120, 30).command("nodes").command("events").command("queues")
	d.keys("[").shows("Events 44")
	d.keys("[").shows("Nodes 14")
	d.keys("]").shows("Events 44")
	d.keys("-").shows("Nodes 14")
	d.keys("-").shows("Events 44")
	d = drive(t, Options{}, 120, 30).command("nodes").keys("-").shows("Jobs 14")
	d.keys("-").shows("Nodes 14").keys("[").shows("Jobs 14")
	d.keys("[").shows("no such command in the history")
	d.command("nodes").keys("ctrl+a").shows("Commands ").keys("ctrl+a", "esc").shows("Nodes 14")
}

func TestNamespaces(t *testing.T) {
	d := drive(t, Options{}, 120, 30).keys("3")
	d.shows("prod-gpu · llm", "Jobs 4")
	d.keys("0").shows("all namespaces", "Jobs 14")
	d.command("ns infra")
	d.command("jobs")
	d.shows("no training jobs in namespace infra", "jobs in other namespaces: press 0")
	d.command("ns").keys("g", "enter")
	d.shows("Jobs 14", "all namespaces")
}

func TestOtherJobsAreHiddenAndSaidSo(t *testing.T) {
	d := drive(t, Options{}, 160, 30)
	d.shows("1 other job hidden, t shows")
	d.hides("etcd-backup")
	d.keys("t").shows("etcd-backup", "Jobs 15")
}

func TestEmptyStatesSayWhich(t *testing.T) {
	d := drive(t, Options{}, 100, 20)
	d.keys("/").types("zzz")
	d.shows("no job matches /zzz", "esc clears the filter")
	d.keys("esc", "ctrl+z")
	d.shows("faulty only")
	d.keys("ctrl+z", "/").types("a(")
	d.shows("regular expression")
}

func TestWarningsAreSaidOneAfterAnother(t *testing.T) {
	d := drive(t, Options{Warnings: []string{"config: no key colour", "another warning"}}, 100, 20)
	d.shows("config: no key colour")
	d.send(noticeOver(d.m.notice.generation))
	d.shows("another warning")
	d.send(noticeOver(d.m.notice.generation))
	d.hides("another warning")
}

func TestNoticesOfAScreenGoWithIt(t *testing.T) {
	d := drive(t, Options{}, 100, 20).keys("q")
	d.shows("q again quits")
	d.keys("enter")
	d.hides("q again quits")
	if d.keys("esc", "q"); d.quit {
		t.Error("a q before another screen counts as the first of two")
	}
}

// The failure of one command does not hide the keys of the screen that the next
// one opens.
func TestAFailureGoesWithTheNextCommand(t *testing.T) {
	d := drive(t, Options{}, 120, 30).command("timeline")
	d.shows("timeline is no command")
	d.command("nodes").shows("Nodes", "? help").hides("timeline is no command")
}

func TestCopySaveAndYAML(t *testing.T) {
	folder := t.TempDir()
	d := drive(t, Options{SaveIn: folder}, 120, 30)
	d.keys("ctrl+s").shows("saved to")
	if saved, _ := os.ReadDir(folder); len(saved) != 1 {
		t.Errorf("%d files are saved", len(saved))
	}
	d.keys("space", "space", "c")
	if d.copied != "zephyr-dpo\ndbrx-ft" {
		t.Errorf("copied %q", d.copied)
	}
	d.keys("ctrl+n")
	if d.copied != "llm\nllm" {
		t.Errorf("copied %q", d.copied)
	}
	d.keys("ctrl+\\", "G", "y")
	d.shows("TFJob ctr-daily", "kind: TFJob")
	d.keys("/").types("replicas").keys("enter")
	d.shows("hit 1 of")
	d.keys("m")
	d.keys("esc", "esc")
	d.shows("Jobs 14")
}

func TestSavedFilesNeverOverwrite(t *testing.T) {
	folder := t.TempDir()
	at := fixture(t).Snapshot().Now
	seen := map[string]bool{}
	for range 3 {
		path, _, err := saveIn(folder, views.File{Name: "../jobs.txt", Text: "text"}, at)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != "text" || seen[path] || !strings.HasPrefix(path, folder) {
			t.Errorf("%s: %q, %v", path, text, err)
		}
		seen[path] = true
	}
}

// fullDisk is a file on a disk that takes a part of it.
type fullDisk struct{ *os.File }

func (f fullDisk) WriteString(text string) (int, error) {
	n, _ := f.File.WriteString(text[:len(text)/2])
	return n, syscall.ENOSPC
}

// TestNoPartOfAFileIsLeft on a full disk: it would have the name of a whole one.
func TestNoPartOfAFileIsLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rank0.log")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := writeWhole(fullDisk{f}, path, "step 1\nstep 2\n"); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("writing to a full disk: %v", err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the file is there: %v", err)
	}
}

func TestRememberedPerContext(t *testing.T) {
	memory, path := memoryIn(t)
	d := drive(t, Options{Memory: memory}, 120, 30).command("ns llm").command("nodes").keys("N", "N", "ctrl+w")
	d.command("jobs").keys("t").command("nodes")
	d.m.remember()
	if err := memory.Write(); err != nil {
		t.Fatal(err)
	}
	again, err := OpenMemory(path)
	if err != nil {
		t.Fatal(err)
	}
	d = drive(t, Options{Memory: again}, 200, 30)
	d.shows("prod-gpu · llm", "sorted by name, descending", "16/96")
	given := Options{Memory: again, NamespaceGiven: true}
	given.Namespace = "vision"
	drive(t, given, 120, 30).shows("prod-gpu · vision")
	other := Options{Memory: again}
	other.Context = "staging"
	drive(t, other, 120, 30).shows("staging · all namespaces", "Jobs 14")
}

func TestBrokenMemoryIsSaidAndForgotten(t *testing.T) {
	_, path := memoryIn(t)
	if err := os.MkdirAll(strings.TrimSuffix(path, "/state.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("{nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := OpenMemory(path)
	if err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("the error does not name the file: %v", err)
	}
	m.Keep("a", Remembered{Screen: "nodes"})
	if err := m.Write(); err != nil {
		t.Fatal(err)
	}
	if m, err = OpenMemory(path); err != nil || m.Of("a").Screen != "nodes" {
		t.Errorf("after writing anew: %v, %v", m, err)
	}
}

func TestMouse(t *testing.T) {
	d := drive(t, Options{}, 120, 30)
	at := func(x, y int) { d.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft}) }
	first := d.m.page.bodyTop + 1
	row := slices.IndexFunc(strings.Split(d.screen(), "\n"), func(line string) bool { return strings.Contains(line, "sweep-17") })
	at(20, row)
	d.shows("▌ batch       sweep-17")
	at(20, row)
	d.shows("PyTorchJob batch/sweep-17")
	d.keys("esc")
	at(20, first-1)
	d.shows("NAME↑")
	d.send(tea.MouseWheelMsg{X: 5, Y: 9, Button: tea.MouseWheelDown})
	d.send(tea.MouseWheelMsg{X: 5, Y: 9, Button: tea.MouseWheelUp})
	at(500, 500)
	at(-1, -1)
	at(3, 0)
}

func TestThemeFollowsTheTerminal(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	dark := d.coloured()
	d.send(tea.BackgroundColorMsg{Color: white{}})
	if d.m.theme.Name != "light" || d.coloured() == dark {
		t.Errorf("on white the theme is %s", d.m.theme.Name)
	}
	fixed := drive(t, Options{Session: Session{Settings: Settings{Theme: "nord"}}}, 80, 24)
	fixed.send(tea.BackgroundColorMsg{Color: white{}})
	if fixed.m.theme.Name != "nord" {
		t.Errorf("a theme that was chosen changed to %s", fixed.m.theme.Name)
	}
}

func TestThemeFollowsTheColoursOfTheTerminal(t *testing.T) {
	d := drive(t, Options{}, 80, 24)
	d.send(tea.ColorProfileMsg{Profile: colorprofile.ANSI256})
	if text := d.coloured(); strings.Contains(text, "38;2;") || !strings.Contains(text, "38;5;") {
		t.Errorf("with 256 colours the screen is drawn with others:\n%q", text)
	}
	d.send(tea.ColorProfileMsg{Profile: colorprofile.ASCII})
	if d.m.theme.Name != themes.Plain {
		t.Errorf("without colours the theme is %s", d.m.theme.Name)
	}
}

// A terminal that does not answer OSC 11 may set COLORFGBG.
func TestThemeFollowsCOLORFGBG(t *testing.T) {
	for value, want := range map[string]string{
		"": "dark", "15;0": "dark", "7;8": "dark", "0;15": "light", "0;default;7": "light", "0;default": "dark", "x": "dark",
	} {
		d := drive(t, Options{Environment: []string{"COLORFGBG=" + value}}, 80, 24)
		if d.m.theme.Name != want {
			t.Errorf("COLORFGBG=%s: the theme is %s, want %s", value, d.m.theme.Name, want)
		}
	}
	d := drive(t, Options{Environment: []string{"COLORFGBG=0;15"}}, 80, 24)
	d.send(tea.BackgroundColorMsg{Color: color.Black})
	if d.m.theme.Name != "dark" {
		t.Error("COLORFGBG wins over the answer of the terminal")
	}
}

type white struct{}

func (white) RGBA() (r, g, b, a uint32) { return 0xffff, 0xffff, 0xffff, 0xffff }

func TestWrongOptionsAreErrors(t *testing.T) {
	for _, o := range []Options{{Session: Session{Settings: Settings{Theme: "beige"}}}, {Selector: "=="}} {
		o.Store = fixture(t)
		if err := Run(t.Context(), o); err == nil || errors.Is(err, tea.ErrProgramKilled) {
			t.Errorf("%+v: %v", o.Theme+o.Selector, err)
		}
	}
}

func TestSelectorLimitsTheJobs(t *testing.T) {
	drive(t, Options{Selector: "kueue.x-k8s.io/queue-name=train"}, 120, 30).shows("Jobs 3", "-l kueue.x-k8s.io/queue-name=train")
}

func TestReadOnlyIsShown(t *testing.T) {
	drive(t, Options{Session: Session{Settings: Settings{ReadOnly: true}}}, 120, 30).shows("[R]")
}

// Every key of the table must have an effect on every screen that it is valid
// on, whatever is shown there.
func TestEveryKeyIsHandledOnItsScreen(t *testing.T) {
	folder := t.TempDir()
	objects := fixture(t)
	done := map[keymap.Scope]bool{}
	for _, path := range screenPaths {
		for _, empty := range []bool{false, true} {
			lead := func() *driver {
				d := drive(t, Options{Session: Session{Store: objects}, SaveIn: folder}, 120, 30)
				path.lead(d)
				if filterable, is := d.m.top().(views.Filterable); is && empty {
					if err := filterable.SetFilter("nothing has this text"); err != nil {
						t.Fatal(err)
					}
					d.m.dirty = true
					d.screen()
				}
				d.m.prompt.close()
				return d
			}
			there := newPlaceKeys(lead)
			scope := there.d.m.top().Scope()
			if done[scope] && (empty || scope == keymap.Jobs) {
				continue
			}
			done[scope] = done[scope] || empty
			for _, b := range keymap.In(scope) {
				if b.Group == "Time" && path.name != "jobs" {
					continue // the shell handles them alone, the same on every screen
				}
				for _, key := range b.Keys {
					if got := keyPress(key).String(); got != key {
						t.Fatalf("the test presses %s for %s", got, key)
					}
					if wrong := there.press(key); wrong != "" {
						t.Errorf("%s, empty %v, %s (%s): %s", path.name, empty, key, b.Action, wrong)
					}
				}
			}
		}
	}
}

// placeKeys presses keys one after the other on a newly opened screen. A key
// that leaves it unchanged, or that is easily undone, leaves its model for the
// next key; another one costs a new model.
type placeKeys struct {
	lead   func() *driver
	d      *driver
	opened string
	depth  int // of screens
}

func newPlaceKeys(lead func() *driver) *placeKeys {
	d := lead()
	d.send(noticeOver(d.m.notice.generation))
	return &placeKeys{lead, d, d.coloured(), len(d.m.stack)}
}

// press presses a key, and returns an error text when the screen ignores it.
func (p *placeKeys) press(key string) (wrong string) {
	p.d.keys(key)
	screen := p.d.screen()
	for _, text := range []string{"means nothing here", "this is a bug", "broke:"} {
		if strings.Contains(screen, text) {
			wrong = text
		}
	}
	if !p.back(key) {
		p.d = p.lead()
	}
	return wrong
}

// back undoes the key, where that is easy: on a screen that it opened by
// leaving that, else by the key itself, by going up, or by showing all
// namespaces again.
func (p *placeKeys) back(key string) bool {
	undo := []string{"", key, "home", "0", "esc"}
	if len(p.d.m.stack) > p.depth {
		undo = []string{"esc", key}
	}
	for _, undo := range undo {
		if undo != "" {
			p.d.keys(undo)
		}
		p.d.send(noticeOver(p.d.m.notice.generation))
		if !p.d.quit && len(p.d.m.stack) == p.depth && p.d.coloured() == p.opened {
			return true
		}
	}
	return false
}
