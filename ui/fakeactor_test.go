package ui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/audit"
	"github.com/traintop/traintop/train"
)

// fakeActor acts like a cluster, and records its requests. Requests without a
// configured result succeed.
type fakeActor struct {
	mu       sync.Mutex
	refuses  func(actions.Access) string // the reason, "" allows
	fails    func(actions.Request) error
	changes  []actions.Request
	execute  func(context.Context, actions.Exec) error
	executed []actions.Exec
	await    func(context.Context) error // until a container runs
	copy     func(context.Context, actions.Transfer) (actions.Transferred, error)
	forward  func(actions.Forward) (actions.Forwarding, error)
	// text is the result of Fetch; dryRun that of an edited text.
	text    string
	object  string // the fetched JSON
	dryRun  func(text string) (actions.Proposal, error)
	apply   func() error
	applied int
}

func (f *fakeActor) Execute(ctx context.Context, e actions.Exec) error {
	f.mu.Lock()
	f.executed = append(f.executed, e)
	do := f.execute
	f.mu.Unlock()
	if do == nil {
		return nil
	}
	return do(ctx, e)
}

func (f *fakeActor) Allowed(_ context.Context, wanted []actions.Access) []actions.Verdict {
	verdicts := make([]actions.Verdict, len(wanted))
	for i, access := range wanted {
		verdicts[i].Allowed = true
		if f.refuses != nil {
			verdicts[i].Reason = f.refuses(access)
			verdicts[i].Allowed = verdicts[i].Reason == ""
		}
	}
	return verdicts
}

func (f *fakeActor) Change(_ context.Context, r actions.Request) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changes = append(f.changes, r)
	if f.fails != nil {
		return nil, f.fails(r)
	}
	return nil, nil
}

func (f *fakeActor) AwaitRunning(ctx context.Context, _ actions.Container) error {
	if f.await == nil {
		return nil
	}
	return f.await(ctx)
}

func (f *fakeActor) Forward(_ context.Context, wanted actions.Forward) (actions.Forwarding, error) {
	return f.forward(wanted)
}

func (f *fakeActor) Copy(ctx context.Context, t actions.Transfer) (actions.Transferred, error) {
	return f.copy(ctx, t)
}

func (f *fakeActor) Fetch(_ context.Context, ref train.Ref) (actions.Draft, error) {
	return actions.Draft{Ref: ref, Text: []byte(f.text), Object: []byte(f.object)}, nil
}

func (f *fakeActor) DryRun(_ context.Context, _ actions.Draft, text []byte) (actions.Proposal, error) {
	return f.dryRun(string(text))
}

func (f *fakeActor) Apply(context.Context, actions.Proposal) error {
	f.applied++
	if f.apply == nil {
		return nil
	}
	return f.apply()
}

// inCluster drives the model with a cluster to act in, and an audit log.
func inCluster(t *testing.T, actor *fakeActor, change func(*Options)) (d *driver, record string) {
	t.Helper()
	record = filepath.Join(t.TempDir(), "audit.jsonl")
	o := Options{Session: Session{Store: fixture(t), Actor: actor}, Audit: audit.New(record, time.Now)}
	if change != nil {
		change(&o)
	}
	d = drive(t, o, 120, 30)
	d.m.exec = func(command tea.ExecCommand, then tea.ExecCallback) tea.Cmd {
		return func() tea.Msg {
			command.SetStdin(strings.NewReader(""))
			command.SetStdout(&strings.Builder{})
			command.SetStderr(&strings.Builder{})
			return then(command.Run())
		}
	}
	return d, record
}

// auditText is the audit log, "" when nothing was recorded.
func auditText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}
