package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/adrg/xdg"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/cli/mergedlogs"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/sources/kube"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/redact/declared"
	"github.com/traintop/traintop/sources/redact/eventmask"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/lastlook"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/jobname"
)

// session is one source feeding one store.
type session struct {
	store  *store.Store
	source sources.Source
	// cluster or files is the source by its own type; the others are nil.
	cluster *kube.Cluster
	files   *dump.Files
	// replay moves the screen through the recording, nil for anything else.
	replay past
	// plays is the speed at which it begins to play; 0 waits for a key.
	plays float64
	// fromInstant is true where --at chose an instant of the recording.
	fromInstant bool
	// rewind keeps the events of a cluster, nil where nothing is kept.
	rewind *rewind
	// lastLooks are for the screen of a cluster, nil for anything else.
	lastLooks *lastlook.Queue
	// context is the kubeconfig context, or the name of the files.
	context string
	// place names the source in messages: an address, paths.
	place string
	// namespace limits the answer; "" is all.
	namespace string
	// home is the namespace for job names without one, beside names with one;
	// "" is all.
	home     string
	selector labels.Selector
	// named are the jobs that the answer is about, as typed; none for all.
	named []string
	// patience is how long the first answer waits for measurements once objects
	// are read; 0 is as long as they take.
	patience time.Duration
	// once is true where an answer is printed, and nothing followed.
	once bool
	// limit bounds such an answer.
	limit answerLimit
	// lines selects the lines of logs that are held, nil for all.
	lines *mergedlogs.LineFilter
	// say prints messages for a person who waits; nil prints nothing.
	say func(string)
	// limits are the configured limits of signals.
	limits signals.Thresholds
	// reach are the typed flags that choose the cluster.
	reach diagnose.Reach
	// messages is where progress is reported, nil for nowhere.
	messages io.Writer
}

// redactor returns what takes secrets out of a recording of the session, and a
// function that reports whether all secrets are known that pods declare, nil where
// they always are.
func (s *session) redactor() (r *eventmask.Redactor, ready func() bool) {
	r = eventmask.New()
	var secrets *declared.Values
	switch {
	case s.cluster != nil:
		secrets, ready = s.cluster.Declared()
	case s.files != nil:
		secrets, ready = s.files.Declared()
	}
	r.Declared(secrets)
	return r, ready
}

// diagnosed is the diagnosis of a snapshot by the configured limits.
func (s *session) diagnosed(snapshot *store.Snapshot) *diagnose.Report {
	return diagnose.Run(snapshot, diagnose.Options{Thresholds: s.limits, Reach: s.reach}, nil)
}

// gather runs the source until every part of it has given its first answer, and
// returns the snapshot. It fails when nothing at all could be read.
func (s *session) gather(ctx context.Context) (*store.Snapshot, error) {
	if s.cluster == nil {
		defer s.reportProgress(s.readingProgress)()
		err := s.runWithin(ctx)
		return s.store.Snapshot(), cmp.Or(err, ctx.Err())
	}
	defer s.sayWhenSlow(func() string { return waitedFor(s.store.Snapshot()) })()
	ctx, stop := context.WithCancel(ctx)
	var following sync.WaitGroup
	following.Go(func() { _ = s.source.Run(ctx, s.store) })
	snapshot, err := s.await(ctx, s.timer())
	stop()
	following.Wait()
	switch {
	case errors.Is(err, errTooLate):
		return s.reportLate()
	case err == nil && !snapshot.Settled():
		return s.reportUnmeasured(snapshot), nil
	}
	return snapshot, err
}

// runWithin reads files or a recording to the end, and holds of their logs the lines
// that are wanted.
func (s *session) runWithin(ctx context.Context) error {
	if s.lines == nil {
		return s.source.Run(ctx, s.store)
	}
	sieve := mergedlogs.NewSieve(s.store, s.lines)
	defer sieve.End()
	return s.source.Run(ctx, sieve)
}

// reportUnmeasured reports each source of measurements that did not answer while
// an answer that does not depend on it waited.
func (s *session) reportUnmeasured(before *store.Snapshot) *store.Snapshot {
	for _, h := range before.Health() {
		if h.State.Settled() {
			continue
		}
		text := fmt.Sprintf("asking %s: no complete answer within %s, and the answer does without", h.Source, s.patience)
		if h.Text != "" {
			text += ": " + h.Text
		}
		h.State, h.Text = train.SourceRetrying, text
		s.store.Apply(store.HealthChanged{Health: h})
	}
	return s.store.Snapshot()
}

// await waits, while the source runs, until every part of it has given its
// first answer: each request has a deadline, so that a missing answer becomes a
// known failure. It fails when a cluster as a whole gives none, and with
// errTooLate when late fires.
func (s *session) await(ctx context.Context, late <-chan time.Time) (*store.Snapshot, error) {
	var enough <-chan time.Time
	known := s.lookForNamespace(ctx)
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-late:
			return nil, errTooLate
		case <-enough:
			if snapshot := s.store.Snapshot(); objectsRead(snapshot) {
				return snapshot, known()
			}
			enough = nil // the connection was made again
		case <-s.store.Changed():
			snapshot := s.store.Snapshot()
			if err := unreachable(snapshot); err != nil {
				return nil, err
			}
			if snapshot.Settled() {
				return snapshot, known()
			}
			if enough == nil && s.patience > 0 && objectsRead(snapshot) {
				enough = time.After(s.patience)
			}
		}
	}
}

// objectsRead reports whether every resource of the cluster gave its answer.
func objectsRead(snapshot *store.Snapshot) bool {
	resources := 0
	for _, h := range snapshot.Health() {
		resource := strings.HasPrefix(h.Source, client.SourceName+"/")
		if !h.State.Settled() && (resource || h.Source == client.SourceName) {
			return false
		}
		if resource {
			resources++
		}
	}
	return resources > 0
}

// unreachable is the reason why the cluster as a whole gives no answer.
func unreachable(snapshot *store.Snapshot) error {
	for _, h := range snapshot.Health() {
		if h.Source == client.SourceName && (h.State == train.SourceRetrying || h.State == train.SourceFailed) {
			return errors.New(h.Text)
		}
	}
	return nil
}

// lookForNamespace checks in parallel whether the namespace exists. The
// returned function waits for the answer, and fails when it does not exist. A
// failed request, perhaps on the first connection, is repeated.
func (s *session) lookForNamespace(ctx context.Context) func() error {
	if s.namespace == "" || s.cluster == nil {
		return func() error { return nil }
	}
	first := make(chan error, 1)
	go func() { first <- s.cluster.CheckNamespace(ctx, s.namespace) }()
	return func() error {
		err := <-first
		if unknown := (*client.UnknownNamespaceError)(nil); err == nil || errors.As(err, &unknown) {
			return err
		}
		return s.cluster.CheckNamespace(ctx, s.namespace)
	}
}

// pick returns the jobs of the answer: of the namespace, with the labels, and
// with one of the names when any are given.
func (s *session) pick(snapshot *store.Snapshot, names []string) ([]*train.Job, error) {
	picked, found := s.match(snapshot, names)
	for _, name := range names {
		if !found[name] {
			return nil, s.noJob(snapshot, name)
		}
	}
	return picked, nil
}

// match returns the jobs with one of the names, all without names, and which of the
// names were found.
func (s *session) match(snapshot *store.Snapshot, names []string) (picked []*train.Job, found map[string]bool) {
	found = map[string]bool{}
	for _, job := range snapshot.Jobs() {
		if s.namespace != "" && job.Ref.Namespace != s.namespace || !s.selector.Matches(labels.Set(job.Labels)) {
			continue
		}
		wanted := len(names) == 0
		for _, name := range names {
			if s.means(snapshot, job, name) {
				wanted, found[name] = true, true
			}
		}
		if wanted {
			picked = append(picked, job)
		}
	}
	return picked, found
}

// nothing explains why a list is empty and what to try.
func (s *session) nothing(snapshot *store.Snapshot) string {
	text := "No training jobs in " + s.where()
	if slices.ContainsFunc(snapshot.Health(), func(h train.Health) bool { return h.State == train.SourceForbidden }) {
		text = "No training jobs among what may be read in " + s.where()
	}
	text += withWhich(s.selector)
	if s.namespace != "" {
		text += "; -A looks in all namespaces"
	}
	if deleted := namedDeleted(s.deletedJobs(snapshot, "")); deleted != "" {
		text += "; " + deleted
	}
	return text + "." + cmp.Or(jobsBeside(snapshot), s.readBeside(snapshot)) + s.gpusBeside(snapshot)
}

// namedDeleted names jobs that were deleted and whose logs are there, "" for none: an empty
// list does, on the screen too.
func namedDeleted(deleted []*train.Job) string {
	if len(deleted) == 0 {
		return ""
	}
	return "deleted " + termtext.Agree(len(deleted), "is ", "are ") + refs(deleted) + ", whose logs traintop logs prints"
}

// jobsBeside counts the jobs that were read and that neither the namespace nor
// the labels of the answer take in, by namespace.
func jobsBeside(snapshot *store.Snapshot) string {
	counts := map[string]int{}
	for _, job := range snapshot.Jobs() {
		counts[job.Ref.Namespace]++
	}
	if len(counts) == 0 {
		return ""
	}
	var places []string
	for _, namespace := range slices.Sorted(maps.Keys(counts)) {
		place := "in namespace " + namespace
		if namespace == "" {
			place = "without a namespace"
		}
		places = append(places, fmt.Sprintf("%d %s", counts[namespace], place))
	}
	return " Others were read: " + termtext.Line(strings.Join(firstOf(places), ", ")) + "."
}

// readBeside counts the objects of files, or of a recording, without a job.
func (s *session) readBeside(snapshot *store.Snapshot) string {
	var counts []string
	switch {
	case s.files != nil:
		for kind, n := range s.files.Summary().Objects {
			counts = append(counts, fmt.Sprintf("%d %s", n, kind.Kind))
		}
	case s.cluster == nil:
		for _, kind := range store.KindsOf(snapshot) {
			counts = append(counts, fmt.Sprintf("%d %s", snapshot.Count(kind), kind.Kind))
		}
	}
	if len(counts) == 0 {
		return ""
	}
	slices.Sort(counts)
	return " What was read is no training job's: " + termtext.Line(strings.Join(firstOf(counts), ", ")) + "."
}

// gpusBeside counts the GPUs of files without a job.
func (s *session) gpusBeside(snapshot *store.Snapshot) string {
	n := len(s.pickGPUs(snapshot.GPUStates()))
	if s.files == nil || n == 0 {
		return ""
	}
	return " The state of " + termtext.Count(n, "GPU") + " was read; traintop gpus shows it."
}

func (s *session) where() string {
	if s.namespace == "" {
		return s.place
	}
	return "namespace " + s.namespace + " of " + s.place
}

// withWhich names the labels of -l, "" without.
func withWhich(selector labels.Selector) string {
	if selector.Empty() {
		return ""
	}
	return fmt.Sprintf(" with labels %s", selector)
}

// means reports whether a typed name means a job of a snapshot.
func (s *session) means(snapshot *store.Snapshot, job *train.Job, name string) bool {
	return s.meansJob(snapshot, job, jobname.Parse(name))
}

// meansJob is means for a name that was parsed.
func (s *session) meansJob(snapshot *store.Snapshot, job *train.Job, n jobname.Name) bool {
	elsewhere := n.Namespace == "" && s.home != "" && job.Ref.Namespace != s.home && !job.LogsOnly
	return !elsewhere && n.MeansAmong(snapshot.Jobs(), job)
}

// actor acts in the cluster of this session, nil for files. It belongs to the
// session and not to the program: an action started in one context never
// continues in another one.
func (s *session) actor() actions.Actor {
	if s.cluster == nil {
		return nil // not a nil pointer in an interface
	}
	return s.cluster.Actor
}

// auditPath is the log of changes, in all contexts
// ($XDG_STATE_HOME/traintop/audit.jsonl).
func auditPath() string { return filepath.Join(xdg.StateHome, "traintop", "audit.jsonl") }
