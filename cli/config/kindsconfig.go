package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// kindsConfig is the part of the configuration file about kinds of jobs that
// traintop does not know. It holds for all contexts.
type kindsConfig struct {
	Kinds []ownKind `json:"kinds"`
	// layouts are those of the kinds that can be used.
	layouts []kinds.Layout
}

// ownKind is a kind of jobs as the file has it.
type ownKind struct {
	Group    string    `json:"group"`
	Versions []string  `json:"versions"`
	Kind     string    `json:"kind"`
	Resource string    `json:"resource"`
	Roles    []ownRole `json:"roles"`
	Suspend  string    `json:"suspend"`
	// Conditions and Phase are where the operator reports the state of the job, Phases
	// which of its words mean a phase.
	Conditions  string              `json:"conditions"`
	Phase       string              `json:"phase"`
	Phases      map[string][]string `json:"phases"`
	Started     string              `json:"started"`
	Finished    string              `json:"finished"`
	MinReplicas string              `json:"minReplicas"`
	MaxReplicas string              `json:"maxReplicas"`
	Pods        ownPods             `json:"pods"`
	Training    *bool               `json:"training"`
}

type ownRole struct {
	Name     string `json:"name"`
	Each     string `json:"each"`
	Replicas string `json:"replicas"`
	Template string `json:"template"`
	// Container is one beside the template.
	Container string `json:"container"`
	Ready     string `json:"ready"`
}

type ownPods struct {
	Labels    map[string]string `json:"labels"`
	Role      string            `json:"role"`
	Index     string            `json:"index"`
	Aside     []string          `json:"aside"`
	Container string            `json:"container"`
}

func kindsConfigKeys() []Key {
	return []Key{{
		name: "kinds", kind: "list of `group`, `versions`, `kind`, `roles`, …", everywhere: true, atStart: true,
		meaning: "kinds of jobs of your own and where their objects have replicas, pod templates and conditions, see below",
	}}
}

// Layouts are the kinds of the configuration, those that checkKinds left.
func (c *kindsConfig) Layouts() []kinds.Layout { return c.layouts }

// checkKinds makes what can be used of the kinds, and reports the rest.
func (c *kindsConfig) checkKinds(r *reader) {
	c.layouts = nil
	for i := range c.Kinds {
		check := kindCheck{reader: r, at: r.itemPath("kinds", i), good: true}
		if layout := check.layout(&c.Kinds[i], c.layouts); check.good {
			c.layouts = append(c.layouts, layout)
		}
	}
}

// kindCheck checks one kind of the file.
type kindCheck struct {
	*reader
	at   string
	good bool
}

// wrong reports a setting of the kind; text states what is allowed.
func (k *kindCheck) wrong(key, value, text string, values ...any) {
	k.good = false
	path := k.at + "." + key
	k.add(path, "%s is %q; %s; the kind is left out", path, termtext.Line(value), fmt.Sprintf(text, values...))
}

// kindName is how the API server writes kinds.
var kindName = regexp.MustCompile(`^[A-Z][A-Za-z0-9]{0,62}$`)

// servedVersion is how the API server writes versions.
var servedVersion = regexp.MustCompile(`^v[0-9]+((alpha|beta)[0-9]+)?$`)

func (k *kindCheck) layout(own *ownKind, before []kinds.Layout) kinds.Layout {
	l := kinds.Layout{
		GroupKind: schema.GroupKind{Group: own.Group, Kind: own.Kind}, Resource: own.Resource, Versions: own.Versions,
		Suspend: k.path("suspend", own.Suspend), Conditions: k.path("conditions", own.Conditions), Phase: k.path("phase", own.Phase),
		Started: k.path("started", own.Started), Finished: k.path("finished", own.Finished),
		Least: k.path("minReplicas", own.MinReplicas), Most: k.path("maxReplicas", own.MaxReplicas),
		Pods:    kinds.PodLayout{Labels: own.Pods.Labels, Role: own.Pods.Role, Index: own.Pods.Index, Aside: own.Pods.Aside, Container: own.Pods.Container},
		General: own.Training != nil && !*own.Training,
	}
	k.name(own, before)
	k.roles(own, &l)
	k.phases(own, &l)
	k.pods(own)
	return l
}

// name checks what the API server calls the kind.
func (k *kindCheck) name(own *ownKind, before []kinds.Layout) {
	if why := validation.IsDNS1123Subdomain(own.Group); len(why) > 0 || !strings.Contains(own.Group, ".") {
		k.wrong("group", own.Group, "it has to be the group of a custom resource, as in example.com")
	}
	if !kindName.MatchString(own.Kind) {
		k.wrong("kind", own.Kind, "it has to be the name of a kind, as in TrainingJob")
	}
	if why := validation.IsDNS1035Label(own.Resource); own.Resource != "" && len(why) > 0 {
		k.wrong("resource", own.Resource, "it has to be the plural in small letters, as in trainingjobs")
	}
	if len(own.Versions) == 0 {
		k.wrong("versions", "", "it has to list the versions that are read, the preferred first, as in [v1, v1beta1]")
	}
	for i, version := range own.Versions {
		if !servedVersion.MatchString(version) {
			k.wrong(fmt.Sprintf("versions[%d]", i), version, "it has to be a version, as in v1 or v1alpha1")
		}
	}
	kind := schema.GroupKind{Group: own.Group, Kind: own.Kind}
	switch {
	case kinds.BuiltIn(kind):
		k.wrong("kind", own.Kind, "traintop reads %s already (docs/kinds.md)", kind)
	case slices.ContainsFunc(before, func(l kinds.Layout) bool { return l.GroupKind == kind }):
		k.wrong("kind", own.Kind, "there is %s before it already", kind)
	}
}

// path reads a path of a setting.
func (k *kindCheck) path(key, text string) kinds.Path {
	path, err := kinds.ParsePath(text)
	if err != nil {
		k.wrong(key, text, "%v", err)
	}
	return path
}

func (k *kindCheck) roles(own *ownKind, l *kinds.Layout) {
	if len(own.Roles) == 0 {
		k.wrong("roles", "", "it has to list where pods are declared, as in [{name: worker, replicas: spec.workers, template: spec.template}]")
	}
	var names []string
	for i, role := range own.Roles {
		at := strings.TrimPrefix(k.itemPath(k.at+".roles", i), k.at+".")
		layout := kinds.RoleLayout{
			Name: role.Name, Each: k.path(at+".each", role.Each), Replicas: k.path(at+".replicas", role.Replicas),
			Template: k.path(at+".template", role.Template), Container: k.path(at+".container", role.Container), Ready: k.path(at+".ready", role.Ready),
		}
		l.Roles = append(l.Roles, layout)
		switch {
		case role.Replicas == "" && role.Template == "":
			k.wrong(at+".replicas", "", "a role needs the path of its replicas, of its template, or of both")
		case role.Each == "" && role.Name == "" && len(own.Roles) > 1:
			k.wrong(at+".name", "", "each of several roles needs a name, or each, the path of a map or list of roles")
		case role.Each == "" && slices.Contains(names, strings.ToLower(role.Name)):
			k.wrong(at+".name", role.Name, "there is a role of that name before it already")
		}
		if role.Each == "" {
			names = append(names, strings.ToLower(role.Name))
		}
	}
}

func (k *kindCheck) phases(own *ownKind, l *kinds.Layout) {
	allowed := kinds.PhasesOfLayouts()
	for _, name := range slices.Sorted(maps.Keys(own.Phases)) {
		at := slices.IndexFunc(allowed, func(phase train.Phase) bool { return string(phase) == name })
		if at < 0 {
			names := make([]string, len(allowed))
			for i := range allowed {
				names[i] = string(allowed[i])
			}
			k.wrong("phases."+name, name, "phases are %s%s", strings.Join(names, ", "), didYouMean(name, names))
			continue
		}
		if l.Phases == nil {
			l.Phases = map[train.Phase][]string{}
		}
		l.Phases[allowed[at]] = own.Phases[name]
	}
}

// pods checks the labels of pods. One of them has to name the job.
func (k *kindCheck) pods(own *ownKind) {
	named := len(own.Pods.Labels) == 0
	for _, label := range slices.Sorted(maps.Keys(own.Pods.Labels)) {
		value := own.Pods.Labels[label]
		named = named || strings.Contains(value, kinds.NamePlaceholder)
		k.label("pods.labels."+label, label)
		if strings.Count(value, kinds.NamePlaceholder) > 1 {
			k.wrong("pods.labels."+label, value, "%s may be in it once", kinds.NamePlaceholder)
		}
	}
	if !named {
		k.wrong("pods.labels", strings.Join(slices.Sorted(maps.Values(own.Pods.Labels)), ", "), "one of the labels has to name the job, as in {job-name: %q}", kinds.NamePlaceholder)
	}
	k.label("pods.role", own.Pods.Role)
	k.label("pods.index", own.Pods.Index)
}

func (k *kindCheck) label(key, name string) {
	if name != "" && len(validation.IsQualifiedName(name)) > 0 {
		k.wrong(key, name, "it has to be the key of a label or an annotation, as in example.com/role")
	}
}
