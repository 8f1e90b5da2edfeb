package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/sources/kube"
	"github.com/traintop/traintop/sources/prometheus"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/lastlook"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train/jobname"
	"github.com/traintop/traintop/train/kinds"
)

// opening holds the flags that every command shares: which cluster or files are
// read, and how much of them.
type opening struct {
	app     *app
	cluster *genericclioptions.ConfigFlags
	// timeoutFlag is --request-timeout, of which 0 means something when it is
	// typed.
	timeoutFlag *pflag.Flag
	// connection are the flags that choose a cluster or a server to ask.
	connection []*pflag.Flag
	from       []string
	all        bool
	// severalNamespaces is true where several namespaces are read only because
	// names of jobs contain them.
	severalNamespaces bool
	// named are the namespaces in names of jobs.
	named    []string
	selector string
	// prometheus is where GPUs are read from: a URL, "off", or "" for the
	// configuration's setting.
	prometheus string

	// at is the instant of a recording, "" for its end; backlog is as in
	// recording.Source.
	at      string
	backlog int64
	// linesOnly is true where lines are not parsed.
	linesOnly bool
	// embedded is true where the recording is part of the program: the demo.
	embedded bool

	readOnly bool
	theme    string
	ascii    bool

	// onScreen is true where a screen shows errors of the configuration.
	onScreen bool
	// loaded is the configuration file, once it was read.
	loaded *loaded
}

// loaded is the content of the configuration file.
type loaded struct {
	config   config.Config
	warnings []string
	// formats parse logs; they change while a screen is open.
	formats atomic.Pointer[formats.Options]
	// wrong names the patterns that cannot be used.
	wrong error
}

// configured reads the configuration file, once for a command line.
func (o *opening) configured() (*loaded, error) {
	if o.loaded != nil {
		return o.loaded, nil
	}
	c, problems, err := config.Read(config.Path())
	if err != nil {
		return nil, err
	}
	warnings := problems.Lines()
	l := &loaded{config: c, warnings: warnings}
	l.wrong = l.parse(c)
	kinds.UseLayouts(c.Layouts())
	o.loaded = l
	if set(c.ASCII) && !o.onScreen {
		useASCII(o.app)
	}
	if !o.onScreen {
		for _, warning := range warnings {
			fmt.Fprintln(o.app.err, "traintop:", termtext.Line(warning))
		}
	}
	return l, nil
}

// parse takes the formats of a configuration. The error names those that cannot be
// used.
func (l *loaded) parse(c config.Config) error {
	parsing, err := c.Formats()
	l.formats.Store(&parsing)
	return err
}

// asksBesideFiles is the error of flags that choose whom to ask beside files, which are
// all that --from reads.
func (o *opening) asksBesideFiles() error {
	var asks []string
	for _, f := range o.connection {
		text := f.Value.String()
		if f.Changed && text != f.DefValue && !(f.Name == prometheusFlag && text == prometheus.Off) {
			asks = append(asks, "--"+f.Name)
		}
	}
	if len(o.from) == 0 || len(asks) == 0 {
		return nil
	}
	slices.Sort(asks)
	return &usageError{"traintop", fmt.Errorf("--from reads files alone, and cannot follow %s, which %s about a server; leave one of the two out", strings.Join(asks, ", "), termtext.Agree(len(asks), "is", "are"))}
}

// everywhere makes a command cover all namespaces unless one was named.
func (o *opening) everywhere() {
	if *o.cluster.Namespace == "" {
		o.all = true
	}
}

// check finds mistakes without opening a source.
func (o *opening) check() (labels.Selector, error) {
	if o.all && *o.cluster.Namespace != "" {
		return nil, &usageError{"traintop", errors.New("-n names one namespace and -A all of them; give one of the two")}
	}
	if o.theme != "" && !slices.Contains(themes.Names(), o.theme) && !slices.Contains(config.ThemeNames(), o.theme) {
		return nil, &usageError{"traintop", fmt.Errorf("--theme %q is no theme; themes are %s", o.theme, strings.Join(config.ThemeNames(), ", "))}
	}
	if err := o.asksBesideFiles(); err != nil {
		return nil, err
	}
	if o.at != "" && len(o.from) == 0 && !o.embedded {
		return nil, &usageError{"traintop", errAtWithoutRecording}
	}
	selector, err := labels.Parse(o.selector)
	if err != nil {
		return nil, &usageError{"traintop", fmt.Errorf("-l %q is no label selector: %w", o.selector, err)}
	}
	return selector, nil
}

// once opens the source for a command that answers and ends: it reads only the
// requested namespace.
func (o *opening) once() (*session, error) {
	s, err := o.begin()
	if err != nil {
		return nil, err
	}
	if len(o.from) > 0 {
		return s, o.openFiles(s, false)
	}
	s.once = true
	if err := o.openCluster(s, !o.all, config.Measuring{}); err != nil {
		return nil, err
	}
	return s, nil
}

// onceMeasured is once with one scrape of each exporter of GPU metrics. They
// run in namespaces of their own, so it reads all it may, also where the answer
// is about one.
func (o *opening) onceMeasured() (*session, error) {
	return o.onceOfAll(func(measured *config.Measuring) { measured.Usage = 0 })
}

// onceOfAll is once with all that may be read, and the configured intervals of
// measuring after a change.
func (o *opening) onceOfAll(change func(*config.Measuring)) (*session, error) {
	if len(o.from) > 0 {
		return o.once()
	}
	s, err := o.begin()
	if err != nil {
		return nil, err
	}
	s.once = true
	measured := o.loaded.config.Measuring()
	change(&measured)
	return s, o.openCluster(s, false, measured)
}

// onceInFull is once for an answer that needs more than one namespace: who
// holds the GPUs that a job waits for, what its own GPUs did. It reads all it
// may, with one scrape of exporters and the last hour of Prometheus, as far as
// they answer soon.
func (o *opening) onceInFull() (*session, error) {
	s, err := o.onceOfAll(func(*config.Measuring) {})
	if err != nil || s.cluster == nil {
		return s, err
	}
	if !o.all {
		s.namespace = s.cluster.Namespace()
	}
	s.patience = measurementPatience
	return s, o.openPrometheus(s, store.GPUHistory, true)
}

// measurementPatience is how long an answer that does not depend on
// measurements alone waits for them: an exporter that hangs must not delay it.
const measurementPatience = 4 * time.Second

// begin makes a session without a source.
func (o *opening) begin() (*session, error) {
	selector, err := o.check()
	if err != nil {
		return nil, err
	}
	l, err := o.configured()
	if err != nil {
		return nil, err
	}
	s := &session{store: store.New(o.app.clock), namespace: *o.cluster.Namespace, selector: selector, limits: l.config.Thresholds(), messages: o.app.err}
	s.store.SetLimits(l.config.Limits())
	if !o.onScreen {
		s.say = func(text string) { fmt.Fprintln(o.app.err, "traintop:", termtext.Line(text)) }
	}
	return s, nil
}

// follow opens the source for the screen, which reads every namespace it may.
func (o *opening) follow() (*session, error) {
	s, err := o.begin()
	if err != nil {
		return nil, err
	}
	if len(o.from) > 0 {
		return s, o.openFiles(s, true)
	}
	if err := o.openCluster(s, false, o.loaded.config.Measuring()); err != nil {
		return nil, err
	}
	if err := o.openPrometheus(s, store.GPUHistory, true); err != nil {
		return nil, err
	}
	s.lastLooks = &lastlook.Queue{}
	return s, nil
}

func (o *opening) openCluster(s *session, pinned bool, measured config.Measuring) error {
	timeout, err := o.requestTimeout()
	if err != nil {
		return err
	}
	if s.once {
		s.limit = limitOfAnswer(timeout, o.endless(timeout))
	}
	options := kube.Options{
		Until: s.limit.end(),
		Flags: o.cluster, Named: o.named, Endless: o.endless(timeout), Once: s.once,
		Now: o.app.clock, SetOffset: o.app.setOffset, Formats: *o.loaded.formats.Load(), LinesOnly: o.linesOnly, Exporters: measured.Exporters, Usage: measured.Usage,
	}
	cluster, err := kube.New(options)
	if err != nil {
		return err
	}
	if pinned {
		s.namespace = cluster.Namespace()
		options.Namespace = s.namespace
		if cluster, err = kube.New(options); err != nil {
			return err
		}
	}
	if o.severalNamespaces {
		s.home = cluster.Namespace()
	}
	s.cluster, s.source = cluster, cluster
	s.reach = o.reach()
	s.store.Apply(cluster.Connecting())
	s.place, s.context = recording.AddressName(cluster.Address()), cluster.Context()
	return nil
}

// inContext opens another context of the same kubeconfig for the screen. Flags
// about the first cluster alone (-n, --server, --token) do not carry over.
func (o *opening) inContext(name string) (*session, error) {
	other := *o
	flags := genericclioptions.NewConfigFlags(true)
	flags.KubeConfig, flags.CacheDir, flags.Timeout = o.cluster.KubeConfig, o.cluster.CacheDir, o.cluster.Timeout
	flags.Impersonate, flags.ImpersonateGroup, flags.ImpersonateUID = o.cluster.Impersonate, o.cluster.ImpersonateGroup, o.cluster.ImpersonateUID
	flags.Context = &name
	other.cluster = flags
	if other.prometheus != prometheus.Off {
		other.prometheus = ""
	}
	return other.follow()
}

// reach are the flags of kubectl that were typed, or that a switch of contexts set,
// and choose a cluster and whom to be there. Credentials are never among them.
func (o *opening) reach() (flags diagnose.Reach) {
	c := o.cluster
	for _, f := range []struct {
		name  string
		value *string
	}{{"kubeconfig", c.KubeConfig}, {"context", c.Context}, {"cluster", c.ClusterName}, {"user", c.AuthInfoName}, {"server", c.APIServer}, {"as", c.Impersonate}} {
		if f.value != nil && *f.value != "" {
			flags = append(flags, "--"+f.name, redact.Text(*f.value))
		}
	}
	if c.ImpersonateGroup != nil {
		for _, group := range *c.ImpersonateGroup {
			flags = append(flags, "--as-group", group)
		}
	}
	return flags
}

// reachAt are the flags with which traintop reaches what a session shows at a time.
func (o *opening) reachAt(s *session) func(at time.Time) string {
	flags := s.reach
	for _, path := range o.from {
		flags = append(flags, "--from", path)
	}
	return func(at time.Time) string {
		if s.replay != nil {
			return append(slices.Clone(flags), "--at", at.UTC().Format(time.RFC3339)).String()
		}
		return flags.String()
	}
}

// noColor follows no-color.org: set and not empty means no colours.
func noColor() bool { return os.Getenv("NO_COLOR") != "" }

// readNamespacesOf makes a command read the namespaces in names of jobs. One
// alone is read as with -n; with several, or beside names without one, all are.
func (o *opening) readNamespacesOf(names []string) error {
	if err := jobname.Check(names, len(o.from) > 0); err != nil {
		return &usageError{"traintop", err}
	}
	if _, err := o.configured(); err != nil {
		return err // kinds of the configuration are in names of jobs too
	}
	var namespaces []string
	for _, name := range names {
		if n := jobname.Parse(name); !slices.Contains(namespaces, n.Namespace) {
			namespaces = append(namespaces, n.Namespace)
		}
	}
	o.named = slices.DeleteFunc(slices.Clone(namespaces), func(name string) bool { return name == "" })
	if len(o.from) > 0 || o.all {
		return nil
	}
	given := *o.cluster.Namespace
	for _, namespace := range namespaces {
		if given != "" && namespace != "" && namespace != given {
			return &usageError{"traintop", fmt.Errorf("-n names the namespace %q and a job the namespace %q; leave -n out", given, namespace)}
		}
	}
	switch {
	case given != "" || len(namespaces) == 0:
	case len(namespaces) == 1:
		*o.cluster.Namespace = namespaces[0]
	default:
		o.all, o.severalNamespaces = true, true
	}
	return nil
}
