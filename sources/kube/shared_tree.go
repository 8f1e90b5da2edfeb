package kube

import (
	"hash/maphash"
	"math"
	"reflect"
)

// anyRef holds a branch of an unstructured object, that is a map, a list or a
// string, boxed once.
type anyRef struct{ branch any }

// treeHash hashes branches whose children are already shared. The seed is
// random, so that nobody can construct collisions; accidental collisions are
// compared and not shared.
type treeHash struct{ seed maphash.Seed }

func newTreeHash() treeHash { return treeHash{seed: maphash.MakeSeed()} }

// tree returns a branch equal to node that shares its parts, and itself if
// possible, with earlier objects.
func (s *shared) tree(node any, depth int) any {
	if depth > maxDepth {
		return node
	}
	switch node := node.(type) {
	case string:
		if len(node) > longString {
			return node
		}
		return s.same(node)
	case map[string]any:
		for key, child := range node {
			node[s.string(key)] = s.tree(child, depth+1)
		}
		return s.same(node)
	case []any:
		for i, child := range node {
			node[i] = s.tree(child, depth+1)
		}
		return s.same(node)
	}
	return node
}

func (s *shared) same(branch any) any {
	hash := s.hash.of(branch)
	if earlier, ok := s.trees.get(hash); ok {
		if alike(earlier.branch, branch) {
			return earlier.branch
		}
		return branch
	}
	s.trees.put(hash, anyRef{branch})
	return branch
}

func (h treeHash) of(branch any) uint64 {
	switch branch := branch.(type) {
	case string:
		return maphash.String(h.seed, branch)
	case map[string]any:
		// A sum, since a map has no order.
		sum := uint64(len(branch)) * 0x9e3779b97f4a7c15
		for key, child := range branch {
			sum += mix(maphash.String(h.seed, key), h.child(child))
		}
		return mix(sum, 1)
	case []any:
		sum := uint64(len(branch))
		for _, child := range branch {
			sum = mix(sum, h.child(child))
		}
		return mix(sum, 2)
	}
	return h.child(branch)
}

// child hashes a map or list by its address: equal ones are the same by now,
// and unshared ones count as different.
func (h treeHash) child(node any) uint64 {
	switch node := node.(type) {
	case string:
		return maphash.String(h.seed, node)
	case map[string]any:
		return mix(uint64(reflect.ValueOf(node).Pointer()), 3)
	case []any:
		return mix(uint64(place(node)), uint64(len(node)))
	case int64:
		return mix(uint64(node), 5)
	case float64:
		return mix(math.Float64bits(node), 6)
	case bool:
		if node {
			return 7
		}
		return 8
	}
	return 9 // null
}

func place(list []any) uintptr { return reflect.ValueOf(list).Pointer() }

// alike compares two branches one level deep; nested maps and lists are alike
// only if they are identical.
func alike(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for key, child := range a {
			other, has := b[key]
			if !has || !identical(child, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !identical(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	return identical(a, b)
}

func identical(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer()
	case []any:
		b, ok := b.([]any)
		return ok && len(a) == len(b) && place(a) == place(b)
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}

// mix is the finisher of splitmix64 over two words.
func mix(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 + b + 0x7f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
