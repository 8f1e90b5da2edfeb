package tasks

import (
	"slices"
	"strings"
	"testing"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/train"
)

var node = train.Ref{Kind: "Node", Name: "gpu-h100-0"}

// A shell on a node is asked about before its pod is made; the pod goes with it.
func TestAShellOnANodeIsAskedAboutMadeAndRemoved(t *testing.T) {
	actor := &cluster{}
	s := inCluster(t, actor)
	all := New(&s.Host)
	all.Begin("")
	s.drain(all.NodeShells.Start(node, ""))
	if want := []string{"create Pod", "create Pod/attach", "delete Pod"}; !slices.Equal(actor.verbsOf(), want) || !strings.HasPrefix(s.text(), "Open a shell on node gpu-h100-0?\n") {
		t.Fatalf("reviewed %q, want %q; asked %q", actor.verbsOf(), want, s.text())
	}
	if fieldOf(s.dialog, "namespace").Text != "default" || fieldOf(s.dialog, "image").Text != DebugImage {
		t.Errorf("the fields are %+v", s.dialog.Fields)
	}
	if len(actor.changed) > 0 || s.recorded(t) != nil {
		t.Fatalf("a question alone sent %v, recorded %v", actor.sent(), s.recorded(t))
	}
	s.fill("namespace", "infra")
	s.press(t)
	s.terminal(t)
	if len(actor.changed) != 2 || actor.changed[0].Verb != actions.Create || actor.changed[1].Verb != actions.Delete || actor.changed[0].Ref.Namespace != "infra" || len(actor.executed) != 1 {
		t.Errorf("sent %v, entered %+v", actor.sent(), actor.executed)
	}
	if want := []string{"node-shell gpu-h100-0 begun", "node-shell gpu-h100-0 done"}; !slices.Equal(s.recorded(t), want) {
		t.Errorf("recorded %q, want %q", s.recorded(t), want)
	}
	if want := []string{"node shell in node gpu-h100-0 ended"}; !slices.Equal(s.shown, want) {
		t.Errorf("shown %q, want %q", s.shown, want)
	}
}

// A request that the API server refuses is shown and recorded, and nothing is
// entered.
func TestAShellOnANodeThatFails(t *testing.T) {
	actor := &cluster{fails: func(actions.Request) error { return forbidden("Pod Security refuses it") }}
	s := inCluster(t, actor)
	all := New(&s.Host)
	all.Begin("")
	s.drain(all.NodeShells.Start(node, "infra"))
	s.press(t)
	s.terminal(t)
	if len(actor.executed) > 0 || !strings.Contains(strings.Join(s.shown, "; "), "Pod Security refuses it") || !s.failed {
		t.Errorf("entered %+v, shown %q", actor.executed, s.shown)
	}
	if want := []string{"node-shell gpu-h100-0 begun", "node-shell gpu-h100-0 failed"}; !slices.Equal(s.recorded(t), want) {
		t.Errorf("recorded %q, want %q", s.recorded(t), want)
	}
	s.unrecordable(t)
	s.drain(all.NodeShells.Start(node, "infra"))
	s.press(t)
	if s.lent != nil || !strings.HasPrefix(s.shown[len(s.shown)-1], "it cannot be recorded, so it is not done: ") {
		t.Errorf("shown %q", s.shown)
	}
}

func TestNoShellReadOnlyOrInThePast(t *testing.T) {
	for name, session := range refusingSessions() {
		t.Run(name, func(t *testing.T) {
			s := inCluster(t, &cluster{})
			all := New(&s.Host)
			all.Begin("")
			s.drain(all.NodeShells.Start(node, ""))
			session.change(s)
			s.press(t)
			s.drain(all.NodeShells.Start(node, ""))
			s.drain(all.Shells.Start(bert))
			s.drain(all.Shells.Attach(bert))
			want := []string{session.want, session.want, session.want, session.want}
			if s.dialog != nil || s.lent != nil || s.recorded(t) != nil || !slices.Equal(s.shown, want) || !s.failed {
				t.Errorf("asked %q, lent %v, recorded %v, shown %q", s.text(), s.lent, s.recorded(t), s.shown)
			}
		})
	}
}
