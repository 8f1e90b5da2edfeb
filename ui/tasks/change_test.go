package tasks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/changes"
	"github.com/traintop/traintop/train"
)

// forbidden is what an API server answers that refuses.
func forbidden(text string) error { return &actions.Failure{Kind: actions.Forbidden, Text: text} }

// A change is asked about, and its rights are reviewed, before anything is sent
// or recorded.
func TestAChangeAsksBeforeItSendsAnything(t *testing.T) {
	actor := &cluster{}
	s := inCluster(t, actor)
	c := New(&s.Host).Changes
	job := s.jobOf(t, "bert-large")
	review := c.Start(changes.Delete, []train.Ref{job})
	if s.dialog == nil || s.dialog.Title != "Delete PyTorchJob nlp/bert-large?" || s.dialog.Does != "Delete" {
		t.Fatalf("asked %q", s.text())
	}
	if s.dialog.Waiting == "" {
		t.Error("the button does not wait for the review of rights")
	}
	s.drain(review)
	if s.dialog.Waiting != "" || s.dialog.Refused != "" || !slices.Equal(actor.verbsOf(), []string{"delete PyTorchJob"}) {
		t.Errorf("waits for %q, refused %q, reviewed %v", s.dialog.Waiting, s.dialog.Refused, actor.verbsOf())
	}
	if len(actor.changed) > 0 || s.recorded(t) != nil || len(s.shown) > 0 {
		t.Fatalf("a question alone sent %v, recorded %v, showed %q", actor.sent(), s.recorded(t), s.shown)
	}
	if s.dialog.Cancelled != nil {
		t.Error("a change that is canceled does something")
	}
}

func TestAChangeIsSentRecordedAndFollowed(t *testing.T) {
	actor := &cluster{}
	s := inCluster(t, actor)
	all := New(&s.Host)
	job := s.jobOf(t, "bert-large")
	s.drain(all.Changes.Start(changes.Delete, []train.Ref{job}))
	s.fill(propagationField, string(actions.Foreground))
	s.press(t)
	if !slices.Equal(actor.sent(), []string{"delete PyTorchJob bert-large"}) {
		t.Fatalf("sent %v", actor.sent())
	}
	if r := actor.changed[0]; r.Ref.UID != job.UID || job.UID == "" || r.Propagation != actions.Foreground {
		t.Errorf("sent %+v", r)
	}
	if want := []string{"delete bert-large begun", "delete bert-large done"}; !slices.Equal(s.recorded(t), want) {
		t.Errorf("recorded %q, want %q", s.recorded(t), want)
	}
	if want := []string{"Delete: 1 object …", "delete: the API server took it; waiting for the cluster to show it"}; !slices.Equal(s.shown, want) {
		t.Errorf("shown %q, want %q", s.shown, want)
	}
	if all.Outcomes.Waiting() != 1 {
		t.Errorf("%d outcomes are followed", all.Outcomes.Waiting())
	}
	// The cluster never shows it.
	later := *s.session.Snapshot
	later.Now = later.Now.Add(outcomeTime + time.Second)
	s.session.Snapshot = &later
	s.drain(all.Outcomes.Follow())
	if last := s.shown[len(s.shown)-1]; !strings.HasPrefix(last, "not done yet after 2m0s: PyTorchJob nlp/bert-large") || !s.failed || all.Outcomes.Waiting() != 0 {
		t.Errorf("shown %q, %d outcomes are followed", last, all.Outcomes.Waiting())
	}
}

// A change that a person may not make is refused with the reason; of several
// objects the others are changed.
func TestAChangeThatIsNotAllowed(t *testing.T) {
	actor := &cluster{refuses: func(a actions.Access) string {
		if a.Namespace == "nlp" {
			return "you may not delete in nlp"
		}
		return ""
	}}
	s := inCluster(t, actor)
	c := New(&s.Host).Changes
	bert, grpo := s.jobOf(t, "bert-large"), s.jobOf(t, "grpo")
	s.drain(c.Start(changes.Delete, []train.Ref{bert}))
	if s.dialog.Refused != "you may not delete in nlp" {
		t.Errorf("refused %q", s.dialog.Refused)
	}
	s.drain(c.Start(changes.Delete, []train.Ref{bert, grpo}))
	if s.dialog.Refused != "" || !strings.Contains(s.text(), "PyTorchJob nlp/bert-large: you may not delete in nlp") {
		t.Errorf("asked %q", s.text())
	}
	s.press(t)
	if !slices.Equal(actor.sent(), []string{"delete JobSet grpo"}) || !slices.Equal(s.recorded(t), []string{"delete grpo begun", "delete grpo done"}) {
		t.Errorf("sent %v, recorded %v", actor.sent(), s.recorded(t))
	}
}

// A review that fails forbids nothing: the API server decides when it is asked.
func TestRightsThatCannotBeReviewedRefuseNothing(t *testing.T) {
	s := inCluster(t, unreviewed{})
	s.drain(New(&s.Host).Changes.Start(changes.Delete, []train.Ref{s.jobOf(t, "bert-large")}))
	if s.dialog.Refused != "" || s.dialog.Waiting != "" {
		t.Errorf("refused %q, waits for %q", s.dialog.Refused, s.dialog.Waiting)
	}
}

// unreviewed is a cluster that cannot report who may do what.
type unreviewed struct{ *cluster }

func (unreviewed) Allowed(_ context.Context, wanted []actions.Access) []actions.Verdict {
	verdicts := make([]actions.Verdict, len(wanted))
	for i := range verdicts {
		verdicts[i] = actions.Verdict{Unknown: true, Reason: "the review failed"}
	}
	return verdicts
}

// A review that ends after its question was closed changes no other question.
func TestAReviewOfAClosedQuestion(t *testing.T) {
	actor := &cluster{refuses: func(actions.Access) string { return "no" }}
	s := inCluster(t, actor)
	c := New(&s.Host).Changes
	review := c.Start(changes.Delete, []train.Ref{s.jobOf(t, "bert-large")})
	closed := s.dialog
	s.dialog = nil
	s.drain(review)
	if closed.Refused != "" || closed.Waiting == "" {
		t.Errorf("a closed question was written: %+v", closed.Dialog)
	}
}

// Each choice plans anew: what it cannot do is refused, rights are reviewed once.
func TestAChoicePlansAChangeAnew(t *testing.T) {
	actor := &cluster{}
	s := inCluster(t, actor)
	c := New(&s.Host).Changes
	ref := train.Ref{Group: "apps", Kind: "Deployment", Namespace: "infra", Name: "proxy"}
	actor.fetches = func(train.Ref) (actions.Draft, error) {
		return actions.Draft{Object: []byte(`{"spec":{"replicas":3}}`)}, nil
	}
	s.drain(c.Start(changes.Replicas, []train.Ref{ref}))
	if field := fieldOf(s.dialog, replicasField); field == nil || field.Text != "3" || s.dialog.Refused != "it has 3 replicas already" {
		t.Fatalf("asked %q with %+v", s.text(), s.dialog.Fields)
	}
	s.fill(replicasField, "")
	if !strings.HasPrefix(s.dialog.Refused, "it may have 0 to ") {
		t.Errorf("no number is refused with %q", s.dialog.Refused)
	}
	s.fill(replicasField, "5")
	s.fill(replicasField, "6")
	if !slices.Equal(actor.verbsOf(), []string{"patch Deployment/scale"}) {
		t.Errorf("reviewed %v", actor.verbsOf())
	}
	s.press(t)
	if len(actor.changed) != 1 || string(actor.changed[0].Body) != `{"spec":{"replicas":6}}` {
		t.Errorf("sent %+v", actor.changed)
	}
	if last := s.shown[len(s.shown)-1]; last != "scale: the API server took it" {
		t.Errorf("shown %q", last)
	}
}

// A plan that needs the objects is not asked about where one cannot be read.
func TestAChangeOfAnObjectThatCannotBeRead(t *testing.T) {
	for want, draft := range map[string]func(train.Ref) (actions.Draft, error){
		"you may not get deployments": func(train.Ref) (actions.Draft, error) {
			return actions.Draft{}, forbidden("you may not get deployments")
		},
		"read Deployment infra/proxy: ": func(train.Ref) (actions.Draft, error) {
			return actions.Draft{Object: []byte("{")}, nil
		},
	} {
		s := inCluster(t, &cluster{fetches: draft})
		s.drain(New(&s.Host).Changes.Start(changes.Replicas, []train.Ref{{Group: "apps", Kind: "Deployment", Namespace: "infra", Name: "proxy"}}))
		if s.dialog != nil || len(s.shown) != 1 || !strings.HasPrefix(s.shown[0], want) || !s.failed {
			t.Errorf("asked %q, shown %q, want %q", s.text(), s.shown, want)
		}
	}
}

// Suspend on suspended jobs resumes them, and on a mixture suspends the others.
func TestSuspendResumesWhatIsSuspended(t *testing.T) {
	s := inCluster(t, &cluster{})
	c := New(&s.Host).Changes
	suspended, running := s.jobOf(t, "olmo-sft"), s.jobOf(t, "bert-large")
	for does, on := range map[string][]train.Ref{"Resume": {suspended}, "Suspend": {suspended, running}} {
		c.Start(changes.Suspend, on)
		if s.dialog.Does != does {
			t.Errorf("%d jobs: the button says %q, want %q", len(on), s.dialog.Does, does)
		}
	}
}

// A change that cannot be recorded is done only after another question.
func TestAChangeThatCannotBeRecordedIsAskedAgain(t *testing.T) {
	actor := &cluster{}
	s := inCluster(t, actor)
	s.unrecordable(t)
	s.drain(New(&s.Host).Changes.Start(changes.Delete, []train.Ref{s.jobOf(t, "bert-large")}))
	s.press(t)
	if len(actor.changed) > 0 || !strings.Contains(s.text(), "It cannot be recorded: ") || !strings.Contains(s.text(), "leaves no trace") {
		t.Fatalf("sent %v, asked %q", actor.sent(), s.text())
	}
	s.press(t)
	if len(actor.changed) != 1 {
		t.Errorf("confirmed again, it sent %v", actor.sent())
	}
}

// One object that fails is a notice; of several each has its answer.
func TestWhatTheAPIServerAnswersIsShown(t *testing.T) {
	fails := func(r actions.Request) error {
		if r.Ref.Name == "grpo" {
			return forbidden("a webhook says no")
		}
		return nil
	}
	s := inCluster(t, &cluster{fails: fails})
	all := New(&s.Host)
	grpo := s.jobOf(t, "grpo")
	s.drain(all.Changes.Start(changes.Delete, []train.Ref{grpo}))
	s.press(t)
	if last := s.shown[len(s.shown)-1]; last != "delete JobSet rl/grpo: a webhook says no" || !s.failed || s.dialog != nil || all.Outcomes.Waiting() != 0 {
		t.Errorf("shown %q, asked %q, %d outcomes are followed", last, s.text(), all.Outcomes.Waiting())
	}
	if want := []string{"delete grpo begun", "delete grpo failed"}; !slices.Equal(s.recorded(t), want) {
		t.Errorf("recorded %q, want %q", s.recorded(t), want)
	}
	s.drain(all.Changes.Start(changes.Delete, []train.Ref{s.jobOf(t, "bert-large"), grpo, s.jobOf(t, "clip")}))
	s.press(t)
	want := "delete: 1 of 3 failed\nok PyTorchJob nlp/bert-large\nno JobSet rl/grpo: a webhook says no\nok PyTorchJob vision/clip\n"
	if s.text() != want || s.dialog.Does != "" || all.Outcomes.Waiting() != 2 {
		t.Errorf("asked %q, want %q; %d outcomes are followed", s.text(), want, all.Outcomes.Waiting())
	}
}

// Where what goes first fails the others are left: no pod is evicted from a
// node that still takes pods.
func TestWhatGoesFirstFails(t *testing.T) {
	actor := &cluster{}
	s := inCluster(t, actor)
	c := New(&s.Host).Changes
	node := train.Ref{Kind: "Node", Name: "gpu-h100-4"}
	s.drain(c.Start(changes.Drain, []train.Ref{node}))
	s.press(t)
	if len(actor.changed) < 2 || actor.sent()[0] != "patch Node gpu-h100-4" {
		t.Fatalf("a drain sends %v", actor.sent())
	}
	actor.changed = nil
	actor.fails = func(r actions.Request) error {
		if r.Ref.Kind == "Node" {
			return errors.New("the connection broke")
		}
		return nil
	}
	s.drain(c.Start(changes.Drain, []train.Ref{node}))
	s.press(t)
	if len(actor.changed) != 1 || !strings.Contains(s.text(), "not done, since what goes first failed: the connection broke") {
		t.Errorf("sent %v, showed %q", actor.sent(), s.text())
	}
}

// The requests of one object end with the first that fails.
func TestTheRequestsOfOneObjectEndWithAFailure(t *testing.T) {
	actor := &cluster{fails: func(r actions.Request) error { return fmt.Errorf("%s fails", r.Verb) }}
	target := changes.Target{Requests: []actions.Request{{Verb: actions.Patch}, {Verb: actions.Delete}}}
	if err := changeOne(t.Context(), actor, target); err == nil || err.Error() != "patch fails" || len(actor.changed) != 1 {
		t.Errorf("sent %v, failed with %v", actor.sent(), err)
	}
}

// The end of the program waits for a change that was sent, and begins none.
func TestNoChangeBeginsAfterTheEnd(t *testing.T) {
	actor := &cluster{}
	s := inCluster(t, actor)
	s.drain(New(&s.Host).Changes.Start(changes.Delete, []train.Ref{s.jobOf(t, "bert-large")}))
	s.Background.End(time.Second)
	s.press(t)
	if len(actor.changed) > 0 {
		t.Errorf("after the end it sent %v", actor.sent())
	}
}

// Nothing is asked, sent or recorded read-only, nor where there is no cluster to
// act in, also where that comes after the question.
func TestNothingIsChangedReadOnlyOrInThePast(t *testing.T) {
	for name, session := range refusingSessions() {
		t.Run(name, func(t *testing.T) {
			actor := &cluster{}
			s := inCluster(t, actor)
			c := New(&s.Host).Changes
			on := []train.Ref{s.jobOf(t, "bert-large")}
			s.drain(c.Start(changes.Delete, on))
			session.change(s)
			s.press(t)
			s.drain(c.Start(changes.Delete, on))
			s.drain(c.Start(changes.Replicas, on))
			if s.dialog != nil || len(actor.changed) > 0 || s.recorded(t) != nil || !slices.Equal(s.shown, []string{session.want, session.want, session.want}) || !s.failed {
				t.Errorf("asked %q, sent %v, recorded %v, shown %q", s.text(), actor.sent(), s.recorded(t), s.shown)
			}
		})
	}
}

// A person can go to the past while an object is read.
func TestAnObjectThatArrivesInThePastIsNotAskedAbout(t *testing.T) {
	s := inCluster(t, &cluster{fetches: func(train.Ref) (actions.Draft, error) {
		return actions.Draft{Object: []byte(`{"spec":{"replicas":3}}`)}, nil
	}})
	reading := New(&s.Host).Changes.Start(changes.Replicas, []train.Ref{{Group: "apps", Kind: "Deployment", Namespace: "infra", Name: "proxy"}})
	s.session.Actor = nil
	s.drain(reading)
	if s.dialog != nil || !slices.Equal(s.shown, []string{noCluster}) {
		t.Errorf("asked %q, shown %q", s.text(), s.shown)
	}
}
