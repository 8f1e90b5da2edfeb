package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/traintop/traintop/actions/audit"
	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/cli/process"
	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/store/lastlook"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/ui"
)

// openScreen opens the screen and follows the source until the person leaves.
func (a *app) openScreen(ctx context.Context, opened *opening) error {
	session, err := opened.follow()
	if err != nil {
		return err
	}
	if session.cluster != nil {
		session.cluster.SignIn(ctx, func(command string) {
			fmt.Fprintf(a.err, "traintop: asking the credential plugin before the screen opens: %s\n", termtext.Line(command))
		})
	}
	return a.show(ctx, opened, session)
}

// screen are the options of the interface for a session.
func (o *opening) screen(c config.Config, s *session) (ui.Options, config.Problems) {
	shell, problems := shellConfig(c)
	options := ui.Options{Session: o.session(c, s), Selector: o.selector, NoColor: noColor(), Config: shell, IncidentRules: c.AlertRules()}
	// Typed flags win over saved settings.
	options.NamespaceGiven = s.namespace != "" || o.all
	if start := c.In(s.context).Namespace; start != nil && !options.NamespaceGiven {
		options.Namespace, options.NamespaceGiven = *start, true
	}
	return options, problems
}

// session converts a session for the interface, with the settings of its
// context; flags win over those.
func (o *opening) session(c config.Config, s *session) ui.Session {
	session := ui.Session{
		Store: s.store, LastLooks: s.lastLooks, Actor: s.actor(), Context: s.context, Reach: s.reach, Namespace: s.namespace,
		Settings: o.settings(c, s.context), IncidentCluster: cmp.Or(c.ClusterName(), s.context, s.place),
	}
	if s.cluster != nil {
		session.IncidentState, session.IncidentMarks = alertState(cmp.Or(s.context, s.place)), alertMarks(s)
		session.IncidentAddress = s.place
	}
	switch {
	case s.replay != nil:
		session.Past, session.Replayed, session.Plays = s.replay, true, s.plays
	case s.rewind != nil:
		session.Past = s.rewind
	default:
		session.Known = &knownNow{store: s.store, place: s.place}
	}
	return session
}

// settings are those of a context; flags win over them.
func (o *opening) settings(c config.Config, context string) ui.Settings {
	settings := c.In(context)
	return ui.Settings{
		Theme:      cmp.Or(o.theme, settings.Theme),
		ASCII:      o.drawsASCII(settings),
		ReadOnly:   o.readOnly || set(settings.ReadOnly),
		NoMouse:    settings.Mouse != nil && !*settings.Mouse,
		DebugImage: settings.DebugImage,
		Favourites: settings.Favourites,
		Start:      settings.Start,
		Rows:       o.settingRows(c, context),
	}
}

// drawsASCII reports whether screens and charts have to do with ASCII: a person chose
// it, or chose nothing and the terminal has no other signs.
func (o *opening) drawsASCII(s config.Settings) bool {
	if !o.ascii && s.ASCII == nil {
		return process.IsLinuxConsole()
	}
	return o.ascii || *s.ASCII
}

// settingRows are the settings of a context; those of typed flags are marked.
func (o *opening) settingRows(c config.Config, context string) []ui.Setting {
	rows := config.Rows(c, context)
	for i := range rows {
		if flag, value := o.typed(rows[i].Key); flag != "" {
			rows[i].Value, rows[i].From = termtext.Line(value), flag
		}
	}
	return rows
}

// typed is the flag that was typed in place of a setting, "" for none.
func (o *opening) typed(setting string) (flag, value string) {
	namespace := ""
	if o.cluster.Namespace != nil {
		namespace = *o.cluster.Namespace
	}
	switch {
	case setting == "theme" && o.theme != "":
		return "--theme", o.theme
	case setting == "ascii" && o.ascii:
		return "--ascii", "true"
	case setting == "readonly" && o.readOnly:
		return "--readonly", "true"
	case setting == "namespace" && o.all:
		return "--all-namespaces", `""`
	case setting == "namespace" && namespace != "":
		return "--namespace", namespace
	case setting == "prometheus" && o.prometheus == "off":
		return "--" + prometheusFlag, "off"
	case setting == "prometheus" && o.prometheus != "":
		return "--" + prometheusFlag, "set"
	}
	return "", ""
}

func set(flag *bool) bool { return flag != nil && *flag }

// show runs the source beside the interface. A source that can never deliver
// anything (no such file) ends the interface, and its error is returned.
func (a *app) show(ctx context.Context, opened *opening, session *session) error {
	if session.replay != nil {
		process.KeepMemorySmall(process.InstantGrowth) // a person waits for playing and jumps
	} else {
		process.FollowHeap(process.ScreenGrowth)
	}
	loaded, err := opened.configured()
	if err != nil {
		return err
	}
	set, warnings := loaded.config, slices.Clone(loaded.warnings)
	if loaded.wrong != nil {
		warnings = append(warnings, loaded.wrong.Error())
	}
	memory, err := ui.OpenMemory(ui.MemoryPath())
	if err != nil {
		warnings = append(warnings, err.Error())
	}
	// The screen shows warnings for a moment; here they stay on the terminal.
	defer func() {
		for _, w := range warnings {
			fmt.Fprintln(a.err, "traintop:", w)
		}
	}()
	if err := session.rememberPast(&set, a.clock); err != nil {
		warnings = append(warnings, err.Error())
	}
	options, wrong := opened.screen(set, session)
	warnings = append(warnings, wrong.Lines()...)
	options.Memory, options.Warnings = memory, forScreen(warnings)
	options.ConfigPath = config.Path()
	options.SetConfig = func(path, value string) error { return config.Set(config.Path(), path, value) }
	options.AddPattern = func(name, match, example string) error {
		return config.AddPattern(config.Path(), formats.Pattern{Name: name, Match: match, Example: example})
	}
	options.Kubeconfig = *opened.cluster.KubeConfig
	options.Now, options.Audit, options.Ring = a.clock, audit.New(auditPath(), a.clock), ringTerminal

	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	var cluster interface {
		ui.Cluster
		start(context.Context, func(error))
		stop()
		adopting
	}
	if session.replay != nil {
		session.source = session.replay
	}
	if session.cluster != nil {
		cluster = &liveCluster{opened: opened, config: set, session: session}
	} else {
		cluster = &fileCluster{session: session}
	}
	options.Cluster, options.Reloads = cluster, opened.reloads(set, cluster)
	cluster.start(ctx, leave)
	defer cluster.stop()

	options.Ending = func() {
		if err := process.WriteHeapProfile(); err != nil {
			warnings = append(warnings, err.Error())
		}
	}
	if err := ui.Run(ctx, options); err != nil {
		return err
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// rememberPast starts to record a cluster.
func (s *session) rememberPast(c *config.Config, clock func() time.Time) (err error) {
	if size := c.Rewinding(); s.cluster != nil && size > 0 {
		s.rewind, err = keepRewind(s, size, clock)
	}
	return err
}

// following is a source that runs until it is stopped.
type following struct {
	cancel context.CancelFunc
	done   sync.WaitGroup
}

func follow(ctx context.Context, s *session, failed func(error)) *following {
	ctx, cancel := context.WithCancel(ctx)
	f := &following{cancel: cancel}
	var sink sources.Sink = s.store
	if s.lastLooks != nil {
		sink = &lastlook.Sink{Store: s.store, Unseen: s.lastLooks.Unseen, Look: s.lastLooks.Add}
	}
	if s.rewind != nil {
		sink = allSinks{s.rewind, sink}
	}
	f.done.Go(func() {
		if s.rewind != nil {
			defer s.rewind.close()
		}
		if err := s.source.Run(ctx, sink); err != nil && ctx.Err() == nil {
			failed(err)
		}
	})
	return f
}

func (f *following) stop() {
	f.cancel()
	f.done.Wait()
}

// contextOfFiles is shown in the header in place of a cluster's context.
func contextOfFiles(paths []string) string { return strings.Join(paths, " ") }
