package gpus

// podName names a pod.
type podName struct{ namespace, name string }

// maxMoved bounds the pods whose previous node is remembered; beyond it the
// readings of all sources are placed again.
const maxMoved = 4096

// movedNames remembers where pods were, and which nodes existed, before they
// changed.
type movedNames struct {
	pods  map[podName]string
	nodes map[string]bool
	many  bool
}

func newMovedNames() movedNames {
	return movedNames{pods: map[podName]string{}, nodes: map[string]bool{}}
}

// PodChanges records the node of a pod before it changes, "" for none.
func (f *Fold) PodChanges(namespace, name, node string) {
	if len(f.sources) == 0 || f.moved.many {
		return
	}
	pod := podName{namespace, name}
	if _, noted := f.moved.pods[pod]; !noted {
		f.moved.pods[pod] = node
	}
	f.moved.bound()
}

// NodeChanges records whether a node existed before it changes.
func (f *Fold) NodeChanges(name string, was bool) {
	if len(f.sources) == 0 || f.moved.many {
		return
	}
	if _, noted := f.moved.nodes[name]; !noted {
		f.moved.nodes[name] = was
	}
	f.moved.bound()
}

func (m *movedNames) bound() {
	if len(m.pods)+len(m.nodes) > maxMoved {
		*m = newMovedNames()
		m.many = true
	}
}

// placeAgain finds the nodes again for readings that name no node, when pods
// or nodes that they may refer to were created, deleted or moved.
func (f *Fold) placeAgain(objects Objects) {
	m := &f.moved
	if len(m.pods)+len(m.nodes) == 0 && !m.many {
		return
	}
	names, all := m.names(objects), m.many
	*m = newMovedNames()
	if len(names) == 0 && !all {
		return
	}
	for _, from := range f.inOrder() {
		if all || from.means(names) {
			f.placeSource(from, f.unclaim(from), objects)
		}
	}
}

// names returns the nodes that were created or deleted, and the pods whose
// node changed.
func (m *movedNames) names(objects Objects) map[string]bool {
	names := map[string]bool{}
	for name, was := range m.nodes {
		if was != objects.HasNode(name) {
			names[name] = true
		}
	}
	for pod, was := range m.pods {
		if was != objects.NodeOfPod(pod.namespace, pod.name) {
			names[pod.name] = true
		}
	}
	return names
}

// means reports whether a source may refer to one of these nodes and pods.
func (from *source) means(moved map[string]bool) bool {
	for _, node := range from.nodes {
		if moved[node] {
			return true
		}
	}
	for _, name := range from.own { // a GPU that repeats may be placed elsewhere
		if moved[name] {
			return true
		}
	}
	for name := range from.names {
		if moved[name] {
			return true
		}
	}
	return false
}
