package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/audit"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
)

// stage is a program around tasks: what they showed and asked.
type stage struct {
	Host
	shown  []string
	failed bool // the newest notice reports a failure
	dialog *Dialog
	// lent has the terminal, and ended is called at its end; nil for none.
	lent  tea.ExecCommand
	ended tea.ExecCallback
	// session is the current one; a test may change it.
	session Session
	record  string // the file of the audit log
}

func newStage(t *testing.T, session Session) *stage {
	if session.Now == nil {
		session.Now = func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) }
	}
	s := &stage{session: session}
	s.Host = Host{
		Ctx: t.Context(), Session: func() Session { return s.session }, Background: &Background{},
		Notify:      func(text string, failed bool) tea.Cmd { s.shown, s.failed = append(s.shown, text), failed; return nil },
		Open:        func(d *Dialog) { s.dialog = d },
		Shown:       func() *Dialog { return s.dialog },
		Lend:        func(c tea.ExecCommand, then tea.ExecCallback) tea.Cmd { s.lent, s.ended = c, then; return nil },
		Environment: func(string) string { return "" },
	}
	return s
}

// inCluster is a program with a cluster to act in, and an audit log.
func inCluster(t *testing.T, actor actions.Actor) *stage {
	t.Helper()
	s := newStage(t, Session{Actor: actor, Snapshot: snapshot(t), Context: "prod-gpu", Glyphs: themes.Glyphs{Done: "ok", Failed: "no"}})
	s.record = filepath.Join(t.TempDir(), "audit.jsonl")
	s.Audit = audit.New(s.record, time.Now)
	return s
}

// unrecordable has an audit log that cannot be written.
func (s *stage) unrecordable(t *testing.T) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.Audit = audit.New(filepath.Join(file, "audit.jsonl"), time.Now)
}

// snapshot is the cluster of the tests of the screen.
func snapshot(t *testing.T) *store.Snapshot {
	t.Helper()
	cluster, err := readCluster()
	if err != nil {
		t.Fatal(err)
	}
	return cluster
}

var readCluster = sync.OnceValues(func() (*store.Snapshot, error) {
	s := store.New(func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) })
	err := dump.New([]string{"../testdata/cluster.yaml"}, dump.Options{}).Run(context.Background(), s)
	return s.Snapshot(), err
})

// jobOf is the job of that name in the snapshot.
func (s *stage) jobOf(t *testing.T, name string) train.Ref {
	t.Helper()
	for _, job := range s.session.Snapshot.Jobs() {
		if job.Ref.Name == name {
			return job.Ref
		}
	}
	t.Fatalf("no job %s", name)
	return train.Ref{}
}

// end runs a command of a task and passes back the message.
func (s *stage) end(t *testing.T, run tea.Cmd) {
	t.Helper()
	message, is := run().(Message)
	if !is {
		t.Fatal("a task ended without a message")
	}
	message.Arrive()
}

// drain runs a command and all that come of it, as the program does.
func (s *stage) drain(run tea.Cmd) {
	if run == nil {
		return
	}
	switch message := run().(type) {
	case tea.BatchMsg:
		for _, one := range message {
			s.drain(one)
		}
	case Message:
		s.drain(message.Arrive())
	}
}

// press confirms the question that is shown, which closes it.
func (s *stage) press(t *testing.T) {
	t.Helper()
	d := s.dialog
	if d == nil || d.Refused != "" || d.Waiting != "" {
		t.Fatalf("there is nothing to confirm: %+v", d)
	}
	s.dialog = nil
	s.drain(d.Pressed())
}

// text is the question that is shown: title, lines, and why it is refused.
func (s *stage) text() string {
	if s.dialog == nil {
		return ""
	}
	lines := []string{s.dialog.Title}
	for _, line := range s.dialog.Lines {
		lines = append(lines, line.Text)
	}
	return strings.Join(append(lines, s.dialog.Refused), "\n")
}

// fill changes a field of the question by its label.
func (s *stage) fill(label, text string) {
	before := s.dialog.Values()
	field := fieldOf(s.dialog, label)
	field.Text = text
	for i, choice := range field.Choices {
		if choice == text {
			field.Chosen = i
		}
	}
	s.drain(s.dialog.ReportChange(before))
}

// terminal runs what has the terminal, and passes back its end.
func (s *stage) terminal(t *testing.T) {
	t.Helper()
	if s.lent == nil {
		t.Fatal("the terminal was not lent")
	}
	command, ended := s.lent, s.ended
	s.lent, s.ended = nil, nil
	command.SetStdin(strings.NewReader(""))
	command.SetStdout(&strings.Builder{})
	command.SetStderr(&strings.Builder{})
	s.drain(func() tea.Msg { return ended(command.Run()) })
}

// recorded are the results in the audit log, in order, each with its verb.
func (s *stage) recorded(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(s.record)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var all []string
	for _, one := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var line audit.Line
		if one == "" {
			continue
		}
		if err := json.Unmarshal([]byte(one), &line); err != nil {
			t.Fatal(err)
		}
		all = append(all, line.Verb+" "+line.Object.Name+" "+line.Result)
	}
	return all
}

// cluster is an actor that answers as it is told, and remembers what it was
// asked. Any other request succeeds.
type cluster struct {
	actions.Actor
	mu       sync.Mutex
	refuses  func(actions.Access) string // the reason, "" allows
	fails    func(actions.Request) error
	fetches  func(train.Ref) (actions.Draft, error)
	dryRun   func(text string) (actions.Proposal, error)
	apply    error
	await    error
	exec     error
	reviewed []actions.Access
	changed  []actions.Request
	executed []actions.Exec
	applied  int
}

func (c *cluster) Allowed(_ context.Context, wanted []actions.Access) []actions.Verdict {
	c.reviewed = append(c.reviewed, wanted...)
	verdicts := make([]actions.Verdict, len(wanted))
	for i, access := range wanted {
		if c.refuses != nil {
			verdicts[i].Reason = c.refuses(access)
		}
		verdicts[i].Allowed = verdicts[i].Reason == ""
	}
	return verdicts
}

func (c *cluster) Change(_ context.Context, r actions.Request) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changed = append(c.changed, r)
	if c.fails != nil {
		return nil, c.fails(r)
	}
	return nil, nil
}

func (c *cluster) Fetch(_ context.Context, ref train.Ref) (actions.Draft, error) {
	return c.fetches(ref)
}

func (c *cluster) DryRun(_ context.Context, _ actions.Draft, text []byte) (actions.Proposal, error) {
	return c.dryRun(string(text))
}

func (c *cluster) Apply(context.Context, actions.Proposal) error {
	c.applied++
	return c.apply
}

func (c *cluster) AwaitRunning(context.Context, actions.Container) error { return c.await }

func (c *cluster) Execute(_ context.Context, e actions.Exec) error {
	c.executed = append(c.executed, e)
	return c.exec
}

// verbsOf are the rights that were asked about.
func (c *cluster) verbsOf() []string {
	var all []string
	for _, a := range c.reviewed {
		text := string(a.Verb) + " " + a.Kind
		if a.Subresource != "" {
			text += "/" + a.Subresource
		}
		all = append(all, text)
	}
	return all
}

// sent are the requests, as verb, kind and name.
func (c *cluster) sent() []string {
	var all []string
	for _, r := range c.changed {
		text := string(r.Verb) + " " + r.Ref.Kind
		if r.Subresource != "" {
			text += "/" + r.Subresource
		}
		all = append(all, text+" "+r.Ref.Name)
	}
	return all
}

// refusal is how a session becomes one in which nothing can be changed, and the
// message that a person gets then.
type refusal struct {
	change func(*stage)
	want   string
}

func refusingSessions() map[string]refusal {
	return map[string]refusal{
		"read-only": {func(s *stage) { s.session.ReadOnly = true }, readOnly},
		"the past":  {func(s *stage) { s.session.Actor = nil }, noCluster},
	}
}
