// Package usedby lists who uses a ConfigMap, a Secret, a PersistentVolumeClaim or a
// ServiceAccount: the pods that name it, with the field that does, and the accounts.
package usedby

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// View is the list of users of one object.
type View struct {
	views.Rows[use]
	of train.Ref
}

// use is one object that uses it.
type use struct {
	ref   train.Ref
	paths string // the fields that name it
	state string
	job   *train.Job // nil for an object of no job
}

// New makes the screen.
func New(r views.UsedByRoute) *View {
	v := &View{of: r.Ref}
	v.Noun = "user"
	v.Key = func(u use) string { return u.ref.String() }
	v.Ref = func(u use) train.Ref { return u.ref }
	v.FirstName = "name"
	v.Sorts = map[keymap.Action]string{keymap.SortName: "NAME", keymap.SortStatus: "STATE"}
	v.Detail = func(u use) string { return u.ref.Kind + " " + u.ref.Name + " names it in " + u.paths }
	v.Enter = open
	text := func(title string, importance, least int, role themes.Role, of func(use) string) draw.Column[use] {
		return draw.Column[use]{
			Title: title, Importance: importance, Min: least, Max: 60,
			Cell:    func(u use, _ draw.Ink) draw.Cell { return draw.Cell{Text: of(u), Role: role} },
			Compare: func(a, b use) int { return cmp.Compare(of(a), of(b)) },
		}
	}
	v.Columns = []draw.Column[use]{
		text("KIND", 70, 4, themes.Dim, func(u use) string { return u.ref.Kind }),
		text("NAME", 100, 16, themes.Text, func(u use) string { return u.ref.Name }),
		text("STATE", 80, 6, themes.Text, func(u use) string { return u.state }),
		text("JOB", 85, 8, themes.Strong, jobName),
		text("NAMED IN", 90, 12, themes.Dim, func(u use) string { return u.paths }),
	}
	v.Columns[4].Grow, v.Columns[4].Max = true, 0
	return v
}

func jobName(u use) string {
	if u.job == nil {
		return ""
	}
	return u.job.Ref.Short()
}

// open opens the job of a pod, and describes what belongs to none.
func open(u use, _ views.Frame) views.Effect {
	if u.job != nil {
		return views.OpenScreen{Route: views.JobRoute{Job: u.job.ID}}
	}
	return views.Described(u.ref)
}

// Name is the screen's name in breadcrumbs.
func (v *View) Name() string { return "used-by" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.UsedBy }

// Title names the object and counts its users.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	return views.Title{
		Text:   draw.Clean(v.of.Title()) + " is used by " + draw.Count(v.Len()),
		Filter: v.FilterLine(), Flags: v.Flags(), Note: v.Note(),
	}
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	if u, any := v.Current(); any && action == keymap.JumpOwner && u.job != nil {
		return views.OpenScreen{Route: views.JobRoute{Job: u.job.ID}}, true
	}
	return v.Rows.Do(action, f)
}

// Render draws the list.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	return v.Body(f, func() []string {
		if _, unread := f.Snapshot.Unread(kinds.PodKind, v.of.Namespace); unread {
			return append([]string{"who uses it is not known: the pods of its namespace could not be read"}, f.Missing("pods")...)
		}
		return []string{"no pod names it", "workloads without pods (scaled to 0, suspended) may name it in their template"}
	})
}

func (v *View) load(f views.Frame) {
	v.Load(draw.Version{Data: f.Snapshot.ObjectsVersion}, f.Ink(), func() []use { return usesOf(f, v.of) })
}

// usesOf lists the pods and accounts that name an object.
func usesOf(f views.Frame, of train.Ref) []use {
	var uses []use
	kind := schema.GroupKind{Group: of.Group, Kind: of.Kind}
	f.Snapshot.Objects(kinds.PodKind, of.Namespace, func(o kinds.Object) bool {
		pod, is := o.(*corev1.Pod)
		if !is {
			return true
		}
		var paths []string
		for _, r := range kinds.PodReferences(pod) {
			if r.Kind == kind && r.Name == of.Name {
				paths = append(paths, r.Path)
			}
		}
		if len(paths) > 0 {
			uses = append(uses, use{
				ref: kinds.PodRef(pod), paths: strings.Join(paths, ", "), state: string(pod.Status.Phase),
				job: f.Snapshot.JobOf(kinds.PodKind, pod.Namespace, pod.Name),
			})
		}
		return true
	})
	if of.Kind == "Secret" {
		uses = append(uses, accountsWith(f, of)...)
	}
	return uses
}

// accountsWith lists the accounts whose pods pull images with a Secret.
func accountsWith(f views.Frame, of train.Ref) []use {
	var uses []use
	account := schema.GroupKind{Kind: "ServiceAccount"}
	f.Snapshot.Objects(account, of.Namespace, func(o kinds.Object) bool {
		if sa, is := o.(*corev1.ServiceAccount); is {
			for _, secret := range sa.ImagePullSecrets {
				if secret.Name == of.Name {
					uses = append(uses, use{ref: train.Ref{Kind: account.Kind, Namespace: sa.Namespace, Name: sa.Name, UID: string(sa.UID)}, paths: "imagePullSecrets"})
				}
			}
		}
		return true
	})
	return uses
}
