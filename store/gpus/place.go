package gpus

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

// sourceKey names a source, and the node that it reports.
type sourceKey struct{ source, node string }

func (k sourceKey) compare(other sourceKey) int {
	return cmp.Or(cmp.Compare(k.source, other.source), cmp.Compare(k.node, other.node))
}

// source holds the newest readings of one source.
type source struct {
	key    sourceKey
	newest Measured
	// own is the node of each reading according to the source and the objects;
	// "" when unknown.
	own []string
	// searched is true when objects were searched for it, and names are the
	// nodes and pods that may change the result.
	searched bool
	names    map[string]bool
	// nodes are the nodes with readings of it.
	nodes []string
}

// placeSource finds the nodes of a source's readings; shared are those that
// other sources reported before.
func (f *Fold) placeSource(from *source, shared []string, objects Objects) {
	from.findNodes(objects)
	shared = append(shared, f.claim(from)...)
	moved := f.settle(shared, objects)
	f.place(from)
	for _, other := range moved {
		if other != from {
			f.place(other)
		}
	}
}

// claim records that a source reports a GPU on a node.
type claim struct {
	by    *source
	node  string
	trust train.GPUSource
	// reading is the number of one of the source's readings of it.
	reading int
}

func (c claim) isSame(other claim) bool {
	return c.by == other.by && c.node == other.node && c.trust == other.trust
}

// maxClaims bounds the reports of one UUID that are compared; further ones stay
// on the nodes that they name where it repeats.
const maxClaims = 16

// findNodes finds the node of each reading, as far as the source and the
// objects determine it.
func (from *source) findNodes(objects Objects) {
	readings := from.newest.Readings
	from.own, from.searched, from.names = make([]string, len(readings)), false, nil
	for i := range readings {
		g := &readings[i].GPU
		if from.own[i] = cmp.Or(g.Node, from.newest.Node); !isNode(objects, from.own[i]) {
			from.searched = true
		}
	}
	if !from.searched {
		return
	}
	from.names = map[string]bool{}
	hosts, aliases := from.hostPods(objects), map[string]string{}
	var unsure []int
	for i := range readings {
		named := from.own[i]
		from.names[named], from.names[readings[i].GPU.Host], from.names[readings[i].GPU.Pod] = true, true, true
		node, sure := nodeOfGPU(objects, named, &readings[i].GPU, hosts)
		if from.own[i] = node; !sure {
			unsure = append(unsure, i)
		} else if name := cmp.Or(named, readings[i].GPU.Host); name != "" && name != node {
			aliases[name] = node
		}
	}
	for _, i := range unsure { // a free GPU is where its neighbours are, which a pod holds
		if node := aliases[cmp.Or(from.own[i], readings[i].GPU.Host)]; node != "" {
			from.own[i] = node
		}
	}
}

func isNode(objects Objects, name string) bool { return name != "" && objects.HasNode(name) }

// hostPods finds the pods that are named like a host of a reading, and the
// node each runs on: exporters that do not know their node write the name of
// their pod.
func (from *source) hostPods(objects Objects) map[string]string {
	wanted := map[string]string{}
	for i := range from.newest.Readings {
		if host := from.newest.Readings[i].GPU.Host; from.own[i] == "" && host != "" && !isNode(objects, host) {
			wanted[host] = ""
		}
	}
	if len(wanted) == 0 {
		return wanted
	}
	objects.EachPod(func(name, node string) {
		if _, isWanted := wanted[name]; isWanted {
			wanted[name] = node
		}
	})
	return wanted
}

// nodeOfGPU returns the node of a reading: the node it names, the host it
// names when that is a node, the node of the pod that is named like the host,
// the node of the pod that holds the GPU, the node whose full domain name it names,
// or, uncertain, the name as it is when it is no exporter's.
func nodeOfGPU(objects Objects, named string, g *train.GPU, hosts map[string]string) (node string, sure bool) {
	switch {
	case isNode(objects, named):
		return named, true
	case named == "" && isNode(objects, g.Host):
		return g.Host, true
	case named == "" && hosts[g.Host] != "":
		return hosts[g.Host], true
	}
	if g.Pod != "" {
		if node := objects.NodeOfPod(g.Namespace, g.Pod); node != "" {
			return node, true
		}
	}
	if short, _, full := strings.Cut(cmp.Or(named, g.Host), "."); full && isNode(objects, short) {
		return short, true // a full domain name
	}
	if named != "" || !strings.Contains(g.Host, "exporter") {
		return cmp.Or(named, g.Host), false
	}
	return "", false
}

// sameGPUs reports whether a source reports the same GPUs as before, so that
// they stay on their nodes.
func sameGPUs(a, b []train.GPUReading) bool {
	return slices.EqualFunc(a, b, func(a, b train.GPUReading) bool { return a.GPU == b.GPU })
}

// claim records which GPUs a source reports, and where; it returns those that
// others report as well.
func (f *Fold) claim(from *source) (shared []string) {
	for i := range from.newest.Readings {
		r := &from.newest.Readings[i]
		if !r.GPU.HasUUID() {
			continue
		}
		claims := f.claims[r.GPU.UUID]
		mine := claim{from, from.own[i], r.Source, i}
		if len(claims) < maxClaims && !slices.ContainsFunc(claims, mine.isSame) {
			claims = append(claims, mine)
			f.claims[r.GPU.UUID] = claims
		}
		if len(claims) > 1 {
			shared = append(shared, r.GPU.UUID)
		}
	}
	return shared
}

// unclaim removes a source's claims; it returns the GPUs that others report.
func (f *Fold) unclaim(from *source) (shared []string) {
	for i := range from.newest.Readings {
		uuid := from.newest.Readings[i].GPU.UUID
		claims, has := f.claims[uuid]
		if !has {
			continue
		}
		claims = slices.DeleteFunc(claims, func(c claim) bool { return c.by == from })
		if len(claims) == 0 {
			delete(f.claims, uuid)
			delete(f.homes, uuid)
			continue
		}
		f.claims[uuid] = claims
		shared = append(shared, uuid)
	}
	return shared
}

// home is where a GPU is that several sources report on different nodes.
type home struct {
	node string
	// repeats is true where several nodes each have a GPU of this UUID; the
	// readings stay on their nodes then, but those under aliases, which are on
	// node.
	repeats bool
	aliases []string
}

func (h home) equal(other home) bool {
	return h.node == other.node && h.repeats == other.repeats && slices.Equal(h.aliases, other.aliases)
}

// settle finds the node of GPUs that several sources report on different nodes,
// and returns the sources whose readings have to move.
func (f *Fold) settle(boards []string, objects Objects) (moved []*source) {
	for _, uuid := range boards {
		claims := f.claims[uuid]
		split := slices.ContainsFunc(claims, func(c claim) bool { return c.node != claims[0].node })
		before, was := f.homes[uuid]
		now := home{}
		if split {
			now = findHome(claims, objects)
			f.homes[uuid] = now
		} else {
			delete(f.homes, uuid)
		}
		if split == was && now.equal(before) {
			continue
		}
		for _, c := range claims {
			moved = append(moved, c.by)
		}
	}
	return moved
}

// findHome finds the node of a GPU among claims that name different ones: a
// node of the cluster before an unknown name, then by trust. Where several
// nodes report the UUID at the same time, each has a GPU of its own: one cannot
// be in two machines, and a GPU that moved is no longer reported by the machine
// that it left.
func findHome(claims []claim, objects Objects) home {
	newest := time.Time{}
	for i := range claims {
		if at := claims[i].at(); at.After(newest) {
			newest = at
		}
	}
	best := slices.MinFunc(claims, func(a, b claim) int {
		return cmp.Or(
			cmp.Compare(yes(a.node == ""), yes(b.node == "")),
			cmp.Compare(yes(!isNode(objects, a.node)), yes(!isNode(objects, b.node))),
			cmp.Compare(yes(a.isBehind(newest)), yes(b.isBehind(newest))),
			cmp.Compare(a.trust, b.trust), a.by.key.compare(b.by.key), cmp.Compare(a.node, b.node),
		)
	})
	found := home{node: best.node}
	for i := range claims {
		switch c := &claims[i]; {
		case c.node == best.node:
		case !c.isBehind(newest) && c.isOtherMachine(&best, objects):
			found.repeats = true
		case c.node != "":
			found.aliases = append(found.aliases, c.node)
		}
	}
	if !found.repeats {
		return home{node: best.node}
	}
	slices.Sort(found.aliases)
	found.aliases = slices.Compact(found.aliases)
	return found
}

// at returns when the claim was measured.
func (c *claim) at() time.Time { return c.by.newest.Readings[c.reading].At }

// isBehind reports whether the claim was measured long before others.
func (c *claim) isBehind(newest time.Time) bool { return newest.Sub(c.at()) > FallenBehind }

// isOtherMachine reports whether two claims name two machines for certain: both
// are nodes of the cluster, or sources of one kind, which name machines in one
// way, report them under names that are unknown. Two kinds of sources may have
// two names for one machine.
func (c *claim) isOtherMachine(best *claim, objects Objects) bool {
	if c.node == "" || isNode(objects, best.node) || isNode(objects, c.node) {
		return isNode(objects, best.node) && isNode(objects, c.node)
	}
	return c.trust == best.trust && !strings.HasPrefix(c.node, best.node+".") && !strings.HasPrefix(best.node, c.node+".")
}

// nodeOf returns the node of a source's reading.
func (f *Fold) nodeOf(from *source, i int) string {
	if len(f.homes) > 0 {
		home, split := f.homes[from.newest.Readings[i].GPU.UUID]
		if split && (!home.repeats || from.own[i] == "" || slices.Contains(home.aliases, from.own[i])) {
			return home.node
		}
	}
	return from.own[i]
}

// isSplit reports whether a GPU of a source is reported on different nodes.
func (f *Fold) isSplit(from *source) bool {
	return len(f.homes) > 0 && slices.ContainsFunc(from.newest.Readings, func(r train.GPUReading) bool {
		_, split := f.homes[r.GPU.UUID]
		return split
	})
}

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}
