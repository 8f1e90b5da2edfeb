package tasks

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/audit"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/ui/terminal"
	"github.com/traintop/traintop/views/dialog"
	"github.com/traintop/traintop/views/draw"
)

// NodeShells open shells on nodes, in pods that live as long as the shell.
type NodeShells struct {
	host *Host
	// debugs has the image.
	debugs *Debugs
}

// Start asks before it makes a pod on the node. namespace is the one in use, "" for all.
func (s *NodeShells) Start(node train.Ref, namespace string) tea.Cmd {
	if _, err := s.host.changer(); err != nil {
		return s.host.Notify(err.Error(), true)
	}
	namespace = cmp.Or(namespace, "default")
	d := &Dialog{Dialog: &dialog.Dialog{Title: "Open a shell on node " + draw.Clean(node.Name) + "?", Does: "Make a pod and enter"}}
	d.Lines = []dialog.Line{
		{Role: themes.Text, Text: "A pod is made on the node, whatever its taints. It sees the node's processes, network and IPC; the node's files are below /host, and chroot /host gives the node's own programs."},
		{Role: themes.Waiting, Text: "The pod is deleted when the shell ends. The namespace must allow pods of the host (Pod Security: privileged). The node pulls the image."},
	}
	d.Fields = []dialog.Field{{Label: "image", Text: s.debugs.Image}, {Label: "namespace", Text: namespace}}
	d.Pressed = func() tea.Cmd {
		s.debugs.Image = strings.TrimSpace(d.Fields[0].Text)
		return s.enter(node, strings.TrimSpace(d.Fields[1].Text))
	}
	return s.host.openReviewed(d,
		actions.Access{Verb: actions.Create, Kind: "Pod", Namespace: namespace},
		actions.Access{Verb: actions.Create, Kind: "Pod", Subresource: "attach", Namespace: namespace},
		actions.Access{Verb: actions.Delete, Kind: "Pod", Namespace: namespace})
}

// enter makes the pod and gives the terminal to its shell.
func (s *NodeShells) enter(node train.Ref, namespace string) tea.Cmd {
	actor, err := s.host.changer()
	if err != nil {
		return s.host.Notify(err.Error(), true)
	}
	asked := actions.NodeShell{
		Node: node.Name, Namespace: namespace, Name: actions.NodeShellName(s.host.Session().Now()), Image: s.debugs.Image, Timeout: debugTime,
	}
	request, err := asked.Request()
	if err != nil {
		return s.host.Notify(err.Error(), true)
	}
	record, err := s.host.beginRecord("node-shell", node, "pod "+namespace+"/"+asked.Name+" of image "+asked.Image+": "+audit.Summary(request))
	if err != nil {
		return s.host.Notify("it cannot be recorded, so it is not done: "+err.Error(), true)
	}
	in := &terminal.Command{
		Ctx: s.host.Ctx, Banner: draw.Clean("pod " + namespace + "/" + asked.Name + " is made on node " + node.Name + ", which may take up to " + debugTime.String() + "; esc or ctrl-c gives up the wait, exit or ctrl-d leaves the shell and deletes the pod"),
		Do: func(ctx context.Context, stdin io.Reader, stdout io.Writer, sizes <-chan actions.Size) error {
			return actions.OpenNodeShell(ctx, actor, asked, actions.Exec{Stdin: stdin, Stdout: stdout, TTY: true, Sizes: sizes})
		},
	}
	on := actions.Target{Container: actions.Container{Namespace: namespace, Pod: "node " + node.Name}, Node: node.Name}
	return s.host.Lend(in, func(err error) tea.Msg {
		var failure *actions.Failure
		var failed error
		if errors.As(err, &failure) {
			failed = failure
		}
		return shellEnded{s.debugs, "node shell", on, errors.Join(err, record.End(failed))}
	})
}
