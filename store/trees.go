package store

import "github.com/tidwall/btree"

// tree is an ordered map that is copied on write: a copy costs nothing, and
// later changes do not affect it. It holds a *btree.Map, which mapOf returns.
// Were the field of a snapshot the map itself, each package that uses a
// Snapshot would compile all methods of all maps anew
// (docs/decisions/009-copy-on-write-trees.md).
type tree[K ~string, V any] interface{ KeyValues() ([]K, []V) }

func newTree[K ~string, V any]() tree[K, V] { return &btree.Map[K, V]{} }

func mapOf[K ~string, V any](t tree[K, V]) *btree.Map[K, V] { return t.(*btree.Map[K, V]) }

func copyTree[K ~string, V any](t tree[K, V]) tree[K, V] { return mapOf(t).Copy() }

// sortedSet is an ordered set of items that are not strings, copied on write.
// It holds a *btree.BTreeG, which setOf returns, for the reason given at tree.
type sortedSet[T any] interface{ Items() []T }

func setOf[T any](s sortedSet[T]) *btree.BTreeG[T] { return s.(*btree.BTreeG[T]) }

// newSet returns a set that several goroutines read and that is written only
// before they see it, so it needs no lock of its own.
func newSet[T any](less func(a, b T) bool) sortedSet[T] {
	return btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})
}

// writable returns a copy of a set that may be changed; of nil, an empty one.
func writable[T any](set sortedSet[T], less func(a, b T) bool) sortedSet[T] {
	if set == nil {
		return newSet(less)
	}
	return setOf(set).Copy()
}
