package store

import "strings"

// key identifies an object within its kind: "namespace/name". A namespace
// contains no slash, so keys of one namespace are adjacent, in order of name.
type key = string

func keyOf(namespace, name string) key { return namespace + "/" + name }

// index is an ordered set of pairs (from, to) for lookups of "all x of y": the
// children of an object, the pods on a node. It is a copy-on-write tree, so a
// copy costs nothing and later changes do not affect it.
type index struct{ pairs tree[string, struct{}] }

func newIndex() index { return index{newTree[string, struct{}]()} }

const pairSeparator = "\x00"

func (x *index) add(from, to string)    { mapOf(x.pairs).Set(from+pairSeparator+to, struct{}{}) }
func (x *index) remove(from, to string) { mapOf(x.pairs).Delete(from + pairSeparator + to) }

// each calls visit with every to of from, in order, until it returns false.
func (x *index) each(from string, visit func(to string) bool) {
	prefix := from + pairSeparator
	mapOf(x.pairs).Ascend(prefix, func(pair string, _ struct{}) bool {
		to, found := strings.CutPrefix(pair, prefix)
		return found && visit(to)
	})
}

func (x *index) copy() index { return index{copyTree(x.pairs)} }

func cutPair(pair string) (from, to string) {
	from, to, _ = strings.Cut(pair, pairSeparator)
	return from, to
}
