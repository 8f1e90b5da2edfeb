package tasks

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
	"github.com/traintop/traintop/ui/terminal"
	"github.com/traintop/traintop/views/dialog"
	"github.com/traintop/traintop/views/draw"
)

const (
	// DebugImage is the default image of a debug container; it has a shell and
	// is small.
	DebugImage = "busybox"
	// debugTime bounds the wait until it runs: its image is pulled first.
	debugTime = 2 * time.Minute
)

// Debugs adds debug containers to pods.
type Debugs struct {
	host *Host
	// Image is the image of such a container: the one typed last, at first the
	// session's.
	Image string
}

// Start offers a debug container where there is no shell; why explains it.
func (b *Debugs) Start(t actions.Target, why string) tea.Cmd {
	if _, err := b.host.changer(); err != nil {
		return b.host.Notify(err.Error(), true)
	}
	if t.Name == "" {
		if pod := b.host.Session().Snapshot.Pod(t.Namespace, t.Pod); pod != nil && len(pod.Spec.Containers) > 0 {
			t.Name = cmp.Or(pod.Annotations["kubectl.kubernetes.io/default-container"], pod.Spec.Containers[0].Name)
		}
	}
	d := &Dialog{Dialog: &dialog.Dialog{Title: "Add a debug container to " + t.Pod + "?", Does: "Add and enter"}}
	d.Lines = []dialog.Line{
		{Role: themes.Bad, Text: why},
		{Role: themes.Text, Text: "A container with a shell is added to the pod. It sees the processes of container " + t.Name + ", whose files are below /proc/1/root."},
		{Role: themes.Waiting, Text: "It stays in the pod until the pod ends; nothing removes it before. The node pulls its image."},
	}
	d.Fields = []dialog.Field{{Label: "image", Text: b.Image}}
	d.Pressed = func() tea.Cmd {
		b.Image = strings.TrimSpace(d.Fields[0].Text)
		return b.enter(t)
	}
	return b.host.openReviewed(d,
		actions.Access{Verb: actions.Patch, Kind: "Pod", Subresource: "ephemeralcontainers", Namespace: t.Namespace, Name: t.Pod},
		actions.Access{Verb: actions.Create, Kind: "Pod", Subresource: "attach", Namespace: t.Namespace, Name: t.Pod})
}

// enter adds the container and gives the terminal to its shell.
func (b *Debugs) enter(t actions.Target) tea.Cmd {
	actor, err := b.host.changer()
	if err != nil {
		return b.host.Notify(err.Error(), true)
	}
	asked := actions.Debug{Container: t.Container, Name: actions.DebugName(b.host.Session().Now()), Image: b.Image, Timeout: debugTime}
	request, err := asked.Request()
	if err != nil {
		return b.host.Notify(err.Error(), true)
	}
	record, err := b.host.beginRecord("debug", t.PodRef(), "container "+asked.Name+" of image "+b.Image+": "+audit.Summary(request))
	if err != nil {
		return b.host.Notify("it cannot be recorded, so it is not done: "+err.Error(), true)
	}
	in := &terminal.Command{
		Ctx: b.host.Ctx, Banner: draw.Clean("debug container " + asked.Name + " in " + t.Namespace + "/" + t.Pod + " is made, which may take up to " + debugTime.String() + "; esc or ctrl-c gives up the wait, exit or ctrl-d leaves the shell"),
		Do: func(ctx context.Context, stdin io.Reader, stdout io.Writer, sizes <-chan actions.Size) error {
			return actions.OpenDebug(ctx, actor, asked, actions.Exec{Stdin: stdin, Stdout: stdout, TTY: true, Sizes: sizes})
		},
	}
	return b.host.Lend(in, func(err error) tea.Msg {
		var failure *actions.Failure
		var failed error
		if errors.As(err, &failure) {
			failed = failure
		}
		return shellEnded{b, "debug", t, errors.Join(err, record.End(failed))}
	})
}
