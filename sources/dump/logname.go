package dump

import (
	"iter"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// The path of a log file identifies its pod: the folders of the kubelet, of
// must-gather and of kubectl cluster-info dump, and the names people give to
// files written with kubectl logs. An ambiguous name counts only if the dump
// has the pod it would name.
var (
	// podFolder is NAMESPACE_POD_UID below /var/log/pods (kubelet
	// pkg/kubelet/kuberuntime/helpers.go, BuildPodLogsDirectory).
	podFolder = regexp.MustCompile(`^([a-z0-9][-a-z0-9]*)_([a-z0-9][-.a-z0-9]*)_([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32})$`)
	// lifeFile is RESTARTS.log in that folder, and its rotated forms.
	lifeFile = regexp.MustCompile(`^([0-9]{1,6})\.log(?:\.|$)`)
	// containerFile is POD_NAMESPACE_CONTAINER-ID.log of /var/log/containers
	// (kubelet pkg/kubelet/kuberuntime/legacy.go, logSymlink).
	containerFile = regexp.MustCompile(`^([a-z0-9][-.a-z0-9]*)_([a-z0-9][-a-z0-9]*)_([a-z0-9][-a-z0-9]*)-[0-9a-f]{64}\.log$`)
	// previousName ends the name of a log of the previous container instance.
	previousName = regexp.MustCompile(`(?i)(?:^|[-_.])(?:previous|prev)(?:[-_.]insecure)?$`)
	// extensions are those of logs, including rotated and compressed ones.
	extensions = regexp.MustCompile(`(?i)(?:\.(?:log|logs|txt|out|err|jsonl|ndjson|gz|[0-9]{1,3}|[0-9]{8}(?:-[0-9]{6})?))+$`)
)

// trackersOwnLog matches the files in which W&B logs what it does itself (wandb
// sdk/wandb_settings.py, log_user and log_internal).
var trackersOwnLog = regexp.MustCompile(`(?:^|[/\\])wandb[/\\](?:.*[/\\])?debug(?:-internal|-core|-cli\.[^/\\]*)?\.log$`)

// flightDump is PyTorch's name for the dump of a rank's flight recorder:
// nccl_trace_rank_3, in newer releases comm_lib_trace_rank_3, and in torch_npu
// hccl_trace_rank_3.
var flightDump = regexp.MustCompile(`_trace_(?:rank_)?[0-9]+$`)

// pods are the pods of the dump, by name.
type pods map[string][]*pod

type pod struct {
	namespace, name, uid string
	// containers are the containers with their restart counts, the training one
	// first.
	containers []containerRestarts
}

type containerRestarts struct {
	container string
	restarts  int
}

// podOf keeps the parts of a pod that names of log files may refer to.
func podOf(p *corev1.Pod) *pod {
	known := &pod{namespace: p.Namespace, name: p.Name, uid: string(p.UID)}
	for _, containers := range [][]corev1.Container{p.Spec.Containers, p.Spec.InitContainers} {
		for i := range containers {
			known.containers = append(known.containers, containerRestarts{container: containers[i].Name})
		}
	}
	for _, statuses := range [][]corev1.ContainerStatus{p.Status.ContainerStatuses, p.Status.InitContainerStatuses} {
		for i := range statuses {
			if l := known.restartsOf(statuses[i].Name); l != nil {
				l.restarts = int(statuses[i].RestartCount)
			}
		}
	}
	usual := p.Annotations["kubectl.kubernetes.io/default-container"]
	slices.SortStableFunc(known.containers, func(a, b containerRestarts) int {
		return strings.Compare(strconv.FormatBool(a.container != usual), strconv.FormatBool(b.container != usual))
	})
	return known
}

// restartsOf returns a container by its name, the training one for "", nil for none.
func (p *pod) restartsOf(container string) *containerRestarts {
	for i := range p.containers {
		if container == "" || p.containers[i].container == container {
			return &p.containers[i]
		}
	}
	return nil
}

// add adds a pod; a later object of the same pod replaces it.
func (known pods) add(p *pod) {
	for i, before := range known[p.name] {
		if before.namespace == p.namespace {
			known[p.name][i] = p
			return
		}
	}
	known[p.name] = append(known[p.name], p)
}

// find returns a pod by its name, in a namespace unless that is "".
func (known pods) find(namespace, name string) *pod {
	for _, p := range known[name] {
		if namespace == "" || p.namespace == namespace {
			return p
		}
	}
	return nil
}

// findNear returns a pod by its name. Of several namespaces that have one, it is that
// whose name is in the path: the nearest folder's, or the file's.
func (known pods) findNear(path, namespace, name string) *pod {
	if namespace != "" || len(known[name]) < 2 {
		return known.find(namespace, name)
	}
	if p := nearest(elementsOf(path), known[name]); p != nil {
		return p
	}
	return known.find("", name)
}

// nearest returns of pods of one name the one whose namespace is in a path beside that
// name: in the file's name, or in the nearest folder's. nil for none.
func nearest(elements []string, namesakes []*pod) *pod {
	for i := len(elements) - 1; i >= 0; i-- {
		var longest *pod
		for _, p := range namesakes {
			if hasWord(strings.Replace(elements[i], p.name, "", 1), p.namespace) && (longest == nil || len(p.namespace) > len(longest.namespace)) {
				longest = p
			}
		}
		if longest != nil {
			return longest
		}
	}
	return nil
}

func elementsOf(path string) []string { return strings.Split(strings.ReplaceAll(path, `\`, "/"), "/") }

// hasWord reports whether a name has a word that neither a letter nor a digit
// continues.
func hasWord(name, word string) bool {
	for from := 0; word != ""; {
		at := strings.Index(name[from:], word)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(word)
		if (at == 0 || !isWordByte(name[at-1])) && (end == len(name) || !isWordByte(name[end])) {
			return true
		}
		from = at + 1
	}
	return false
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// streamOf returns the stream of a path. Without a pod it only has a file; then
// namesakes are the pods of several namespaces of which it may be.
func streamOf(path string, known pods) (id train.StreamID, namesakes []*pod) {
	elements := elementsOf(path)
	id, found := ofKubelet(elements)
	if !found {
		id, namesakes, found = ofDump(elements, known)
	}
	if p := known.find(id.Namespace, id.Pod); found && p != nil {
		id.Namespace = p.namespace
		if id.UID == "" {
			id.UID = p.uid
		}
	}
	id.File = path
	return id, namesakes
}

// ofKubelet parses the paths that a kubelet creates.
func ofKubelet(elements []string) (id train.StreamID, found bool) {
	base := elements[len(elements)-1]
	if m := containerFile.FindStringSubmatch(base); m != nil {
		return train.StreamID{Pod: m[1], Namespace: m[2], Container: m[3]}, true
	}
	if len(elements) < 3 {
		return id, false
	}
	folder := podFolder.FindStringSubmatch(elements[len(elements)-3])
	file := lifeFile.FindStringSubmatch(base)
	if folder == nil || file == nil {
		return id, false
	}
	restart, _ := strconv.Atoi(file[1]) // six digits at most
	return train.StreamID{Namespace: folder[1], Pod: folder[2], UID: folder[3], Container: elements[len(elements)-2], Restart: restart}, true
}

// ofDump finds a pod of the dump in a path: in the file's name, or in a
// folder's, followed by a container. It finds none where pods of several namespaces
// have the name, and the path has none of these.
func ofDump(elements []string, known pods) (id train.StreamID, namesakes []*pod, found bool) {
	base := extensions.ReplaceAllString(elements[len(elements)-1], "")
	previous := previousName.MatchString(base)
	base = previousName.ReplaceAllString(base, "")
	p, container := podFromName(base, namespaceAbove(elements[:len(elements)-1], known, base), known)
	if p == nil {
		p, container = podInFolders(elements, base, known)
	}
	if p == nil {
		p, container = podWithin(elements, base, known)
	}
	if p == nil {
		return id, nil, false
	}
	if namesakes = known[p.name]; len(namesakes) > 1 {
		if p = nearest(elements, namesakes); p == nil {
			return id, namesakes, false
		}
	}
	id = train.StreamID{Namespace: p.namespace, Pod: p.name, UID: p.uid, Container: container}
	if l := p.restartsOf(container); l != nil {
		id.Restart = l.restarts
	}
	if previous && id.Restart > 0 {
		id.Restart--
	}
	return id, nil, true
}

// podFromName parses POD, NAMESPACE_POD, POD_CONTAINER and the like, with any
// separator.
func podFromName(name, namespace string, known pods) (p *pod, container string) {
	if p = known.find(namespace, name); p != nil {
		return p, ""
	}
	for i := range len(name) {
		if strings.IndexByte("_-.@", name[i]) < 0 {
			continue
		}
		left, right := name[:i], name[i+1:]
		if p = known.find(namespace, left); p != nil && right != "" && p.restartsOf(right) != nil {
			return p, right
		}
		if p, container = splitPodName(left, right, known); p != nil {
			return p, container
		}
	}
	return nil, ""
}

// splitPodName parses POD or POD and CONTAINER after a namespace.
func splitPodName(namespace, name string, known pods) (p *pod, container string) {
	if p = known.find(namespace, name); p != nil {
		return p, ""
	}
	for i := range len(name) {
		if strings.IndexByte("_-.@", name[i]) < 0 || i+1 == len(name) {
			continue
		}
		if p = known.find(namespace, name[:i]); p != nil && p.restartsOf(name[i+1:]) != nil {
			return p, name[i+1:]
		}
	}
	return nil, ""
}

// namespaceAbove returns the nearest folder that is the namespace of a pod
// whose name starts name.
func namespaceAbove(folders []string, known pods, name string) string {
	for i := len(folders) - 1; i >= 0; i-- {
		if p, _ := splitPodName(folders[i], name, known); folders[i] != "" && p != nil {
			return folders[i]
		}
	}
	return ""
}

// podInFolders finds POD/.../CONTAINER/... in the folders of a path.
func podInFolders(elements []string, base string, known pods) (p *pod, container string) {
	for i := len(elements) - 2; i >= 0; i-- {
		if p = known.find("", elements[i]); p == nil {
			continue
		}
		for _, same := range known[elements[i]] {
			if slices.Contains(elements[:i], same.namespace) {
				p = same
			}
		}
		for _, inner := range append(slices.Clone(elements[i+1:len(elements)-1]), base) {
			if inner != "" && p.restartsOf(inner) != nil {
				return p, inner
			}
		}
		return p, ""
	}
	return nil, ""
}

// podWithin finds the name of a pod as a part of a file's or a folder's name,
// with a namespace, a container, a time or words such as "pod" and "log" around
// it: pod-POD, NAMESPACE_POD/CONTAINER, NAMESPACE-POD-TIME as k9s 0.50 saves
// logs (internal/view/log.go, saveData).
func podWithin(elements []string, base string, known pods) (p *pod, container string) {
	names := append(slices.Clone(elements[:len(elements)-1]), base)
	for i := len(names) - 1; i >= 0; i-- {
		for part := range partsOf(names[i]) {
			for _, candidate := range known[part] {
				if c, is := candidate.isNamedIn(names[i]); is && (p == nil || len(candidate.name) > len(p.name)) {
					p, container = candidate, c
				}
			}
		}
		if p == nil {
			continue
		}
		if inner := names[len(names)-1]; container == "" && i < len(names)-1 && p.restartsOf(inner) != nil {
			container = inner
		}
		return p, container
	}
	return nil, ""
}

// partsOf yields the parts between any two separators of a name.
func partsOf(name string) iter.Seq[string] {
	bounds := []int{-1}
	for i := range len(name) {
		if strings.IndexByte("_-.@ ", name[i]) >= 0 && len(bounds) < mostParts {
			bounds = append(bounds, i)
		}
	}
	bounds = append(bounds, len(name))
	return func(yield func(string) bool) {
		for i, from := range bounds {
			for _, to := range bounds[i+1:] {
				if !yield(name[from+1 : to]) {
					return
				}
			}
		}
	}
}

// mostParts bounds how many separators of a name are looked at.
const mostParts = 48

// around are words that people and tools write around a pod's name.
var around = map[string]bool{"pod": true, "pods": true, "log": true, "logs": true, "kubectl": true, "current": true, "stdout": true, "stderr": true, "out": true, "err": true}

// isNamedIn reports whether a file's or folder's name has the pod's, and around
// it nothing that makes it the name of another pod.
func (p *pod) isNamedIn(name string) (container string, is bool) {
	before, after, found := strings.Cut(name, p.name)
	if !found {
		return "", false
	}
	var parts []string
	for _, side := range []string{strings.TrimRight(before, "_-.@ "), strings.TrimLeft(after, "_-.@ ")} {
		if side != "" {
			parts = append(parts, side)
		}
	}
	if before != "" && isWordByte(before[len(before)-1]) || after != "" && isWordByte(after[0]) {
		return "", false
	}
	for _, part := range parts {
		switch {
		case part == p.namespace, around[strings.ToLower(part)], isTime(part):
		case p.restartsOf(part) != nil:
			container = part
		default:
			return "", false
		}
	}
	return container, true
}

// isTime reports whether a part of a name is a date or a time: at least eight
// digits, and nothing that times do not have.
func isTime(part string) bool {
	digits := 0
	for i := range len(part) {
		switch c := part[i]; {
		case c >= '0' && c <= '9':
			digits++
		case strings.IndexByte("-_.:TZ+", c) < 0:
			return false
		}
	}
	return digits >= 8
}

// looksLikeLog reports whether a file in a folder has the name of a log. A
// folder also has programs, notes and tables, which are text too.
func looksLikeLog(path string, known pods) bool {
	base := strings.ToLower(filepath.Base(path))
	if part, is := rotatedPartOf(base); is {
		base = part.whole
	}
	if extensions.MatchString(base) && !strings.Contains(base, "readme") && !strings.Contains(base, "license") &&
		!strings.Contains(base, "requirements") && !strings.Contains(base, "describe") {
		return true
	}
	for _, word := range []string{"log", "stdout", "stderr", "output"} {
		if base == word || strings.HasPrefix(base, word+".") && !strings.HasSuffix(base, ".py") {
			return true
		}
	}
	id, namesakes := streamOf(path, known)
	return flightDump.MatchString(base) || id.Pod != "" || len(namesakes) > 0
}
