package ui

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/audit"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/dialog"
	"github.com/traintop/traintop/views/draw"
)

const (
	// DebugImage is what a debug container runs when nobody says otherwise; it
	// has a shell and is small.
	DebugImage = "busybox"
	// debugTime bounds the wait until it runs: its image is pulled first.
	debugTime = 2 * time.Minute
)

// askDebug offers a debug container where there is no shell.
func (m *model) askDebug(t actions.Target, why string) tea.Cmd {
	if t.Name == "" {
		if pod := m.snapshot.Pod(t.Namespace, t.Pod); pod != nil && len(pod.Spec.Containers) > 0 {
			t.Name = cmp.Or(pod.Annotations["kubectl.kubernetes.io/default-container"], pod.Spec.Containers[0].Name)
		}
	}
	d := &openDialog{Dialog: &dialog.Dialog{Title: "Add a debug container to " + t.Pod + "?", Does: "Add and enter"}}
	d.Lines = []dialog.Line{
		{Role: themes.Bad, Text: why},
		{Role: themes.Text, Text: "A container with a shell is added to the pod. It sees the processes of container " + t.Name + ", whose files are below /proc/1/root."},
		{Role: themes.Waiting, Text: "It stays in the pod until the pod ends; nothing removes it before. The node pulls its image."},
	}
	d.Fields = []dialog.Field{{Label: "image", Text: m.debugImage}}
	d.pressed = func() tea.Cmd {
		m.debugImage = strings.TrimSpace(d.Fields[0].Text)
		return m.debug(t, m.debugImage)
	}
	return m.openReviewed(d,
		actions.Access{Verb: actions.Patch, Kind: "Pod", Subresource: "ephemeralcontainers", Namespace: t.Namespace, Name: t.Pod},
		actions.Access{Verb: actions.Create, Kind: "Pod", Subresource: "attach", Namespace: t.Namespace, Name: t.Pod})
}

// debug adds the container and gives the terminal to its shell.
func (m *model) debug(t actions.Target, image string) tea.Cmd {
	asked := actions.Debug{Container: t.Container, Name: actions.DebugName(m.clockOf()()), Image: image, Timeout: debugTime}
	request, err := asked.Request()
	if err != nil {
		return m.say(err.Error(), true)
	}
	record, err := m.beginRecord("debug", podRef(t.Container), "container "+asked.Name+" of image "+image+": "+audit.Summary(request))
	if err != nil {
		return m.say("it cannot be recorded, so it is not done: "+err.Error(), true)
	}
	actor := m.actor()
	in := &terminalCommand{
		ctx: m.ctx, banner: draw.Clean("debug container " + asked.Name + " in " + t.Namespace + "/" + t.Pod + " is made, which may take up to " + debugTime.String() + "; esc or ctrl-c gives up the wait, exit or ctrl-d leaves the shell"),
		run: func(ctx context.Context, stdin io.Reader, stdout io.Writer, sizes <-chan actions.Size) error {
			return actions.OpenDebug(ctx, actor, asked, actions.Exec{Stdin: stdin, Stdout: stdout, TTY: true, Sizes: sizes})
		},
	}
	return m.exec(in, func(err error) tea.Msg {
		var failure *actions.Failure
		var failed error
		if errors.As(err, &failure) {
			failed = failure
		}
		return entered{"debug", t, errors.Join(err, record.End(failed))}
	})
}
