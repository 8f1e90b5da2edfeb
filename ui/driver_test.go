package ui

import (
	"context"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/ui/tasks"
)

// driver runs the model without a terminal and without goroutines: messages
// go in, commands are drained.
type driver struct {
	t *testing.T
	m *model
	// quit is set when the program wants to end; copied is the clipboard.
	quit   bool
	copied string
	// raw is what was written to the terminal as it is.
	raw []string
}

// fixture is a store with the cluster of testdata.
func fixture(t testing.TB) *store.Store {
	t.Helper()
	return fromFiles(t, "testdata/cluster.yaml")
}

func fromFiles(t testing.TB, paths ...string) *store.Store {
	t.Helper()
	read, _ := readFiles.LoadOrStore(strings.Join(paths, " "), sync.OnceValues(func() (*eventList, error) {
		var events eventList
		return &events, dump.New(paths, dump.Options{}).Run(context.Background(), &events)
	}))
	events, err := read.(func() (*eventList, error))()
	if err != nil {
		t.Fatal(err)
	}
	s := store.New(func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) })
	for _, batch := range events.batches {
		s.Apply(batch...)
	}
	return s
}

// readFiles has the events of each file or folder, which is read once.
var readFiles sync.Map

// eventList is a sink that keeps its events, batch by batch.
type eventList struct {
	mu      sync.Mutex
	batches [][]store.Event
}

func (l *eventList) Apply(events ...store.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.batches = append(l.batches, slices.Clone(events))
}

func drive(t *testing.T, o Options, width, height int) *driver {
	t.Helper()
	if o.Store == nil {
		o.Store = fixture(t)
	}
	if o.Context == "" {
		o.Context = "prod-gpu"
	}
	o.Width, o.Height = width, height
	m, err := newModel(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	m.after = func(time.Duration, tea.Msg) tea.Cmd { return nil }
	d := &driver{t: t, m: m}
	d.drain(m.Init())
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
	return d
}

func (d *driver) send(msg tea.Msg) {
	d.t.Helper()
	_, cmd := d.m.Update(msg)
	d.drain(cmd)
}

// drain runs commands until none is left. A message that only time brings is left
// out: the tests send it themselves.
func (d *driver) drain(cmd tea.Cmd) {
	d.t.Helper()
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.drain(cmd)
		}
	case tea.QuitMsg:
		d.quit = true
	case answer, tasks.Message:
		d.send(msg)
	case tea.RawMsg:
		d.raw = append(d.raw, msg.Msg.(string))
	case nil:
	default:
		if v := reflect.ValueOf(msg); v.Kind() == reflect.String && strings.Contains(v.Type().String(), "setClipboard") {
			d.copied = v.String()
		}
	}
}

// special are the keys that are not the letter they are named by.
var special = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab},
	"shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "backspace": {Code: tea.KeyBackspace},
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
	"home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown},
	"space": {Code: tea.KeySpace, Text: " "}, "ctrl+space": {Code: tea.KeySpace, Mod: tea.ModCtrl},
	"ctrl+left": {Code: tea.KeyLeft, Mod: tea.ModCtrl}, "ctrl+right": {Code: tea.KeyRight, Mod: tea.ModCtrl},
	"alt+left": {Code: tea.KeyLeft, Mod: tea.ModAlt}, "alt+right": {Code: tea.KeyRight, Mod: tea.ModAlt},
	"shift+left": {Code: tea.KeyLeft, Mod: tea.ModShift}, "shift+right": {Code: tea.KeyRight, Mod: tea.ModShift},
}

func keyPress(name string) tea.KeyPressMsg {
	if key, is := special[name]; is {
		return key
	}
	if letter, is := strings.CutPrefix(name, "ctrl+"); is {
		return tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

func (d *driver) keys(names ...string) *driver {
	d.t.Helper()
	for _, name := range names {
		d.send(keyPress(name))
	}
	return d
}

// types presses the keys of a text one by one.
func (d *driver) types(text string) *driver {
	d.t.Helper()
	for _, r := range text {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return d
}

func (d *driver) command(text string) *driver {
	d.t.Helper()
	return d.keys(":").types(text).keys("enter")
}

func (d *driver) coloured() string { return d.m.View().Content }

func (d *driver) screen() string {
	lines := strings.Split(ansi.Strip(d.coloured()), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func (d *driver) shows(texts ...string) *driver {
	d.t.Helper()
	for _, text := range texts {
		if screen := d.screen(); !strings.Contains(screen, text) {
			d.t.Errorf("%q is not on the screen:\n%s", text, screen)
		}
	}
	return d
}

func (d *driver) hides(texts ...string) *driver {
	d.t.Helper()
	for _, text := range texts {
		if screen := d.screen(); strings.Contains(screen, text) {
			d.t.Errorf("%q is on the screen:\n%s", text, screen)
		}
	}
	return d
}

func memoryIn(t *testing.T) (*Memory, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "below", "state.json")
	m, err := OpenMemory(path)
	if err != nil {
		t.Fatal(err)
	}
	return m, path
}
