package metrics

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/train"
)

// quick are the quantities that are asked for every time: what screens draw as
// it moves, and what must not be learnt late. The others follow more slowly.
var quick = quantitySet(
	train.GPUUtilization, train.GPUMemoryUsed, train.GPUTemperature, train.GPUPower, train.GPUSMClock,
	train.GPUGraphics, train.GPUSMActive, train.GPUTensorActive, train.GPUXid, train.GPUThrottle,
)

// recalled are the quantities whose past is kept (store.Snapshot.GPUPast).
var recalled = quantitySet(
	train.GPUUtilization, train.GPUMemoryUsed, train.GPUTemperature, train.GPUPower, train.GPUSMClock,
	train.GPUGraphics, train.GPUSMActive, train.GPUTensorActive,
)

// carriers are the quantities, the best first, by which the age of a GPU's
// samples and its description are asked for: nearly every exporter has one.
var carriers = []train.Quantity{train.GPUTemperature, train.GPUPower, train.GPUMemoryUsed, train.GPUUtilization, train.GPUGraphics}

func quantitySet(all ...train.Quantity) uint64 {
	var set uint64
	for _, q := range all {
		set |= 1 << q
	}
	return set
}

// promKind is what an answer is used for.
type promKind uint8

const (
	promQuick promKind = iota
	promSlow
	promAges
	promIdentity
	promPast
)

// PromQuery is one question in PromQL, with what is needed to read its answer.
// The answer to a range query of a past is a matrix, all others are vectors.
type PromQuery struct {
	Text   string
	kind   promKind
	family *family
	// labels and names make the text of a question about several metrics.
	labels, names []string
	match         string
}

// Split makes two questions about half the metrics each; nothing when there
// is only one.
func (q PromQuery) Split() []PromQuery {
	if len(q.names) < 2 {
		return nil
	}
	half := len(q.names) / 2
	return []PromQuery{q.of(q.names[:half]), q.of(q.names[half:])}
}

// Count is the question how many series there are to answer this one from.
func (q PromQuery) Count() string { return "count(" + selector(q.names, q.match) + ")" }

// Countable reports whether Count asks for something.
func (q PromQuery) Countable() bool { return len(q.names) > 0 }

// Metrics is how many metrics the question is about.
func (q PromQuery) Metrics() int { return max(1, len(q.names)) }

// Short is the question in a few words of PromQL, for people.
func (q PromQuery) Short() string {
	if len(q.names) == 0 {
		return q.Text
	}
	names := q.names[0]
	if more := len(q.names) - 1; more > 0 {
		names += fmt.Sprintf(" and %d more metrics", more)
	}
	return names
}

// of is the same question about certain metrics.
func (q PromQuery) of(names []string) PromQuery {
	q.names = names
	q.Text = "max by (__name__," + strings.Join(q.labels, ",") + ") (" + selector(names, q.match) + ")"
	return q
}

// familyNames are the metrics of one family that a server has.
type familyNames struct {
	family              *family
	quick, slow, recall []string
	carrier             string
}

// metricName is what Prometheus calls sound without quotes.
var metricName = regexp.MustCompile(`^[a-zA-Z_:][a-zA-Z0-9_:]*$`)

// longestName bounds what is taken for a metric's name.
const longestName = 200

// sortNames finds the metrics of GPUs among all that a server has.
func sortNames(names []string) []familyNames {
	byFamily := map[*family]*familyNames{}
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	for _, name := range names {
		if len(name) > longestName || !metricName.MatchString(name) {
			continue
		}
		f := familyOf(name)
		if f == nil {
			continue
		}
		of := byFamily[f]
		if of == nil {
			of = &familyNames{family: f}
			byFamily[f] = of
		}
		of.take(name)
	}
	var found []familyNames
	for _, f := range families {
		if of := byFamily[f]; of != nil && len(of.quick)+len(of.slow) > 0 {
			of.carrier = of.choose()
			found = append(found, *of)
		}
	}
	return found
}

// take sorts one metric in.
func (n *familyNames) take(name string) {
	m := n.family.measure(name)
	switch {
	case m == nil && n.family.event != nil && strings.HasPrefix(name, "DCGM_EXP_"):
		n.slow = append(n.slow, name)
	case m == nil:
	case m.quantity < train.Quantities && quick&(1<<m.quantity) != 0:
		n.quick = append(n.quick, name)
		if m.quantity == train.GPUMemoryUsed { // once more, with the free memory of the same instant
			n.slow = append(n.slow, name)
		}
		if recalled&(1<<m.quantity) != 0 {
			n.recall = append(n.recall, name)
		}
	default:
		n.slow = append(n.slow, name)
	}
}

// choose finds the metric that stands for the family.
func (n *familyNames) choose() string {
	for _, q := range carriers {
		for _, name := range n.quick {
			if n.family.measure(name).quantity == q {
				return name
			}
		}
	}
	return slices.Concat(n.quick, n.slow)[0]
}

// maxQuery bounds a query: it stands in a URL, which proxies cut at 8 KiB.
const maxQuery = 3000

// AskLess says that a question was too much for the server: later ones are
// about half as many metrics.
func (p *Prometheus) AskLess(q PromQuery) { p.most = max(1, len(q.names)/2) }

// group asks for the newest samples of metrics, told apart by labels, in as
// many questions as their length needs.
func (p *Prometheus) group(kind promKind, f *family, labels, names []string) []PromQuery {
	q := PromQuery{kind: kind, family: f, labels: labels, match: p.match}
	var queries []PromQuery
	for len(names) > 0 {
		n := 1
		for n < len(names) && (p.most == 0 || n < p.most) && len(q.of(names[:n+1]).Text) <= maxQuery {
			n++
		}
		queries = append(queries, q.of(names[:n]))
		names = names[n:]
	}
	return queries
}

// selector picks metrics by their names, and by what a person wants matched.
func selector(names []string, match string) string {
	if len(names) == 1 {
		return names[0] + "{" + match + "}"
	}
	return `{__name__=~"` + strings.Join(names, "|") + `"` + cmp.Or(prefixedBy(",", match), "") + "}"
}

func prefixedBy(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// Quick are the queries for what moves: to be asked every time.
func (p *Prometheus) Quick() []PromQuery {
	return p.each(func(n *familyNames) []PromQuery {
		return p.group(promQuick, n.family, p.grouping.compact(n.family), n.quick)
	})
}

// Slow are the queries for everything else.
func (p *Prometheus) Slow() []PromQuery {
	return p.each(func(n *familyNames) []PromQuery {
		return p.group(promSlow, n.family, p.grouping.compact(n.family), n.slow)
	})
}

// Ages are the queries for when the samples were taken: an instant query
// repeats the newest one for five minutes, with the time of the question.
func (p *Prometheus) Ages() []PromQuery {
	return p.each(func(n *familyNames) []PromQuery {
		text := "max by (" + strings.Join(p.grouping.compact(n.family), ",") + ") (timestamp(" + selector([]string{n.carrier}, p.match) + "))"
		return []PromQuery{{Text: text, kind: promAges, family: n.family, match: p.match}}
	})
}

// Identities are the queries for what GPUs are and who scrapes them. They come
// before all others: the others leave out what these show to be needless.
func (p *Prometheus) Identities() []PromQuery {
	return p.each(func(n *familyNames) []PromQuery {
		return p.group(promIdentity, n.family, everything(), []string{n.carrier})
	})
}

// Pasts are the queries for the past, one for each metric, as range queries.
// Where DCGM's exporter is there, what repeats nvidia-smi is not asked.
func (p *Prometheus) Pasts() []PromQuery {
	hasDCGM := slices.ContainsFunc(p.names, func(n familyNames) bool { return n.family == &dcgm })
	return p.each(func(n *familyNames) []PromQuery {
		if hasDCGM && n.family == &smiExporter {
			return nil
		}
		var all []PromQuery
		for _, name := range n.recall {
			all = append(all, p.group(promPast, n.family, p.grouping.boards(n.family), []string{name})...)
		}
		return all
	})
}

// Pace is the query for how many samples of a metric the last five minutes
// hold, "" when there is none to ask of.
func (p *Prometheus) Pace() string {
	if len(p.names) == 0 {
		return ""
	}
	return "max(count_over_time(" + selector([]string{p.names[0].carrier}, p.match) + "[5m]))"
}

func (p *Prometheus) each(of func(*familyNames) []PromQuery) []PromQuery {
	var queries []PromQuery
	for i := range p.names {
		queries = append(queries, of(&p.names[i])...)
	}
	return queries
}
