package store

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
)

// gpuSource is what one source says of one node, or of all it knows.
type gpuSource struct {
	key  measuredKey
	word Measured
	// own is the node that each of word.Readings is of, as the source and the
	// objects tell; "" when nobody does.
	own []string
	// looked is true when it took a look at objects to find them, and names
	// are those of the nodes and pods that may change the answer.
	looked bool
	names  map[string]bool
	// nodes are where readings of it stand.
	nodes []string
}

// claim says that a source tells of a board on a node.
type claim struct {
	by    *gpuSource
	node  string
	trust train.GPUSource
}

// maxClaims bounds the nodes one board may be told to be on before that is
// no longer believed to mean anything.
const maxClaims = 16

// findNodes finds the node of each reading, as far as the source and the
// objects tell.
func (s *Snapshot) findNodes(source *gpuSource) {
	readings := source.word.Readings
	source.own, source.looked, source.names = make([]string, len(readings)), false, nil
	for i := range readings {
		g := &readings[i].GPU
		if source.own[i] = cmp.Or(g.Node, source.word.Node); !s.isNode(source.own[i]) {
			source.looked = true
		}
	}
	if !source.looked {
		return
	}
	source.names = map[string]bool{}
	hosts, aliases := s.hostPods(source), map[string]string{}
	var unsure []int
	for i := range readings {
		told := source.own[i]
		source.names[told], source.names[readings[i].GPU.Host], source.names[readings[i].GPU.Pod] = true, true, true
		node, sure := s.nodeOfGPU(told, &readings[i].GPU, hosts)
		if source.own[i] = node; !sure {
			unsure = append(unsure, i)
		} else if name := cmp.Or(told, readings[i].GPU.Host); name != "" && name != node {
			aliases[name] = node
		}
	}
	for _, i := range unsure { // what is free stands where its neighbours do, of which a pod tells
		if node := aliases[cmp.Or(source.own[i], readings[i].GPU.Host)]; node != "" {
			source.own[i] = node
		}
	}
}

func (s *Snapshot) isNode(name string) bool { return name != "" && s.Node(name) != nil }

// hostPods finds the pods that are named like a host of a reading, and the
// node each runs on: exporters that do not know their node write the name of
// their pod.
func (s *Snapshot) hostPods(source *gpuSource) map[string]string {
	wanted := map[string]string{}
	for i := range source.word.Readings {
		if host := source.word.Readings[i].GPU.Host; source.own[i] == "" && host != "" && !s.isNode(host) {
			wanted[host] = ""
		}
	}
	if len(wanted) == 0 {
		return wanted
	}
	s.Objects(kinds.PodKind, "", func(o kinds.Object) bool {
		if _, isWanted := wanted[o.GetName()]; isWanted {
			if pod, isPod := o.(*corev1.Pod); isPod && pod.Spec.NodeName != "" {
				wanted[pod.Name] = pod.Spec.NodeName
			}
		}
		return true
	})
	return wanted
}

// nodeOfGPU is the node that a reading is of: the one it names or the host it
// names when that is a node, the node of the pod that is named like the host,
// the node of the pod that holds the GPU, or, not for sure, the name as it
// stands when it is no exporter's.
func (s *Snapshot) nodeOfGPU(told string, g *train.GPU, hosts map[string]string) (node string, sure bool) {
	switch {
	case s.isNode(told):
		return told, true
	case told == "" && s.isNode(g.Host):
		return g.Host, true
	case told == "" && hosts[g.Host] != "":
		return hosts[g.Host], true
	}
	if g.Pod != "" {
		if pod := s.Pod(g.Namespace, g.Pod); pod != nil && pod.Spec.NodeName != "" {
			return pod.Spec.NodeName, true
		}
	}
	if told != "" || !strings.Contains(g.Host, "exporter") {
		return cmp.Or(told, g.Host), false
	}
	return "", false
}

// sameGPUs reports whether a source tells of the same GPUs as before, so that
// they stand where they stood.
func sameGPUs(a, b []train.GPUReading) bool {
	return slices.EqualFunc(a, b, func(a, b train.GPUReading) bool { return a.GPU == b.GPU })
}

// claim notes which boards a source tells of, and where; it returns those
// that others tell of as well.
func (j *gpuJoin) claim(source *gpuSource) (shared []string) {
	for i := range source.word.Readings {
		r := &source.word.Readings[i]
		if !r.GPU.HasUUID() {
			continue
		}
		claims := j.claims[r.GPU.UUID]
		mine := claim{source, source.own[i], r.Source}
		if len(claims) < maxClaims && !slices.Contains(claims, mine) {
			claims = append(claims, mine)
			j.claims[r.GPU.UUID] = claims
		}
		if len(claims) > 1 {
			shared = append(shared, r.GPU.UUID)
		}
	}
	return shared
}

// unclaim takes a source's claims back; it returns the boards that others
// tell of.
func (j *gpuJoin) unclaim(source *gpuSource) (shared []string) {
	for i := range source.word.Readings {
		uuid := source.word.Readings[i].GPU.UUID
		claims, has := j.claims[uuid]
		if !has {
			continue
		}
		claims = slices.DeleteFunc(claims, func(c claim) bool { return c.by == source })
		if len(claims) == 0 {
			delete(j.claims, uuid)
			delete(j.homes, uuid)
			continue
		}
		j.claims[uuid] = claims
		shared = append(shared, uuid)
	}
	return shared
}

// settle finds the one node of boards that several sources tell of, and
// returns the sources whose readings have to move.
func (j *gpuJoin) settle(s *Snapshot, boards []string) (moved []*gpuSource) {
	for _, uuid := range boards {
		claims := j.claims[uuid]
		torn := slices.ContainsFunc(claims, func(c claim) bool { return c.node != claims[0].node })
		before, was := j.homes[uuid]
		home := ""
		if torn {
			home = slices.MinFunc(claims, func(a, b claim) int {
				return cmp.Or(
					cmp.Compare(yes(a.node == ""), yes(b.node == "")),
					cmp.Compare(yes(!s.isNode(a.node)), yes(!s.isNode(b.node))),
					cmp.Compare(a.trust, b.trust), a.by.key.compare(b.by.key), cmp.Compare(a.node, b.node),
				)
			}).node
			j.homes[uuid] = home
		} else {
			delete(j.homes, uuid)
		}
		if torn != was || home != before {
			for _, c := range claims {
				moved = append(moved, c.by)
			}
		}
	}
	return moved
}

func (k measuredKey) compare(other measuredKey) int {
	return cmp.Or(cmp.Compare(k.source, other.source), cmp.Compare(k.node, other.node))
}

// nodeOf is where a reading of a source stands.
func (j *gpuJoin) nodeOf(source *gpuSource, i int) string {
	if len(j.homes) > 0 {
		if home, torn := j.homes[source.word.Readings[i].GPU.UUID]; torn {
			return home
		}
	}
	return source.own[i]
}
