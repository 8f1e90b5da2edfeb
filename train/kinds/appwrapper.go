package kinds

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

// Names of project-codeflare/appwrapper 1.2.1 (api/v1beta2/appwrapper_types.go). The label
// is on what it creates and on all pods.
const (
	appWrapperLabel      = "workload.codeflare.dev/appwrapper"
	appWrapperRetryLimit = "workload.codeflare.dev.appwrapper/retryLimit"
	// appWrapperRetries is the limit without the annotation (pkg/config/config.go).
	appWrapperRetries = 3
)

// readAppWrapper reads an AppWrapper: objects that Kueue admits together. It controls
// them, they make the pods, and there are none while it is suspended
// (internal/controller/appwrapper). Its ranks are those of the jobs among them.
func readAppWrapper(f *Family) *specAndStatus {
	top := fieldsOf(f.Top)
	status := top.in("status")
	w := newWrapper(f)
	a := &specAndStatus{
		position:  w.position,
		done:      w.done,
		suspended: top.in("spec").flag("suspend"),
		untouched: len(status) == 0,
		restarts:  status.count("resettingCount", 0),
		general:   true,
	}
	_, ready := holding(status, "PodsReady")
	for i := range w.parts {
		w.readPart(i, a, ready)
	}
	if w.only >= 0 && w.parts[w.only].read != nil {
		a.elastic = w.parts[w.only].read.elastic
	}
	a.operatorStatus = w.word(f.Top, status, a)
	if deployed, is := conditionOf(status, "ResourcesDeployed"); is && a.started.IsZero() && deployed.holds {
		a.started = deployed.at
	}
	return a
}

// wrapper is an AppWrapper with what it wraps.
type wrapper struct {
	family *Family
	parts  []wrappedPart
	// only is the only part with pods, below zero where several have some.
	only int
	// below are the objects below it, nil where only is known.
	below map[namedObject]*unstructured.Unstructured
}

func newWrapper(f *Family) *wrapper {
	w := &wrapper{family: f, parts: wrappedParts(f), only: -1}
	ranked := 0
	for i := range w.parts {
		if w.parts[i].hasPods() {
			w.only, ranked = i, ranked+1
		}
	}
	if ranked != 1 {
		w.only, w.below = -1, make(map[namedObject]*unstructured.Unstructured, len(f.Below))
		for _, o := range f.Below {
			w.below[namedObject{o.GroupVersionKind().GroupKind(), o.GetName()}] = o
		}
	}
	return w
}

// namedObject is an object of the namespace.
type namedObject struct {
	kind schema.GroupKind
	name string
}

// hasPods reports whether a part makes pods: a job, and what has declared them.
func (p *wrappedPart) hasPods() bool {
	return IsJob(p.kind) || len(p.podSets) > 0 || plainPods[p.kind]
}

// wrappedPart is one object of an AppWrapper.
type wrappedPart struct {
	kind schema.GroupKind
	name string
	// object is nil until the AppWrapper has created it; template is what it creates
	// then.
	object, template *unstructured.Unstructured
	// podSets are its pods as somebody declared them, for kinds that are not known.
	podSets []fields
	// read is what the kind's own reader finds, nil for other kinds.
	read *specAndStatus
	// roles are the names of its roles in the AppWrapper, by their own.
	roles map[string]string
}

// wrappedParts returns what is wrapped, in the order of the components: as objects, where
// they are there, else as templates. Where the AppWrapper cannot be read, they are the
// jobs that it controls.
func wrappedParts(f *Family) []wrappedPart {
	var parts []wrappedPart
	top := fieldsOf(f.Top)
	statuses := top.in("status").items("componentStatus")
	for i, component := range top.in("spec").items("components") {
		template := component.in("template")
		part := wrappedPart{template: &unstructured.Unstructured{Object: template}, podSets: component.items("podSets")}
		part.kind, part.name = part.template.GroupVersionKind().GroupKind(), template.in("metadata").text("name")
		if i < len(statuses) { // a generated name is only there
			part.name = cmp.Or(statuses[i].text("name"), part.name)
			if len(part.podSets) == 0 {
				part.podSets = statuses[i].items("podSets")
			}
		}
		part.object = f.wrapped(part.kind, part.name)
		parts = append(parts, part)
	}
	if f.Top != nil {
		return parts
	}
	for _, o := range f.Below {
		kind := o.GroupVersionKind().GroupKind()
		if of := metav1.GetControllerOfNoCopy(o); of != nil && of.Kind == f.Ref.Kind && of.Name == f.Ref.Name && IsJob(kind) {
			parts = append(parts, wrappedPart{kind: kind, name: o.GetName(), object: o, template: o})
		}
	}
	return parts
}

// wrapped returns the object of a kind and a name below a job, nil without one.
func (f *Family) wrapped(kind schema.GroupKind, name string) *unstructured.Unstructured {
	at := slices.IndexFunc(f.Below, func(o *unstructured.Unstructured) bool {
		return o.GetName() == name && o.GroupVersionKind().GroupKind() == kind
	})
	if at < 0 {
		return nil
	}
	return f.Below[at]
}

// readPart adds the roles of a part, and what its own reader finds. Their ranks follow
// those of the parts before it. ready means that the AppWrapper counts all pods as
// running.
func (w *wrapper) readPart(i int, a *specAndStatus, ready bool) {
	part := &w.parts[i]
	var roles []role
	if kind, is := jobKindOf(part.kind); is && kind.read != nil {
		part.read = kind.read(w.familyOf(i))
		roles = part.read.roles
		a.general = a.general && part.read.general
		addPart(a, part)
	} else {
		roles = part.plainRoles(ready)
	}
	first := 0
	for j := range a.roles {
		first += a.roles[j].wanted
	}
	part.roles = map[string]string{}
	for _, r := range roles {
		own := r.name
		if roleWanted(a, r.name) >= 0 {
			r.name = part.plainRole(0) + "-" + r.name // of an earlier part
		}
		part.roles[own] = r.name
		if number := r.rank; number != nil {
			r.rank = func(index int) int { return first + number(index) }
		}
		a.roles = append(a.roles, r)
	}
}

// addPart adds what the reader of a part found beside its roles.
func addPart(a *specAndStatus, part *wrappedPart) {
	read := part.read
	a.alive += read.alive
	a.restarts += read.restarts
	a.volcanoQueue = cmp.Or(a.volcanoQueue, read.volcanoQueue)
	a.unread, a.odd = cmp.Or(a.unread, read.unread), cmp.Or(a.odd, read.odd)
	if a.progress == nil {
		a.progress = read.progress
	}
	if part.object != nil {
		a.unstarted = a.unstarted || read.unstarted
		a.unknownPhase = cmp.Or(a.unknownPhase, read.unknownPhase)
		a.suspended = a.suspended || read.suspended
		a.started = earliest(a.started, read.started)
	}
}

// familyOf is a part as if it were a job of its own.
func (w *wrapper) familyOf(i int) *Family {
	part := &w.parts[i]
	f := *w.family
	f.Top = part.object
	if f.Top == nil {
		f.Top = part.template
	}
	f.Ref = train.Ref{Group: part.kind.Group, Kind: part.kind.Kind, Namespace: w.family.Ref.Namespace, Name: part.name}
	if w.only == i {
		return &f
	}
	f.Below, f.Pods = nil, nil
	for _, o := range w.family.Below {
		if w.partAbove(o) == i {
			f.Below = append(f.Below, o)
		}
	}
	for _, pod := range w.family.Pods {
		if w.partOf(pod) == i {
			f.Pods = append(f.Pods, pod)
		}
	}
	return &f
}

// partOf returns the part that a pod belongs to, below zero for none.
func (w *wrapper) partOf(pod *corev1.Pod) int {
	if w.only >= 0 {
		return w.only
	}
	if hash := pod.Labels["pod-template-hash"]; hash != "" { // a Deployment's, through a ReplicaSet that is not read
		of := metav1.GetControllerOfNoCopy(pod)
		return slices.IndexFunc(w.parts, func(p wrappedPart) bool {
			return p.kind.Kind == "Deployment" && of != nil && of.Name == p.name+"-"+hash
		})
	}
	if at := slices.IndexFunc(w.parts, func(p wrappedPart) bool { return p.kind == PodKind && p.name == pod.Name }); at >= 0 {
		return at
	}
	return w.partAbove(pod)
}

// partAbove goes up the controllers of an object to a part, below zero for none.
func (w *wrapper) partAbove(o Object) int {
	for range MaxChain {
		of := metav1.GetControllerOfNoCopy(o)
		if of == nil {
			break
		}
		kind := schema.FromAPIVersionAndKind(of.APIVersion, of.Kind).GroupKind()
		if at := slices.IndexFunc(w.parts, func(p wrappedPart) bool { return p.kind == kind && p.name == of.Name }); at >= 0 {
			return at
		}
		above := w.below[namedObject{kind, of.Name}]
		if above == nil {
			break
		}
		o = above
	}
	return -1
}

func (w *wrapper) position(pod *corev1.Pod) rankPosition {
	i := w.partOf(pod)
	if i < 0 {
		return rankPosition{index: -1}
	}
	part := &w.parts[i]
	if part.read == nil {
		return rankPosition{role: part.plainRole(0), index: -1}
	}
	at := part.read.position(pod)
	for own, name := range part.roles {
		if strings.EqualFold(own, at.role) {
			at.role = name
		}
	}
	return at
}

func (w *wrapper) done(role string, index int) bool {
	for i := range w.parts {
		if part := &w.parts[i]; part.read != nil && part.read.done != nil {
			for own, name := range part.roles {
				if name == role {
					return part.read.done(own, index)
				}
			}
		}
	}
	return false
}

// word returns what the AppWrapper reports. While it is Running, its parts show more:
// it tries them again until its limit when one fails, and waits for the last pod
// after a success.
func (w *wrapper) word(top *unstructured.Unstructured, status fields, a *specAndStatus) operatorStatus {
	unhealthy, _ := holding(status, "Unhealthy")
	ready, known := conditionOf(status, "PodsReady")
	failed := w.failed()
	switch phase := status.text("phase"); phase {
	case "Succeeded":
		over, _ := conditionOf(status, "QuotaReserved") // false from then on
		return operatorStatus{phase: train.Succeeded, at: over.at}
	case "Failed":
		if failed.phase != "" {
			return failed
		}
		return operatorStatusOf(train.Failed, unhealthy)
	case "Resetting":
		return operatorStatusOf(train.Restarting, unhealthy)
	case "Running":
		if failed.phase != "" && status.count("resettingCount", 0) < retryLimit(top) {
			failed.phase = train.Restarting
		}
		word := cmp.Or(failed, w.agreed())
		if word.phase == "" && known && ready.holds {
			word.phase = train.Running
		}
		if word.phase == "" && word.message == "" {
			word.message = cmp.Or(unhealthy.message, ready.message)
		}
		return word
	case "Resuming":
		return operatorStatusOf("", unhealthy) // it could not create them so far
	case "", "Suspended", "Suspending", "Terminating":
	default:
		a.unknownPhase = "status.phase is " + shownValue(phase)
	}
	if top == nil {
		return cmp.Or(failed, w.agreed())
	}
	return operatorStatus{}
}

// failed returns the words of a part that has failed, empty where none has.
func (w *wrapper) failed() operatorStatus {
	for i := range w.parts {
		if part := &w.parts[i]; part.object != nil && part.read != nil && part.read.operatorStatus.phase == train.Failed {
			return part.read.operatorStatus
		}
	}
	return operatorStatus{}
}

// agreed returns the words of the first job that has not ended, or of the last one where
// all have; empty where one is not there yet or none is a job.
func (w *wrapper) agreed() operatorStatus {
	var word operatorStatus
	for i := range w.parts {
		part := &w.parts[i]
		if part.read == nil {
			continue
		}
		if part.object == nil {
			return operatorStatus{}
		}
		if word = part.read.operatorStatus; word.phase != train.Succeeded {
			return word
		}
	}
	return word
}

// retryLimit is how often the AppWrapper makes its objects anew.
func retryLimit(top *unstructured.Unstructured) int {
	if top != nil {
		if n, err := strconv.Atoi(top.GetAnnotations()[appWrapperRetryLimit]); err == nil {
			return n
		}
	}
	return appWrapperRetries
}

// plainPods are kinds without a reader whose pods are known without a declaration
// (appwrapper 1.2.1, pkg/utils/utils.go).
var plainPods = map[schema.GroupKind]bool{
	PodKind: true, {Group: "apps", Kind: "Deployment"}: true, {Group: "apps", Kind: "StatefulSet"}: true,
}

// plainRoles are the roles of a part that is no job: its pods, or those that are declared
// in podSets.
func (p *wrappedPart) plainRoles(ready bool) []role {
	template := fieldsOf(p.template)
	var roles []role
	switch {
	case p.kind == PodKind:
		roles = []role{{name: p.plainRole(0), wanted: 1, template: template}}
	case plainPods[p.kind]:
		spec := template.in("spec")
		roles = []role{{name: p.plainRole(0), wanted: spec.count("replicas", 1), template: spec.in("template")}}
	default:
		for i, set := range p.podSets {
			roles = append(roles, role{name: p.plainRole(i), wanted: set.count("replicas", 1), template: podSetTemplate(template, set.text("path"))})
		}
	}
	for i := range roles {
		roles[i].assumed = true
		if ready {
			roles[i].ready = roles[i].wanted
		}
	}
	return roles
}

// plainRole is the name of the role of a part's i-th pod set.
func (p *wrappedPart) plainRole(i int) string {
	name := cmp.Or(p.name, batchRole)
	if i > 0 {
		name += "-" + strconv.Itoa(i)
	}
	return name
}

// podSetTemplate follows the path of a pod set to a template of pods: fields joined by
// dots and numbers of a list in brackets, below the word template (appwrapper 1.2.1,
// pkg/utils/utils.go). It returns nil where there is none.
func podSetTemplate(template fields, path string) fields {
	path, _ = strings.CutPrefix(path, "template")
	var at any = map[string]any(template)
	for _, step := range strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
		switch of := at.(type) {
		case map[string]any:
			at = of[step]
		case []any:
			i, numbered := parseIndex(step)
			if !numbered || i >= len(of) {
				return nil
			}
			at = of[i]
		default:
			return nil
		}
	}
	return asFields(at)
}
