package ui

import (
	"context"
	"io"
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/audit"
	"github.com/traintop/traintop/actions/probes"
	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
)

// Options say what the interface shows and how.
type Options struct {
	Session
	// Cluster does what needs the cluster itself; nil for files, where the
	// snapshot has to answer.
	Cluster Cluster
	// Warnings are shown one after another as notices at the start.
	Warnings []string
	// NamespaceGiven says that a person named Session.Namespace just now;
	// otherwise the one remembered for the context wins.
	NamespaceGiven bool
	// Selector limits the jobs by their labels, as kubectl's -l does.
	Selector string
	// NoColor draws without colours, whatever the theme.
	NoColor bool
	// Command is run at the start, as if typed at the ":" prompt; "" opens
	// what is remembered, or the jobs.
	Command string
	// LogStreams is how many logs are followed at once; 0 is
	// streams.DefaultMost.
	LogStreams int
	// Thresholds are the limits of the signals.
	Thresholds signals.Thresholds
	// Memory remembers settings for each context; nil remembers nothing.
	Memory *Memory

	// Probes are those of the configuration, beside those that come with
	// traintop.
	Probes []probes.Probe
	// Now is the clock that what is done is dated by; nil takes the snapshot's.
	Now func() time.Time
	// Audit keeps the record of what is changed; nil keeps none.
	Audit *audit.Log

	// SaveIn is the folder that saved tables and texts go to, "" for
	// traintop/saved in the XDG state directory.
	SaveIn string

	// Input and Output stand in for the terminal in tests; nil is the terminal.
	Input  io.Reader
	Output io.Writer
	// Environment stands in for the process's in tests; nil is the process's.
	Environment []string
	// Width and Height are given where there is no terminal to ask.
	Width, Height int
}

// Session is one connection: what it tells, and where it is.
type Session struct {
	Store *store.Store
	// Actor acts in the cluster of this session, and in no other when another
	// one has begun meanwhile; nil for files, where nothing can be done.
	Actor actions.Actor
	// Context is the kubeconfig context, or the name of the file shown.
	Context string
	// Namespace is the one in use; "" shows all.
	Namespace string
	// Past is what can be gone back to, nil where nothing is kept. It is that
	// of a store which goes on, or, where Replayed is set, the store shows an
	// instant of it.
	Past     Timeline
	Replayed bool
	// Known saves incidents where Past does not: of what the store knows.
	Known Incidents
	// Plays is the speed at which a replay begins to play; 0 waits for a key.
	Plays float64
	Settings
}

// Settings may differ from context to context.
type Settings struct {
	// Theme is one of themes.Names(), "" for dark or light by the terminal.
	Theme string
	ASCII bool
	// ReadOnly takes away what changes the cluster; the header says so.
	ReadOnly bool
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
	// DebugImage is offered for debug containers, "" is tasks.DebugImage.
	DebugImage string
	// Favourites are the namespaces of the first digits; those last used and
	// those with training jobs take the others.
	Favourites []string
}

// Cluster does what only a live cluster can. Its methods are called off the
// loop and may take their time; ctx ends with the program.
type Cluster interface {
	// Contexts are those of the kubeconfig.
	Contexts(ctx context.Context) ([]Context, error)
	// Namespaces are those one may list.
	Namespaces(ctx context.Context) ([]string, error)
	// Manifest is an object's YAML as the API server has it now, secrets
	// masked, without metadata.managedFields.
	Manifest(ctx context.Context, ref train.Ref) (string, error)
	// UseNamespace tells the sources which namespace is looked at ("" for
	// all), for those that may not read all of them.
	UseNamespace(namespace string)
	// Stream tells the sources which logs to follow from now on. It returns
	// at once; what is no longer named may be followed a little longer.
	Stream(plan *streams.Plan)
	// SwitchContext ends the connection and begins another; what it returns
	// replaces the session.
	SwitchContext(ctx context.Context, name string) (Session, error)
}

// FullManifester is a Cluster that can also give an object's YAML with
// metadata.managedFields.
type FullManifester interface {
	FullManifest(ctx context.Context, ref train.Ref) (string, error)
}

// LogReader is a Cluster that reads logs without being asked by a plan (files),
// and can read one from its beginning once more.
type LogReader interface {
	ReadAgain(id train.StreamID)
}

// Context is one entry of the kubeconfig.
type Context struct {
	Name, Cluster, User, Namespace string
	Current                        bool
}
