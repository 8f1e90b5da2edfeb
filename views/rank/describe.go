package rank

import (
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// text collects lines.
type text struct {
	f     views.Frame
	lines []draw.TextLine
}

func (t *text) add(spans ...draw.Span) { t.lines = append(t.lines, spans) }

func (t *text) heading(name string) {
	if len(t.lines) > 0 {
		t.add()
	}
	t.add(draw.Span{Text: name, Role: themes.Accent})
}

// factCells is the width of a fact's name.
const factCells = 14

func (t *text) fact(name, value string, role themes.Role) {
	if value != "" {
		t.add(draw.Span{Text: "  " + draw.Fit(name, max(factCells, draw.Width(name)), false, "") + " ", Role: themes.Dim}, draw.Span{Text: value, Role: role})
	}
}

// describe lists all facts about the rank.
func (v *View) describe(f views.Frame) []draw.TextLine {
	t := &text{f: f}
	t.rank(f.Snapshot.Job(v.job), &v.known)
	t.log(v.log(f))
	t.gpus(v.gpusOf(f), v.known.GPUs)
	t.usage(f, v.known.Namespace, v.known.Pod)
	t.attempts(v.known.Attempts)
	if pod := f.Snapshot.Pod(v.known.Namespace, v.known.Pod); pod != nil && v.known.Pod != "" {
		t.containers(pod)
		t.conditions(pod)
	}
	if v.known.Pod != "" {
		t.events(v.pod())
	}
	return t.lines
}

func (t *text) rank(j *train.Job, r *train.Rank) {
	state := views.RankState(t.f.Theme, j, r)
	t.heading("Rank")
	since := t.f.Ages.Since(r.Since)
	if since != "" {
		since = " for " + since
	}
	t.fact("state", state.String()+since, state.Role)
	t.fact("why", r.Reason, themes.Strong)
	if r.Role != "" {
		t.fact("role", r.RoleName(), themes.Text)
	}
	switch {
	case r.Unranked:
		t.fact("rank", "none: it runs no training process; commands name it by "+strconv.Itoa(r.Index), themes.Text)
	case r.DuplicateOf != "":
		t.fact("rank", "the same as that of "+r.DuplicateOf+"; commands name it by "+strconv.Itoa(r.Index), themes.Text)
	case r.Assumed:
		t.fact("rank", strconv.Itoa(r.Index)+", assumed: nothing told it, so roles and indexes stand in", themes.Text)
	}
	t.fact("node", r.Node, themes.Text)
	if r.GPUs > 0 {
		t.fact("GPUs", draw.Devices(r.GPUs, r.Slices), themes.Text)
	}
	t.fact("restarts", strconv.Itoa(r.Restarts), themes.Text)
	t.fact("container", r.Container, themes.Text)
}

func (t *text) attempts(attempts []train.Attempt) {
	if len(attempts) == 0 {
		return
	}
	t.heading("Attempts " + strconv.Itoa(len(attempts)))
	for i, a := range attempts {
		how := "pod " + a.Pod
		if a.InPlace {
			how = "restarted in " + a.Pod
		}
		if a.Node != "" {
			how += " on " + a.Node
		}
		ended, role := "runs "+t.f.Ages.Since(a.Started), themes.Good
		switch {
		case !a.Finished.IsZero() || a.ExitCode != nil || a.Reason != "":
			ended, role = ending(t.f, a)
		case a.Started.IsZero():
			ended, role = "not started", themes.Waiting
		}
		t.add(
			draw.Span{Text: "  " + draw.Fit(strconv.Itoa(i+1), 4, false, ""), Role: themes.Dim},
			draw.Span{Text: draw.Fit(ended, 40, false, t.f.Theme.Glyphs.Ellipsis) + "  ", Role: role},
			draw.Span{Text: how, Role: themes.Text},
		)
	}
}

// ending describes how an attempt ended, after how long, how long ago.
func ending(f views.Frame, a train.Attempt) (string, themes.Role) {
	text, role := "ended", themes.Text
	switch {
	case a.ExitCode != nil && *a.ExitCode == 0:
		text, role = "exit code 0", themes.Done
	case a.ExitCode != nil:
		text, role = "exit code "+strconv.Itoa(*a.ExitCode), themes.Bad
	}
	if a.Reason != "" {
		text += " " + draw.Clean(a.Reason)
	}
	if !a.Started.IsZero() && !a.Finished.IsZero() {
		text += " after " + termtext.Duration(a.Finished.Sub(a.Started))
	}
	if ago := f.Ages.Since(a.Finished); ago != "" {
		text += ", " + ago + " ago"
	}
	return text, role
}

func (t *text) containers(pod *corev1.Pod) {
	all := append(append([]corev1.ContainerStatus(nil), pod.Status.InitContainerStatuses...), pod.Status.ContainerStatuses...)
	if len(all) == 0 {
		return
	}
	t.heading("Containers")
	for _, c := range all {
		word, role := containerState(c.State, t.f)
		t.fact(c.Name, word, role)
		if last := c.LastTerminationState.Terminated; last != nil {
			t.fact("  before", terminated(last, t.f), themes.Dim)
		}
		t.fact("  image", c.Image, themes.Dim)
	}
}

func containerState(s corev1.ContainerState, f views.Frame) (string, themes.Role) {
	switch {
	case s.Running != nil:
		return "running for " + f.Ages.Since(s.Running.StartedAt.Time), themes.Good
	case s.Terminated != nil && s.Terminated.ExitCode == 0:
		return terminated(s.Terminated, f), themes.Done
	case s.Terminated != nil:
		return terminated(s.Terminated, f), themes.Bad
	case s.Waiting != nil:
		return "waiting: " + s.Waiting.Reason + " " + s.Waiting.Message, themes.Waiting
	}
	return "no state reported", themes.Odd
}

func terminated(s *corev1.ContainerStateTerminated, f views.Frame) string {
	text := fmt.Sprintf("exit code %d %s", s.ExitCode, s.Reason)
	if s.Signal != 0 {
		text += fmt.Sprintf(", signal %d", s.Signal)
	}
	if ago := f.Ages.Since(s.FinishedAt.Time); ago != "" {
		text += ", " + ago + " ago"
	}
	if s.Message != "" {
		text += ": " + s.Message
	}
	return text
}

func (t *text) conditions(pod *corev1.Pod) {
	if len(pod.Status.Conditions) == 0 {
		return
	}
	t.heading("Conditions of the pod")
	for _, c := range pod.Status.Conditions {
		role := themes.Dim
		if c.Status != corev1.ConditionTrue && (c.Reason != "" || c.Message != "") {
			role = themes.Strong
		}
		t.add(
			draw.Span{Text: "  " + draw.Fit(draw.Clean(string(c.Type)), 28, false, "~"), Role: themes.Text},
			draw.Span{Text: draw.Fit(draw.Clean(string(c.Status)), 8, false, "~"), Role: role},
			draw.Span{Text: draw.Fit(t.f.Ages.Since(kinds.HeldSince(pod, c.LastTransitionTime.Time)), 8, false, ""), Role: themes.Dim},
			draw.Span{Text: c.Reason + " " + c.Message, Role: role},
		)
	}
}

func (t *text) events(pod train.Ref) {
	events := t.f.Snapshot.EventsAbout(pod)
	if len(events) == 0 {
		return
	}
	t.heading("Events about the pod " + strconv.Itoa(len(events)))
	for i := len(events) - 1; i >= 0; i-- {
		e := events[i]
		role := themes.Dim
		if e.Type != corev1.EventTypeNormal {
			role = themes.Bad
		}
		t.add(
			draw.Span{Text: "  " + draw.Fit(t.f.Ages.Since(kinds.EventTime(e)), 8, false, ""), Role: themes.Dim},
			draw.Span{Text: draw.Fit(draw.Clean(e.Reason), 24, false, "~") + " ", Role: role},
			draw.Span{Text: e.Message, Role: themes.Text},
		)
	}
}
