package kube

import "sync"

// namespaceInUse is a name with change notification: a reader also gets a
// channel that closes when it changes.
type namespaceInUse struct {
	mu      sync.Mutex
	name    string
	changed chan struct{}
}

func newNamespaceInUse(name string) *namespaceInUse {
	return &namespaceInUse{name: name, changed: make(chan struct{})}
}

func (n *namespaceInUse) get() (name string, changed <-chan struct{}) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.name, n.changed
}

func (n *namespaceInUse) set(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if name == n.name || name == "" {
		return
	}
	n.name = name
	close(n.changed)
	n.changed = make(chan struct{})
}
