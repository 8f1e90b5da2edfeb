package tasks

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/traintop/traintop/actions"
)

// bert is the container of a rank.
var bert = actions.Target{Container: actions.Container{Namespace: "nlp", Pod: "bert-large-worker-0", PodUID: "u1", Name: "pytorch"}}

// A debug container is asked about, with why and what it leaves, before anything
// is sent; both rights are reviewed.
func TestADebugContainerIsAskedAbout(t *testing.T) {
	actor := &cluster{}
	s := inCluster(t, actor)
	all := New(&s.Host)
	all.Begin("")
	review := all.Debugs.Start(bert, "there is no shell in it")
	if s.dialog.Waiting == "" {
		t.Error("the button does not wait for the review of rights")
	}
	s.drain(review)
	for _, want := range []string{"Add a debug container to bert-large-worker-0?", "there is no shell in it", "the processes of container pytorch,", "It stays in the pod until the pod ends"} {
		if !strings.Contains(s.text(), want) {
			t.Errorf("asked %q, which lacks %q", s.text(), want)
		}
	}
	if image := fieldOf(s.dialog, "image"); image == nil || image.Text != DebugImage {
		t.Errorf("the fields are %+v", s.dialog.Fields)
	}
	if want := []string{"patch Pod/ephemeralcontainers", "create Pod/attach"}; s.dialog.Waiting != "" || !slices.Equal(actor.verbsOf(), want) {
		t.Errorf("waits for %q, reviewed %q, want %q", s.dialog.Waiting, actor.verbsOf(), want)
	}
	if len(actor.changed) > 0 || s.recorded(t) != nil || s.lent != nil {
		t.Errorf("a question alone sent %v, recorded %v", actor.sent(), s.recorded(t))
	}
}

// The container that it looks into is the pod's default one where none is named.
func TestADebugContainerLooksIntoTheDefaultContainer(t *testing.T) {
	actor := &cluster{}
	s := inCluster(t, actor)
	pod := s.session.Snapshot.Pod("nlp", "bert-large-worker-0")
	if pod == nil {
		t.Fatal("no pod")
	}
	all := New(&s.Host)
	all.Begin("")
	unnamed := bert
	unnamed.Name = ""
	s.drain(all.Debugs.Start(unnamed, "why"))
	if want := "the processes of container " + pod.Spec.Containers[0].Name + ","; !strings.Contains(s.text(), want) {
		t.Errorf("asked %q, want %q", s.text(), want)
	}
	s.press(t)
	s.terminal(t)
	if len(actor.changed) != 1 || !strings.Contains(string(actor.changed[0].Body), `"targetContainerName":"`+pod.Spec.Containers[0].Name+`"`) {
		t.Errorf("sent %+v", actor.changed)
	}
}

// It is made and entered once a person has confirmed, with the image that was
// typed, which the next question begins with.
func TestADebugContainerIsMadeRecordedAndEntered(t *testing.T) {
	actor := &cluster{}
	s := inCluster(t, actor)
	all := New(&s.Host)
	all.Begin("registry/tools:1")
	s.drain(all.Debugs.Start(bert, "why"))
	s.fill("image", " registry/tools:2 ")
	s.press(t)
	if len(actor.changed) > 0 || !slices.Equal(s.recorded(t), []string{"debug bert-large-worker-0 begun"}) {
		t.Fatalf("before it has the terminal it sent %v, recorded %v", actor.sent(), s.recorded(t))
	}
	s.terminal(t)
	if !slices.Equal(actor.sent(), []string{"patch Pod/ephemeralcontainers bert-large-worker-0"}) || actor.changed[0].Ref.UID != "u1" {
		t.Fatalf("sent %+v", actor.changed)
	}
	if body := string(actor.changed[0].Body); !strings.Contains(body, `"image":"registry/tools:2"`) || !strings.Contains(body, `"targetContainerName":"pytorch"`) {
		t.Errorf("sent %s", body)
	}
	if len(actor.executed) != 1 || actor.executed[0].Name == "pytorch" || actor.executed[0].Command != nil || !actor.executed[0].TTY {
		t.Errorf("entered %+v", actor.executed)
	}
	if want := []string{"debug bert-large-worker-0 begun", "debug bert-large-worker-0 done"}; !slices.Equal(s.recorded(t), want) {
		t.Errorf("recorded %q, want %q", s.recorded(t), want)
	}
	if want := []string{"debug in bert-large-worker-0 ended"}; !slices.Equal(s.shown, want) || s.failed {
		t.Errorf("shown %q, want %q", s.shown, want)
	}
	s.drain(all.Debugs.Start(bert, "why"))
	if image := fieldOf(s.dialog, "image"); image.Text != "registry/tools:2" {
		t.Errorf("the next question begins with image %q", image.Text)
	}
}

func TestADebugContainerThatIsNotAllowed(t *testing.T) {
	for right, reason := range map[string]string{"ephemeralcontainers": "you may not patch", "attach": "you may not attach"} {
		s := inCluster(t, &cluster{refuses: func(a actions.Access) string {
			if a.Subresource == right && a.Namespace == "nlp" && a.Name == "bert-large-worker-0" {
				return reason
			}
			return ""
		}})
		s.drain(New(&s.Host).Debugs.Start(bert, "why"))
		if s.dialog.Refused != reason || s.dialog.Waiting != "" {
			t.Errorf("refused %q, want %q", s.dialog.Refused, reason)
		}
	}
}

// How it ends decides what is recorded: a shell that ends with an exit code was
// there, a container that was not made failed.
func TestADebugContainerThatFails(t *testing.T) {
	gone := &actions.Failure{Kind: actions.Gone, Text: "the pod does not exist any more"}
	for name, c := range map[string]struct {
		actor  *cluster
		shown  string
		result string
	}{
		"refused":     {&cluster{fails: func(actions.Request) error { return gone }}, "debug in bert-large-worker-0: the pod does not exist any more", "failed"},
		"never runs":  {&cluster{await: &actions.Failure{Kind: actions.NotRunning, Text: "its image cannot be pulled"}}, "debug in bert-large-worker-0: its image cannot be pulled", "failed"},
		"exit code 3": {&cluster{exec: &actions.ExitError{Code: 3}}, "debug in bert-large-worker-0 ended with exit code 3", "done"},
	} {
		t.Run(name, func(t *testing.T) {
			s := inCluster(t, c.actor)
			all := New(&s.Host)
			all.Begin("")
			s.drain(all.Debugs.Start(bert, "why"))
			s.press(t)
			s.terminal(t)
			if !slices.Equal(s.shown, []string{c.shown}) || s.failed != (c.result == "failed") {
				t.Errorf("shown %q, want %q", s.shown, c.shown)
			}
			if name != "exit code 3" && len(c.actor.executed) > 0 {
				t.Error("a container that does not run was entered")
			}
			if want := []string{"debug bert-large-worker-0 begun", "debug bert-large-worker-0 " + c.result}; !slices.Equal(s.recorded(t), want) {
				t.Errorf("recorded %q, want %q", s.recorded(t), want)
			}
		})
	}
}

// Without an image, or a record, nothing is made.
func TestADebugContainerThatCannotBegin(t *testing.T) {
	for name, c := range map[string]struct {
		image string
		blind bool
		want  string
	}{
		"no image":     {" ", false, "adding a debug container to pod bert-large-worker-0: an image"},
		"not recorded": {"busybox", true, "it cannot be recorded, so it is not done: "},
	} {
		t.Run(name, func(t *testing.T) {
			actor := &cluster{}
			s := inCluster(t, actor)
			if c.blind {
				s.unrecordable(t)
			}
			s.drain(New(&s.Host).Debugs.Start(bert, "why"))
			s.fill("image", c.image)
			s.press(t)
			if s.lent != nil || len(s.shown) != 1 || !strings.HasPrefix(s.shown[0], c.want) || !s.failed || s.recorded(t) != nil {
				t.Errorf("shown %q, want %q; recorded %v", s.shown, c.want, s.recorded(t))
			}
		})
	}
}

func TestNoDebugContainerReadOnlyOrInThePast(t *testing.T) {
	for name, session := range refusingSessions() {
		t.Run(name, func(t *testing.T) {
			s := inCluster(t, &cluster{})
			all := New(&s.Host)
			all.Begin("")
			s.drain(all.Debugs.Start(bert, "why"))
			session.change(s)
			s.press(t)
			s.drain(all.Debugs.Start(bert, "why"))
			if s.dialog != nil || s.lent != nil || s.recorded(t) != nil || !slices.Equal(s.shown, []string{session.want, session.want}) || !s.failed {
				t.Errorf("asked %q, lent %v, recorded %v, shown %q", s.text(), s.lent, s.recorded(t), s.shown)
			}
		})
	}
}

// A shell that a container does not have becomes the question about a debug
// container; no other end does.
func TestAShellThatIsNotThereOffersADebugContainer(t *testing.T) {
	for text, err := range map[string]error{
		"Add a debug container to bert-large-worker-0?": &actions.Failure{Kind: actions.NoProgram, Text: "no sh"},
		"": errors.Join(io.ErrUnexpectedEOF),
	} {
		s := inCluster(t, &cluster{exec: err})
		s.drain(New(&s.Host).Shells.Start(bert))
		s.terminal(t)
		if title, _, _ := strings.Cut(s.text(), "\n"); title != text {
			t.Errorf("asked %q, want %q", title, text)
		}
	}
}
