package keymap

import "slices"

// Scopes of actions in the cluster.
const (
	Probes       Scope = "probes"
	ProbeAnswers Scope = "answers"
	SMI          Scope = "smi"
	Forwards     Scope = "pf"
	// Dialog asks before a change; it has all keys.
	Dialog Scope = "dialog"
)

// Actions in the cluster.
const (
	Shell       Action = "act.shell"
	Attach      Action = "act.attach"
	ShowSMI     Action = "act.nvidia-smi"
	ShowProbes  Action = "act.probes"
	Delete      Action = "act.delete"
	RestartRank Action = "act.restart-rank"
	Suspend     Action = "act.suspend"
	ScaleJob    Action = "act.scale"
	Cordon      Action = "act.cordon"
	Uncordon    Action = "act.uncordon"
	Edit        Action = "act.edit"
	ForwardPort Action = "act.port-forward"
	ShowForward Action = "act.forwards"
	CopyFiles   Action = "act.copy-files"
	// DecodeSecret shows the values of a Secret, after a question.
	DecodeSecret Action = "act.decode-secret"
	Drain        Action = "act.drain"
	// Replicas sets the size of any object with the subresource scale; Schedule
	// suspends a CronJob or resumes it; Trigger makes a job of one now.
	Replicas Action = "act.replicas"
	Schedule Action = "act.schedule"
	Trigger  Action = "act.trigger"
	// NodeShell opens a shell on a node.
	NodeShell Action = "act.node-shell"
)

// Actions on forwarded ports.
const (
	ForwardStop   Action = "pf.stop"
	ForwardBrowse Action = "pf.browse"
	ForwardURL    Action = "pf.copy-url"
)

// Actions of a dialog.
const (
	DialogNext   Action = "dialog.next"
	DialogBack   Action = "dialog.back"
	DialogMore   Action = "dialog.more"
	DialogLess   Action = "dialog.less"
	DialogEnter  Action = "dialog.enter"
	DialogCancel Action = "dialog.cancel"
	DialogUp     Action = "dialog.up"
	DialogDown   Action = "dialog.down"
)

// Impact is the effect of an action on the cluster.
type Impact uint8

const (
	// Looks reads and shows.
	Looks Impact = iota
	// Acts acts in the cluster without changing it: runs a harmless command,
	// forwards a port. It needs a live cluster.
	Acts
	// Changes changes something, or lets a person do so: it asks first, and is
	// not offered where nothing may change.
	Changes
)

// impacts are those of the actions that do more than read.
var impacts = map[Action]Impact{
	Shell: Changes, Attach: Changes, ShowSMI: Acts, ShowProbes: Acts,
	Delete: Changes, RestartRank: Changes, Suspend: Changes, ScaleJob: Changes,
	Cordon: Changes, Uncordon: Changes, Edit: Changes,
	Drain: Changes, Replicas: Changes, Schedule: Changes, Trigger: Changes, NodeShell: Changes,
	ForwardPort: Acts, CopyFiles: Acts, DecodeSecret: Acts,
}

// Impact is the effect of the action on the cluster.
func (a Action) Impact() Impact { return impacts[a] }

// Rights are what keys may do.
type Rights struct {
	// ReadOnly removes the keys that change something.
	ReadOnly bool
	// NoCluster removes from the footer the keys that need a cluster: a file is
	// shown. Pressed, they show a notice.
	NoCluster bool
	// NoPast removes from the help the keys that move through time: no past is
	// kept. Pressed, they show a notice.
	NoPast bool
	// NoFilter removes from footer and help the key of the filter: the screen
	// has nothing to narrow or to search.
	NoFilter bool
	// Own are the keys of a person's own.
	Own []OwnBinding
}

// ownIn are the keys of a person's own that hold in a scope, those of the
// screen first.
func (r Rights) ownIn(scope Scope) []OwnBinding {
	var in []OwnBinding
	for _, s := range chain(scope) {
		for i := range r.Own {
			if b := r.Own[i]; b.Scope == s && (!r.ReadOnly || b.impact != Changes) {
				in = append(in, b)
			}
		}
	}
	return in
}

// ownAction is the action of a person's own key: before other meanings of the
// key, or after them.
func (r Rights) ownAction(scope Scope, key string, before bool) (Action, bool) {
	for _, b := range r.ownIn(scope) {
		if first := b.override || b.Scope != Global; first == before && b.has(key) {
			return b.Action, true
		}
	}
	return "", false
}

// Offers reports whether the action has a key at all.
func (r Rights) Offers(a Action) bool { return !r.ReadOnly || a.Impact() != Changes }

// Names reports whether footers name the action.
func (r Rights) Names(a Action) bool {
	return r.Offers(a) && (!r.NoCluster || a.Impact() == Looks) && (!r.NoFilter || a != Filter)
}

// Lookup is the action of a key in a scope. A key whose action is not offered
// does nothing, rather than what it would do without that action.
func (r Rights) Lookup(scope Scope, key string) (Action, bool) {
	if action, own := r.ownAction(scope, key, true); own {
		return action, true
	}
	action, bound := Lookup(scope, key)
	if !bound {
		return r.ownAction(scope, key, false)
	}
	if !r.Offers(action) {
		return "", false
	}
	return action, true
}

// Footer lists the bindings that the footer of a scope names.
func (r Rights) Footer(scope Scope) []Binding {
	footer := slices.DeleteFunc(Footer(scope), func(b Binding) bool { return !r.Names(b.Action) })
	for _, b := range r.ownIn(scope) {
		if !r.NoCluster || b.impact == Looks {
			footer = append(footer, b.Binding)
		}
	}
	return footer
}

// In lists the bindings that hold in a scope: those of a person's own, then those
// of the scope.
func (r Rights) In(scope Scope) []Binding {
	in := slices.DeleteFunc(In(scope), func(b Binding) bool {
		return !r.Offers(b.Action) || r.NoPast && b.Group == groupTime || r.NoFilter && b.Action == Filter
	})
	for i := range in {
		in[i].Keys = slices.DeleteFunc(slices.Clone(in[i].Keys), func(key string) bool {
			_, hidden := r.ownAction(scope, key, true)
			return hidden
		})
	}
	in = slices.DeleteFunc(in, func(b Binding) bool { return len(b.Keys) == 0 })
	var own []Binding
	for _, b := range r.ownIn(scope) {
		own = append(own, b.Binding)
	}
	return append(own, in...)
}

// acting are the keys of actions in the cluster. Where k9s has the action, it
// has its key: s, a, e, ctrl-d, ctrl-k, F, f, t, and c and u on nodes.
func acting() []Binding {
	var all []Binding
	for _, scope := range []Scope{Jobs, Job, Rank, Node, GPUs, Diagnosis} {
		all = append(all,
			Binding{scope, keys("s"), Shell, "shell", "a shell in the rank under the cursor, or in the one that failed first", groupAct, scope == Job || scope == Rank},
			Binding{scope, keys("n"), ShowSMI, "nvidia-smi", "nvidia-smi (or the vendor's own tool) in the marked ranks, or in all of the job", groupAct, scope != Jobs},
			Binding{scope, keys("x"), ShowProbes, "probes", "run checks inside the marked ranks, or in all of the job", groupAct, scope == Job || scope == Diagnosis},
		)
	}
	for _, scope := range []Scope{Job, Rank, Node} {
		all = append(all,
			Binding{scope, keys("a"), Attach, "attach", "attach to the process of the rank", groupAct, false},
			Binding{scope, keys("ctrl+k"), RestartRank, "restart rank", "delete the pods of the ranks, so that they are made anew", groupAct, false},
		)
	}
	for _, scope := range []Scope{Jobs, Job, Rank, Node, Resource, Xray} {
		all = append(all,
			Binding{scope, keys("ctrl+d"), Delete, "delete", "delete the marked objects, or the one under the cursor", groupAct, false},
		)
	}
	for _, scope := range []Scope{Jobs, Job} {
		all = append(all,
			Binding{scope, keys("z"), Suspend, "suspend", "suspend the job, or resume it", groupAct, false},
			Binding{scope, keys("E"), ScaleJob, "scale", "change how many ranks an elastic job has", groupAct, false},
		)
	}
	for _, scope := range []Scope{Jobs, Job, Rank, Node, GPUs, Diagnosis} {
		all = append(all,
			Binding{scope, keys("F"), ForwardPort, "forward port", "forward a port of the rank's pod to this machine: TensorBoard, a Ray dashboard, any other", groupAct, false},
			Binding{scope, keys("f"), ShowForward, "forwards", "the ports that are forwarded", groupAct, false},
		)
	}
	for _, scope := range []Scope{Job, Rank, Node} {
		all = append(all, Binding{scope, keys("t"), CopyFiles, "copy files", "copy files from the rank or to it: a checkpoint, a core dump, a trace", groupAct, false})
	}
	for _, scope := range []Scope{Jobs, Job, Rank, Nodes, Queues, Manifest, Description, Resource, Xray} {
		all = append(all, Binding{scope, keys("e"), Edit, "edit", "edit the YAML of the object in $EDITOR; what it would change is shown before it is applied", groupAct, scope == Manifest})
	}
	for _, scope := range []Scope{Resource, Manifest, Description} {
		all = append(all, Binding{scope, keys("x"), DecodeSecret, "decode", "show the values of a Secret, after a question", groupAct, false})
	}
	for _, scope := range []Scope{Nodes, ResourceNodes} {
		all = append(all,
			Binding{scope, keys("c"), Cordon, "cordon", "take no new pods on the node", groupAct, true},
			Binding{scope, keys("u"), Uncordon, "uncordon", "take pods on the node again", groupAct, true},
			Binding{scope, keys("s"), NodeShell, "node shell", "a shell on the node, in a pod that sees its processes and files; it is asked first", groupAct, false},
			Binding{scope, keys("r"), Drain, "drain", "cordon the node and evict its pods; which go and which stay is shown first", groupAct, true},
		)
	}
	all = append(all, resourceKeys()...)
	return append(all,
		Binding{Forwards, keys("enter", "b"), ForwardBrowse, "browser", "open the address in the browser", groupScreen, true},
		Binding{Forwards, keys("c"), ForwardURL, "copy URL", "copy the address", groupScreen, true},
		Binding{Forwards, keys("ctrl+d"), ForwardStop, "stop", "stop forwarding the marked ports, or the one under the cursor", groupScreen, true},

		Binding{Nodes, keys("n"), ShowSMI, "nvidia-smi", "nvidia-smi in the pods that hold GPUs of the node", groupAct, true},

		Binding{Dialog, keys("tab"), DialogNext, "next", "next field or button", groupMove, true},
		Binding{Dialog, keys("shift+tab"), DialogBack, "previous", "previous field or button", groupMove, false},
		Binding{Dialog, keys("right"), DialogMore, "change", "the next choice, or button", groupMove, true},
		Binding{Dialog, keys("left"), DialogLess, "change back", "the choice or button before", groupMove, false},
		Binding{Dialog, keys("up"), DialogUp, "up", "scroll what will happen up", groupMove, false},
		Binding{Dialog, keys("down"), DialogDown, "down", "scroll what will happen down", groupMove, false},
		Binding{Dialog, keys("enter"), DialogEnter, "choose", "press the button", groupScreen, true},
		Binding{Dialog, keys("esc"), DialogCancel, "cancel", "change nothing", groupScreen, true},
		Binding{Dialog, keys("ctrl+c"), Quit, "quit", "quit", groupGeneral, false},
	)
}
