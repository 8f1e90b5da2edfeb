package ui

import (
	"context"
	"io"
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/audit"
	"github.com/traintop/traintop/actions/probes"
	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/lastlook"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/ui/custom"
	"github.com/traintop/traintop/views"
)

// Options configure the interface.
type Options struct {
	Session
	// Cluster reads from the cluster itself; nil for files, where the snapshot
	// has to answer.
	Cluster Cluster
	// Warnings are shown one after another as notices at the start.
	Warnings []string
	// NamespaceGiven means that a person named Session.Namespace just now;
	// otherwise the one saved for the context is used.
	NamespaceGiven bool
	// Selector limits the jobs by their labels, as kubectl's -l does.
	Selector string
	// NoColor draws without colours, whatever the theme.
	NoColor bool
	// Command is run at the start, as if typed at the ":" prompt; "" opens the
	// saved screen, or the jobs.
	Command string
	Config
	// Reloads, when set, calls changed after each change of the configuration
	// until ctx ends. The argument of changed makes the configuration of a context.
	Reloads func(ctx context.Context, changed func(of func(context string) Reload))
	// Memory keeps settings for each context; nil keeps none.
	Memory *Memory

	// ConfigPath is the configuration file, "" for none; SetConfig changes a
	// setting in it, by its path in the file.
	ConfigPath string
	SetConfig  func(path, value string) error
	// AddPattern adds a format of one's own to the configuration file.
	AddPattern func(name, match, example string) error
	// Kubeconfig is the file of --kubeconfig, "" for that of the environment.
	Kubeconfig string
	// Now is the clock that dates changes; nil uses the snapshot's.
	Now func() time.Time
	// Audit records changes; nil records none.
	Audit *audit.Log

	// IncidentRules are those of the configuration, beside the presets.
	IncidentRules []alerts.Rule
	// Ring is what to write to the terminal so that it rings and shows a text; id
	// is that of the incident. nil rings nowhere, as "" does.
	Ring func(id, text string) string

	// SaveIn is the folder of saved tables and texts, "" for traintop/saved in
	// the XDG state directory.
	SaveIn string

	// Ending, when set, is called once the screen has ended and before what it
	// holds is released.
	Ending func()

	// Input and Output replace the terminal in tests; nil is the terminal.
	Input  io.Reader
	Output io.Writer
	// Environment replaces that of the process in tests; nil is the process's.
	Environment []string
	// Width and Height are set where there is no terminal to ask.
	Width, Height int
}

// Config is what the configuration file sets for all contexts.
type Config struct {
	// LogStreams is how many logs are followed at once; 0 is
	// streams.DefaultMost.
	LogStreams int
	// Thresholds are the limits of the signals.
	Thresholds signals.Thresholds
	// Probes are those of the configuration, beside those that come with
	// traintop.
	Probes []probes.Probe
	// Themes are those of files, beside those that come with traintop.
	Themes []themes.Own
	// Custom is what a person added: aliases, filters, keys.
	Custom custom.Set
}

// Reload is the configuration as it was read again while the screen is open.
type Reload struct {
	Config
	// Settings are those of the context.
	Settings
	// Warnings name the settings that cannot be used.
	Warnings []string
	// NextStart are changed settings that take effect with the next start.
	NextStart []string
	// Logs reports what becomes of the logs that are open, "" where the formats they
	// are parsed with did not change.
	Logs string
	// Failed is true where the file cannot be read: nothing changes.
	Failed bool
}

// Session is one connection: its store, its cluster and its context.
type Session struct {
	Store *store.Store
	// LastLooks are snapshots of jobs that failed and were deleted between two
	// diagnoses; nil where nothing is deleted, as in files.
	LastLooks *lastlook.Queue
	// Actor acts in the cluster of this session, and in no other when another
	// one has begun meanwhile; nil for files, where nothing can be changed.
	Actor actions.Actor
	// Context is the kubeconfig context, or the name of the file shown.
	Context string
	// Reach are the flags with which kubectl reaches the cluster.
	Reach diagnose.Reach
	// Namespace is the current one; "" shows all.
	Namespace string
	// Past is the past that can be shown, nil where none is kept. It is that of
	// a live store, or, where Replayed is set, the store shows an instant of
	// it.
	Past     Timeline
	Replayed bool
	// Known saves excerpts where Past does not: from the store's data.
	Known Excerpts
	// IncidentCluster is a part of the IDs of incidents, "" for Context.
	IncidentCluster string
	// IncidentMarks is the file of incidents that people took or muted, and
	// IncidentState that of `traintop watch -A` of the same context on this machine;
	// "" for none.
	IncidentMarks alerts.MarksFile
	IncidentState string
	// IncidentAddress is the address of the cluster that the states have to be of, ""
	// for any.
	IncidentAddress string
	// Plays is the speed at which a replay begins to play; 0 waits for a key.
	Plays float64
	Settings
}

// Setting is one setting as :settings lists it.
type Setting = views.Setting

// Settings may differ from context to context.
type Settings struct {
	// Theme is one of themes.Names() or of Config.Themes, "" for dark or light by the terminal.
	Theme string
	ASCII bool
	// ReadOnly disables changes of the cluster; the header shows it.
	ReadOnly bool
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
	// DebugImage is offered for debug containers, "" is tasks.DebugImage.
	DebugImage string
	// Favourites are the namespaces of the first digits; those last used and
	// those with training jobs get the others.
	Favourites []string
	// Rows are all settings as :settings lists them.
	Rows []views.Setting
	// Start is a line of the ":" prompt that is run when the session begins; ""
	// begins with the list shown last.
	Start string
}

// Cluster has the methods that only a live cluster can serve. They are called
// off the event loop and may block; ctx ends with the program.
type Cluster interface {
	// Contexts are those of the kubeconfig.
	Contexts(ctx context.Context) ([]Context, error)
	// Namespaces are those that the user may list.
	Namespaces(ctx context.Context) ([]string, error)
	// Manifest is an object's YAML as the API server has it now, secrets
	// masked, without metadata.managedFields.
	Manifest(ctx context.Context, ref train.Ref) (string, error)
	// UseNamespace sets the namespace that is shown ("" for all), for sources
	// that may not read all of them.
	UseNamespace(namespace string)
	// Stream sets the logs to follow from now on. It returns at once; logs no
	// longer in the plan may be followed a little longer.
	Stream(plan *streams.Plan)
	// SwitchContext closes the connection and opens another; its result
	// replaces the session.
	SwitchContext(ctx context.Context, name string) (Session, error)
}

// FullManifester is a Cluster that can also return an object's YAML with
// metadata.managedFields.
type FullManifester interface {
	FullManifest(ctx context.Context, ref train.Ref) (string, error)
}

// LogReader is a Cluster that reads logs without a plan (files), and can read
// one from its beginning once more.
type LogReader interface {
	ReadAgain(id train.StreamID)
}

// Context is one entry of the kubeconfig.
type Context struct {
	Name, Cluster, User, Namespace string
	Current                        bool
}
