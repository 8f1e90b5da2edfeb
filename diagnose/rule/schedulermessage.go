package rule

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/train"
)

// Clause is one reason in a scheduler's message, with the number of nodes that
// it holds for; 0 where it holds before any node is considered.
type Clause struct {
	Nodes int
	Text  string
	Cause train.Cause // "" for a text that is in no table
	// What is the resource, the taint's key or the object that it names.
	What string
}

// schedulerMessage is a parsed message of a scheduler about a pod without a
// node.
type schedulerMessage struct {
	// Total is the number of nodes that it considered, 0 when unknown.
	Total   int
	Clauses []Clause
	// Preemption is its text about preemption.
	Preemption string
	// HyperNode is the part of the network that it looked at alone, "" for all nodes.
	HyperNode string
}

var (
	// `0/6 nodes are available: ` since 1.10; Volcano writes "unavailable".
	sentenceHead = regexp.MustCompile(`\d+/(\d+) nodes are (?:un)?available: `)
	// `No nodes are available that match all of the following predicates:: Insufficient memory (88)` up to 1.9
	oldHead = regexp.MustCompile(`No nodes are available that match all of the (?:following )?predicates::? `)
	// `Resources were not found for 2 pods: no nodes with enough resources were found: 3 node(s) didn't have enough resources: GPUs.`, KAI 0.4 to 0.16
	kaiHead = regexp.MustCompile(`no nodes with enough resources were found: `)
	// `In hyperNode s0: 0/6 nodes are unavailable: `, volcano ed72c7c8 pkg/scheduler/api/unschedule_info.go:
	// the job's networkTopology binds it to one.
	hyperNodeHead = regexp.MustCompile(`In hyperNode (\S+): `)
	oldClause     = regexp.MustCompile(`^(.*\S) \((\d+)\)\.*$`)
	newClause     = regexp.MustCompile(`^(\d+) (.*)$`)
	// `had taint {key: value}, that the pod didn't tolerate`, to 1.23; `untolerated taint {key: value}`, to 1.34
	taintKey     = regexp.MustCompile(`taint \{([^:}\s]+)`)
	insufficient = regexp.MustCompile(`(?i)insufficient ([^\s,;()]+[^\s,;().])`)
	quotedName   = regexp.MustCompile(`"([^"]+)"`)
)

// ParseSchedulerMessage parses a scheduler's message, of all versions since
// 1.7.
func ParseSchedulerMessage(message string) schedulerMessage {
	var s schedulerMessage
	if at := strings.Index(message, "Origin reason is "); at >= 0 { // Volcano's gang quotes its member
		message = message[at:]
	}
	if in := hyperNodeHead.FindStringSubmatch(message); in != nil {
		s.HyperNode = in[1]
	}
	if at := strings.Index(message, "preemption: "); at > 0 {
		s.Preemption = message[at+len("preemption: "):]
		message = message[:at]
	}
	message, _, _ = strings.Cut(message, " no new claims to deallocate") // 1.35
	message = strings.TrimRight(message, " .")
	message = strings.TrimSuffix(message, ". not found") // 1.36 ends some texts with the text of an error
	list := message
	if at := sentenceHead.FindStringSubmatchIndex(message); at != nil {
		s.Total, _ = strconv.Atoi(message[at[2]:at[3]])
		list = message[at[1]:]
	} else if at := oldHead.FindStringIndex(message); at != nil {
		list = message[at[1]:]
	} else if at := kaiHead.FindStringIndex(message); at != nil {
		list = strings.ReplaceAll(message[at[1]:], ".\n", ", ")
		if gang := parseClause(message[:at[0]]); gang.Cause == "gang-not-ready" {
			s.Clauses = append(s.Clauses, gang)
		}
	}
	for _, part := range splitClauses(list) {
		s.Clauses = append(s.Clauses, parseClause(part))
	}
	return s
}

// splitClauses splits at commas before a count, or behind one in brackets;
// other commas belong to a clause ("had taint {a: b}, that the pod didn't
// tolerate").
func splitClauses(list string) []string {
	var clauses []string
	for _, part := range strings.Split(list, ", ") {
		begins := len(clauses) == 0 || newClause.MatchString(part) || oldClause.MatchString(clauses[len(clauses)-1])
		if !begins {
			clauses[len(clauses)-1] += ", " + part
			continue
		}
		clauses = append(clauses, part)
	}
	return clauses
}

func parseClause(text string) Clause {
	c := Clause{Text: text}
	if old := oldClause.FindStringSubmatch(text); old != nil {
		c.Text = old[1]
		c.Nodes, _ = strconv.Atoi(old[2])
	} else if counted := newClause.FindStringSubmatch(text); counted != nil {
		c.Nodes, _ = strconv.Atoi(counted[1])
		c.Text = counted[2]
	}
	for _, row := range clauseTable {
		if HasAny(c.Text, row.words...) {
			c.Cause = row.cause
			break
		}
	}
	switch c.Cause {
	case "insufficient-gpu":
		if found := insufficient.FindStringSubmatch(c.Text); found != nil {
			c.What = found[1]
			c.Cause = ShortOf(c.What)
		}
	case "untolerated-taint":
		if found := taintKey.FindStringSubmatch(c.Text); found != nil {
			c.What = found[1]
			c.Cause = taintCause(c.What)
		}
	default:
		if found := quotedName.FindStringSubmatch(c.Text); found != nil {
			c.What = found[1]
		}
	}
	return c
}

// clauseTable maps a scheduler's texts to causes: kube-scheduler 1.7 to 1.36
// (pkg/scheduler/framework/plugins, before that algorithm/predicates),
// Volcano, KAI and coscheduling. The first row that matches counts.
var clauseTable = []struct {
	cause train.Cause
	words []string
}{
	{"queue-quota-exceeded", []string{"queue resource quota insufficient", "resource in cluster is overused", "queue resource is overused", "quota has reached the allowable limit", "workload is over quota"}},
	{"gang-not-ready", []string{"pod group is not ready", "tasks in gang unschedulable", "required for gang scheduling", "job is not ready", "pods from a gang", "workload %q to appear", "optimistically waiting", "rejected by permit", "pod group", "podgroup", "waiting for pods's workload"}},
	{"mig-resource-mismatch", []string{"insufficient nvidia.com/mig-", "enough of mig profile"}},
	{"insufficient-cpu", []string{"enough resources: cpu"}},
	{"insufficient-memory", []string{"enough resources: memory"}},
	{"insufficient-gpu", []string{"insufficient ", "enough resources: gpus"}},
	{"too-many-pods", []string{"too many pods"}},
	{"dra-claim-pending", []string{"cannot allocate all claims", "resourceclaim", "resource claim", "waiting for resource driver", "waiting for dynamic resource", "resource driver to", "device class"}},
	{"pvc-not-found", []string{"persistentvolumeclaim \""}},
	{"pvc-lost", []string{"non-existent persistentvolume"}},
	{"pvc-wrong-access-mode", []string{"readwriteoncepod"}},
	{"storageclass-missing", []string{"storageclass"}},
	{"unbound-pvc", []string{"unbound immediate persistentvolumeclaim", "unbound persistentvolumeclaim", "available persistent volumes to bind", "not have enough free storage", "volumebinding"}},
	{"volume-node-affinity-conflict", []string{"volume node affinity conflict", "persistentvolume's node affinity", "no available volume zone", "novolumezoneconflict", "novolumenodeconflict", "no available disk"}},
	{"max-volume-count", []string{"max volume count", "maxvolumecount", "maxcsivolumecount", "maxebsvolumecount", "maxgcepdvolumecount"}},
	{"host-port-conflict", []string{"free ports", "podfitshostports"}},
	{"pod-affinity-conflict", []string{"pod affinity", "anti-affinity", "topology spread", "matchinterpodaffinity", "topology spread constraint"}},
	{"node-selector-mismatch", []string{"node affinity", "node selector", "node(s) didn't match node", "matchnodeselector", "requested node name", "requested hostname", "the requested node", "hostname", "scheduling constraints"}},
	{"untolerated-taint", []string{"taint {", "untolerated taint", "podtoleratesnodetaints", "taints that the pod", "had taints"}},
	{"node-unschedulable", []string{"were unschedulable", "nodeunschedulable", "node(s) was unschedulable", "checknodeunschedulable"}},
	{"node-not-ready", []string{"not ready", "nodenotready", "memory pressure", "disk pressure", "pid pressure", "network unavailable", "out of disk", "nodeundermemorypressure", "nodeunderdiskpressure", "nodeoutofdisk", "nodenetworkunavailable", "unknown condition", "nodeunknown"}},
}

// ShortOf returns the cause of too little of a resource.
func ShortOf(name string) train.Cause {
	switch {
	case name == "cpu":
		return "insufficient-cpu"
	case name == "memory" || strings.HasPrefix(name, "hugepages-"):
		return "insufficient-memory"
	case name == "ephemeral-storage":
		return "insufficient-ephemeral-storage"
	case name == "pods":
		return "too-many-pods"
	case strings.HasPrefix(name, "nvidia.com/mig-"):
		return "mig-resource-mismatch"
	}
	return "insufficient-gpu"
}

// taintCause distinguishes a node's own trouble from a taint that an
// administrator set.
func taintCause(key string) train.Cause {
	switch {
	case key == "node.kubernetes.io/unschedulable":
		return "node-unschedulable"
	case capacity.NodesOwn(key):
		return "node-not-ready"
	}
	return "untolerated-taint"
}

// controlPlane reports whether it is the taint that keeps ordinary pods away
// from the control plane; it explains nothing.
func (c *Clause) controlPlane() bool {
	return c.Cause == "untolerated-taint" && (strings.HasPrefix(c.What, "node-role.kubernetes.io/"))
}

// KeepsOut reports whether the clause is about what nodes are (their labels, taints
// and health, whether they take pods), and not about their room.
func (c *Clause) KeepsOut() bool { n := nearness(*c); return n == 1 || n == 2 }

// nearness orders causes by how close a node was to taking the pod: what holds
// before any node counts most, then what the likeliest nodes lack.
func nearness(c Clause) int {
	switch {
	case c.Nodes == 0 && c.Cause != "":
		return 5
	case c.Cause == "" || c.controlPlane():
		return 0
	}
	switch c.Cause {
	case "node-selector-mismatch", "untolerated-taint":
		return 1
	case "node-unschedulable", "node-not-ready":
		return 2
	}
	return 3
}

// Main returns the clause that keeps the pod away, as far as the text alone
// shows.
func (s *schedulerMessage) Main() *Clause {
	if len(s.Clauses) == 0 {
		return nil
	}
	best := slices.MaxFunc(s.Clauses, func(a, b Clause) int {
		return cmp.Or(cmp.Compare(nearness(a), nearness(b)), cmp.Compare(a.Nodes, b.Nodes))
	})
	if best.Cause == "" {
		return nil
	}
	return &best
}

// Spares reports whether the message names resources that are short and not
// this one. The scheduler lists each that a node lacks (kube-scheduler
// NodeResourcesFit), so there is enough of the others.
func (s *schedulerMessage) Spares(resource string) bool {
	short := false
	for i := range s.Clauses {
		c := &s.Clauses[i]
		if c.What == "" || c.Cause != ShortOf(c.What) {
			continue
		}
		if c.What == resource {
			return false
		}
		short = true
	}
	return short
}

// Of returns the clause for a cause, nil when the message has none.
func (s *schedulerMessage) Of(id train.Cause) *Clause {
	for i := range s.Clauses {
		if s.Clauses[i].Cause == id {
			return &s.Clauses[i]
		}
	}
	return nil
}
