package gpus

import (
	"cmp"
	"slices"
	"strings"

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
}

// maxClaims bounds the nodes on which one GPU may be reported; further reports
// are ignored.
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
		mine := claim{from, from.own[i], r.Source}
		if len(claims) < maxClaims && !slices.Contains(claims, mine) {
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

// settle finds the one node of GPUs that several sources report, and returns
// the sources whose readings have to move.
func (f *Fold) settle(boards []string, objects Objects) (moved []*source) {
	for _, uuid := range boards {
		claims := f.claims[uuid]
		split := slices.ContainsFunc(claims, func(c claim) bool { return c.node != claims[0].node })
		before, was := f.homes[uuid]
		home := ""
		if split {
			home = slices.MinFunc(claims, func(a, b claim) int {
				return cmp.Or(
					cmp.Compare(yes(a.node == ""), yes(b.node == "")),
					cmp.Compare(yes(!isNode(objects, a.node)), yes(!isNode(objects, b.node))),
					cmp.Compare(a.trust, b.trust), a.by.key.compare(b.by.key), cmp.Compare(a.node, b.node),
				)
			}).node
			f.homes[uuid] = home
		} else {
			delete(f.homes, uuid)
		}
		if split != was || home != before {
			for _, c := range claims {
				moved = append(moved, c.by)
			}
		}
	}
	return moved
}

// nodeOf returns the node of a source's reading.
func (f *Fold) nodeOf(from *source, i int) string {
	if len(f.homes) > 0 {
		if home, split := f.homes[from.newest.Readings[i].GPU.UUID]; split {
			return home
		}
	}
	return from.own[i]
}

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}
