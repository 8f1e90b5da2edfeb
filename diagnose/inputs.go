package diagnose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// inputs are the sources of a snapshot, as far as the verdicts on all jobs
// depend on them.
type inputs struct {
	from   origin
	health []train.Health
	// missing could not be read, so its content is unknown.
	missing []Missing
	// refused are lists that hide whole jobs, or their pods. Other refused
	// lists are reported job by job.
	refused []refusedList
	// kinds of jobs, or all (""), that could not be listed.
	unlisted []unlisted
	// lists is the state of the API server's lists, by which rules report what
	// they could not read.
	lists string
	// linesSkipped is true of a recording without the lines of logs, logsSkipped
	// of one without anything of logs.
	linesSkipped, logsSkipped bool
	// pastUnread is the reason why the last hour of GPUs was not read whole, "" where
	// it was.
	pastUnread string
}

// unlisted is a kind of job that could not be listed, or a failed discovery of
// the kinds.
type unlisted struct {
	group, kind, text string
	forbidden         bool
}

func (u *unlisted) help() string {
	if u.forbidden {
		return rightsHelp
	}
	return againHelp(u.text)
}

// missing reports that discovery of the kinds failed.
func (u *unlisted) missing() Missing {
	return Missing{What: "which kinds the cluster serves", Why: u.text, Help: u.help(), decisive: true}
}

// unlistedOf reports whether the trouble of a source hides objects of jobs.
func unlistedOf(h train.Health) (unlisted, bool) {
	u := unlisted{text: rule.Plain(h.Text), forbidden: h.State == train.SourceForbidden}
	if !u.forbidden && h.State != train.SourceRetrying && h.State != train.SourceFailed {
		return u, false
	}
	if h.Source == "kube/apis" {
		return u, true
	}
	for _, k := range kinds.Jobs() {
		if strings.HasPrefix(h.Source, "kube/") && k.Resource == h.Resource && k.Group == h.Group {
			u.group, u.kind = k.Group, k.Kind
			return u, true
		}
	}
	return u, false
}

// hiding returns why objects of a kind could not be listed, nil where they
// were.
func (in *inputs) hiding(group, kind string) *unlisted {
	i := slices.IndexFunc(in.unlisted, func(u unlisted) bool { return u.group == group && u.kind == kind })
	if i < 0 {
		i = slices.IndexFunc(in.unlisted, func(u unlisted) bool { return u.kind == "" })
	}
	if i < 0 {
		return nil
	}
	return &in.unlisted[i]
}

// refusedList is a resource whose list was refused, except in some namespaces.
type refusedList struct {
	Missing
	but string // namespaces between commas, "" for none
	// weight sorts the list first that hides most.
	weight int
}

// weightOf returns the weight of a list; pods weigh most, because jobs of
// every kind have pods.
func weightOf(h train.Health) int {
	if h.Resource == "pods" {
		return 1
	}
	return 0
}

// origin is where a snapshot comes from: it decides what would help.
type origin uint8

const (
	fromCluster origin = iota
	fromFiles          // a recording too
)

func inputsOf(s *store.Snapshot) inputs {
	in := inputs{from: originOf(s), health: s.Health(), pastUnread: unreadPast(s)}
	for _, h := range s.Health() {
		lines, all := h.SkipsLines()
		in.linesSkipped, in.logsSkipped = in.linesSkipped || lines, in.logsSkipped || all
		if h.Resource != "" && h.State != train.SourceLive {
			in.lists += h.Source + " " + string(h.State) + "\n"
		}
		if u, is := unlistedOf(h); is {
			in.unlisted = append(in.unlisted, u)
		}
		switch m, is := missingInput(h); {
		case is:
			in.missing = append(in.missing, m)
		case h.State == train.SourceForbidden && hidesJobs(h):
			in.refused = append(in.refused, refusedList{Missing{What: m.What, Why: rule.Plain(h.Text), Help: rightsHelp}, readableIn(s, h), weightOf(h)})
		}
	}
	slices.SortStableFunc(in.refused, func(a, b refusedList) int { return cmp.Compare(b.weight, a.weight) })
	return in
}

// hidesJobs reports whether jobs can be in a list that the API server refused.
// Other sources may need the same right.
func hidesJobs(h train.Health) bool {
	return strings.HasPrefix(h.Source, "kube/") && (isJobResource(h) || h.Group == "" && h.Resource == "pods")
}

// readableIn returns the namespaces in which a refused resource is read.
func readableIn(s *store.Snapshot, of train.Health) string {
	but := ""
	for _, h := range s.Health() {
		if h.State == train.SourceLive && h.Resource == of.Resource && h.Group == of.Group && h.Namespace != "" {
			but += "," + h.Namespace + ","
		}
	}
	return but
}

// missingIn returns what could not be read for an answer about a namespace, ""
// for all, that has no job.
func (in *inputs) missingIn(namespace string) []Missing {
	missing := slices.Clone(in.missing)
	if m, is := notAsked(in.health, namespace); is {
		missing = append(missing, m)
	}
	for _, r := range in.refused {
		if namespace == "" || !strings.Contains(r.but, ","+namespace+",") {
			missing = append(missing, r.Missing)
		}
	}
	for i := range in.unlisted {
		if u := &in.unlisted[i]; u.kind == "" {
			missing = append(missing, u.missing())
		}
	}
	return append(missing, notRecorded(in.health, "")...)
}

func originOf(s *store.Snapshot) origin {
	if slices.ContainsFunc(s.Health(), isFile) {
		return fromFiles
	}
	return fromCluster
}

func isFile(h train.Health) bool {
	return strings.HasPrefix(h.Source, "file ") || strings.HasPrefix(h.Source, "recording ")
}

// missingInput returns what the trouble of a source hides from every verdict.
func missingInput(h train.Health) (Missing, bool) {
	m := Missing{What: rule.Plain(h.Source), decisive: true}
	if strings.HasPrefix(h.Source, "kube/") {
		m.list = "kube/" + strings.TrimSuffix(h.Resource+"."+h.Group, ".")
	}
	switch {
	case !decides(h), h.State == train.SourceForbidden:
		return m, false
	case isFile(h) && !h.State.Settled():
		m.What = strings.TrimPrefix(m.What, "file ")
		m.Why, m.Help = m.What+" is still being read"+begunWords(h), "wait until it was read to its end, or ask again"
		return m, true
	case isFile(h):
		m.Why, m.Help = rule.Plain(strings.TrimPrefix(h.Text, "file ")), "give the whole file, or what it was made from"
		return m, h.State == train.SourceFailed
	case !h.State.Settled():
		m.Why, m.Help = m.What+" has not been read yet"+begunWords(h), "wait until it has answered, or ask again"
		return m, true
	case h.State == train.SourceRetrying, h.State == train.SourceFailed:
		m.Why, m.Help = m.What+" cannot be read"+sinceWords(h)+": "+rule.Plain(h.Text), againHelp(h.Text)
		if h.LeavesOut() {
			m.Help = listHelp(&h)
		}
		return m, true
	}
	return m, false
}

// rightsHelp is the help for a refusal.
const rightsHelp = "deploy/rbac.yaml is a role that allows it"

// begunWords returns when reading began that has not ended.
func begunWords(h train.Health) string {
	if h.Since.IsZero() {
		return ""
	}
	return " (begun at " + h.Since.UTC().Format("15:04:05Z") + ")"
}

func sinceWords(h train.Health) string {
	if h.Since.IsZero() {
		return ""
	}
	return " since " + h.Since.UTC().Format("15:04:05Z")
}

// decides reports whether a verdict depends on a source: files, recordings,
// the cluster as a whole, and of its resources those that show the state of
// jobs. For all others rules report themselves what they could not read.
func decides(h train.Health) bool {
	switch {
	case isFile(h), h.Source == "kube":
		return true
	case !strings.HasPrefix(h.Source, "kube/"):
		return false
	}
	return h.Group == "" && slices.Contains([]string{"pods", "events", "nodes"}, h.Resource) || isJobResource(h)
}

func isJobResource(h train.Health) bool {
	return slices.ContainsFunc(kinds.Jobs(), func(k kinds.Kind) bool { return k.Resource == h.Resource && k.Group == h.Group })
}

// same reports whether the sources have the same state as in an earlier
// snapshot.
func (in *inputs) same(as *inputs) bool {
	return in.from == as.from && in.lists == as.lists && in.linesSkipped == as.linesSkipped && in.logsSkipped == as.logsSkipped && in.pastUnread == as.pastUnread &&
		slices.Equal(in.missing, as.missing) && slices.Equal(in.refused, as.refused) && slices.Equal(in.unlisted, as.unlisted)
}
