package ui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/traintop/traintop/actions/probes"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/ui/tasks"
	"github.com/traintop/traintop/ui/terminal"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// model is the root. It lays out and routes; each screen is a view.
type model struct {
	// ctx ends with the program; commands that take long end with it.
	ctx context.Context
	o   Options
	// after sends a message after some time; tests send it themselves.
	after func(time.Duration, tea.Msg) tea.Cmd
	// exec gives the terminal to a command; tests run it themselves.
	exec func(tea.ExecCommand, tea.ExecCallback) tea.Cmd
	// follow makes the watcher wait for another store.
	follow func(*store.Store)

	session   Session
	selector  labels.Selector
	snapshot  *store.Snapshot
	namespace string
	// Answers of the cluster, for completion, lists and favourites.
	contexts   []Context
	namespaces knownNamespaces

	theme *themes.Theme
	light bool // the terminal's background
	// colours are how many the terminal has.
	colours themes.Colours

	width, height int
	header        bool
	crumbs        bool
	page          page // positions in the last drawing

	// lists are the screens reached by a command, kept with their settings.
	lists map[string]views.View
	stack []views.View // the last one is on the screen

	reading  logReading // which logs are followed
	working  working    // the work that runs off the event loop
	analysis analysis   // the diagnosis
	asking   asking     // commands that run in containers
	findings findingSum // the header's summary of it
	free     freeSum    // the header's count of GPUs
	opening  opening    // whether the session began on a log
	lastJob  train.JobID
	// probes are those that can be run, those of the configuration last.
	probes []probes.Probe

	warnings []string // warnings of Options not shown yet
	prompt   prompt
	dialog   *tasks.Dialog // lies over the screen, nil for none
	filed    filing        // answers of probes
	host     *tasks.Host   // the model as tasks see it
	// The parts that route and draw.
	acting    acting
	own       own
	nav       navigation
	typing    typing
	head      header
	footer    footer
	painter   painter
	logPlan   logPlanner
	runner    runner
	excerpts  excerpts
	resources resourceCommands  // what the cluster serves
	tables    tables            // and its tables
	reads     objectReads       // and the object on the screen
	tasks     *tasks.Tasks      // actions in the cluster
	under     *tasks.Background // the tasks that the end of the program waits for
	notice    notice
	// clusterChanged is when another cluster was last reported to answer.
	clusterChanged time.Time
	history        history
	// entered are the lines of prompts other than the command prompt, by sign.
	entered  map[string]*history
	clicks   clicks
	dragged  int // the column where the mouse last held something
	clock    ticker
	activity activity
	travel   travel // the instant that is shown
	kept     kept   // pinned jobs, and layouts of jobs
	// incidents are those of the session.
	incidents sessionIncidents
	reloads   uint64 // how often the configuration was read again
	excerpt   excerpt

	// fault is what ended the program, nil without a bug.
	fault *fault

	dirty   bool
	content string
	cursor  *tea.Cursor
	// progress is shown by the terminal on its tab, nil for none.
	progress *tea.ProgressBar
}

func newModel(ctx context.Context, o Options) (*model, error) {
	m := &model{ctx: ctx, o: o, after: afterIn(ctx), exec: terminal.Lend, under: &tasks.Background{}, follow: func(*store.Store) {}, header: true, crumbs: true, dirty: true, width: o.Width, height: o.Height}
	m.wire()
	m.light = terminal.LightBackground(m.environment("COLORFGBG"))
	m.host = m.acting.host()
	m.tasks = tasks.New(m.host)
	if o.Selector != "" {
		selector, err := labels.Parse(o.Selector)
		if err != nil {
			return nil, err
		}
		m.selector = selector
	}
	if _, err := themes.Named(o.Theme, themes.Options{Own: o.Themes}); err != nil {
		return nil, err
	}
	m.warnings = o.Warnings
	m.configure()
	if o.Command != "" {
		o.Start = o.Command
	}
	m.begin(o.Session, o.Store.Snapshot(), !o.NamespaceGiven)
	return m, nil
}

// wire gives the parts their model.
func (m *model) wire() {
	m.acting, m.nav, m.typing = acting{m}, navigation{m}, typing{m}
	m.head, m.footer, m.painter = header{m}, footer{m}, painter{m}
	m.logPlan, m.runner, m.excerpts = logPlanner{m}, runner{m}, excerpts{m}
	m.own.m, m.travel.m, m.incidents.m, m.namespaces.m = m, m, m, m
	m.resources.m, m.tables.m, m.reads.m = m, m, m
}

// afterIn waits no longer than the program runs.
func afterIn(ctx context.Context) func(time.Duration, tea.Msg) tea.Cmd {
	return func(d time.Duration, msg tea.Msg) tea.Cmd {
		return func() tea.Msg {
			timer := time.NewTimer(d)
			defer timer.Stop()
			select {
			case <-timer.C:
				return msg
			case <-ctx.Done():
				return nil
			}
		}
	}
}

// applyTheme applies the theme of the session; an unknown name keeps the old one.
func (m *model) applyTheme() {
	theme, err := themes.Named(m.session.Theme, m.looks())
	if err != nil && m.theme != nil {
		return
	}
	if err != nil {
		theme, _ = themes.Named(themes.Auto, m.looks())
	}
	m.theme = theme.Limited(m.colours)
}

func (m *model) looks() themes.Options {
	return themes.Options{ASCII: m.session.ASCII, NoColor: m.o.NoColor, Light: m.light, Own: m.o.Themes}
}

// begin starts a session: with the saved state of its context, and the list
// shown last.
func (m *model) begin(s Session, now *store.Snapshot, remembered bool) {
	m.session, m.snapshot, m.namespace = s, now, s.Namespace
	m.lists, m.stack, m.namespaces.favourites = map[string]views.View{}, nil, nil
	m.reading, m.opening, m.lastJob = logReading{}, opening{}, ""
	m.dialog, m.filed = nil, filing{}
	m.analysis = analysis{runs: m.analysis.runs + 1}
	m.tasks.Begin(s.DebugImage)
	m.travel.begin()
	m.incidents.begin()
	m.resources.begin()
	m.tables.begin()
	m.reads.of = nil
	m.applyTheme()
	r := m.o.Memory.Of(s.Context)
	m.kept.restore(r)
	if remembered && r.Namespace != nil && validNamespace(*r.Namespace) {
		m.namespace = *r.Namespace
	}
	for _, namespace := range slices.Concat(s.Favourites, r.Favourites) {
		if validNamespace(namespace) {
			m.namespaces.favour(namespace)
		}
	}
	m.namespaces.assignDigits()
	var first views.Route = views.JobsRoute{}
	if last := beginRoute(r.Screen); remembered && last != nil {
		first = last
	}
	m.nav.show(first)
	if s.Start != "" {
		m.startWith(s.Start, remembered)
	}
}

// startWith runs the line that a session begins with. A namespace that a person
// named just now wins over that of the line.
func (m *model) startWith(line string, anyNamespace bool) {
	namespace := m.namespace
	m.run(line)
	if !anyNamespace {
		m.namespace = namespace
	}
}

// Init asks the terminal for its background and takes the first snapshot.
func (m *model) Init() tea.Cmd {
	m.follow(m.session.Store)
	return tea.Batch(tea.RequestBackgroundColor, m.look(), m.warn(), m.namespaces.ask(), m.askContexts(), m.travel.startPlayback())
}

// Update routes one message. It does no work that takes long.
func (m *model) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer func() {
		if what := recover(); what != nil {
			m.dirty = false // the last screen that could be drawn stays until the end
			next, cmd = m, faultIn(what).arrive(m)
		}
	}()
	m.dirty = true
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.light = !msg.IsDark()
		m.applyTheme()
	case tea.ColorProfileMsg:
		m.colours = terminal.ColoursOf(msg)
		m.applyTheme()
	case tea.KeyPressMsg:
		m.opening.decided = true
		cmd = m.guarded(func() tea.Cmd { return m.key(msg) })
	case tea.PasteMsg:
		cmd = m.guarded(func() tea.Cmd { return m.typing.paste(msg.Content) })
	case tea.MouseClickMsg:
		cmd = m.guarded(func() tea.Cmd { return m.click(msg.Mouse()) })
	case tea.MouseMotionMsg:
		cmd = m.guarded(func() tea.Cmd { return m.drag(msg.Mouse()) })
	case tea.MouseWheelMsg:
		cmd = m.guarded(func() tea.Cmd { return m.wheel(msg.Mouse()) })
	case terminal.JobControl:
		cmd = m.guarded(func() tea.Cmd { return m.exec(msg.Command, nil) })
	case tasks.Message:
		cmd = m.guarded(msg.Arrive)
	case answer:
		cmd = m.guarded(func() tea.Cmd { return msg.arrive(m) })
	default:
		m.dirty = false
	}
	if m.dirty {
		m.redraw() // before the tick, which depends on the ages that are drawn
		cmd = tea.Batch(cmd, m.guarded(m.work), m.guarded(m.runner.ask), m.guarded(m.reads.ask))
	}
	return m, tea.Batch(cmd, m.tick(), m.animate())
}

// answer is a message of our own: it decides itself whether to redraw.
type answer interface {
	arrive(m *model) tea.Cmd
}

// redraw draws the screen when something happened since the last time.
func (m *model) redraw() {
	if m.dirty {
		m.logPlan.replan()
		m.content, m.cursor = m.painter.draw()
		m.progress = m.progressBar()
		m.dirty = false
		m.logPlan.askWants()
		m.tables.follow()
	}
}

// View is the last drawing of the screen.
func (m *model) View() tea.View {
	m.redraw()
	v := tea.NewView(m.content)
	v.AltScreen = true
	if !m.session.NoMouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	v.WindowTitle = "traintop " + draw.Clean(m.session.Context)
	v.Cursor = m.cursor
	v.BackgroundColor, v.ForegroundColor = terminal.ThemeColours(m.theme)
	v.ProgressBar = m.progress
	return v
}

// top is the screen that is shown.
func (m *model) top() views.View { return m.stack[len(m.stack)-1] }

func (m *model) frame() views.Frame {
	return views.Frame{
		Snapshot: m.snapshot, Width: m.width, Height: m.page.bodyHeight, Theme: m.theme,
		Namespace: m.namespace, Context: m.session.Context, Selector: m.selector,
		Ages: &draw.Ages{Now: m.snapshot.Now}, Streams: m.reading.plan, FollowsLogs: m.o.Cluster != nil && !m.travel.past(),
		Diagnosis: m.analysis.report, Rights: m.acting.rights(), Pins: m.kept.pins, Settings: m.session.Rows, SettingsVersion: m.reloads,
		Probes: m.probes, Forwards: m.tasks.Forwards.States(), Tables: m.tables.shown(),
		Incidents: m.incidents.frame,
	}
}
