package metrics

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// quick are the quantities that every round queries: those that screens draw over
// time, and those that must not be late. The others are queried less often.
var quick = quantitySet(
	train.GPUUtilization, train.GPUMemoryUsed, train.GPUTemperature, train.GPUPower, train.GPUSMClock,
	train.GPUGraphics, train.GPUSMActive, train.GPUTensorActive, train.GPUXid, train.GPUThrottle,
)

// recalled are the quantities whose past is kept (store.Snapshot.GPUPast).
var recalled = quantitySet(
	train.GPUUtilization, train.GPUMemoryUsed, train.GPUTemperature, train.GPUPower, train.GPUSMClock,
	train.GPUGraphics, train.GPUSMActive, train.GPUTensorActive,
)

// carriers are the quantities, the best first, whose series give the age of a GPU's
// samples and its description: nearly every exporter has one.
var carriers = []train.Quantity{train.GPUTemperature, train.GPUPower, train.GPUMemoryUsed, train.GPUUtilization, train.GPUGraphics}

func quantitySet(all ...train.Quantity) uint64 {
	var set uint64
	for _, q := range all {
		set |= 1 << q
	}
	return set
}

// promKind is the purpose of a query.
type promKind uint8

const (
	promQuick promKind = iota
	promSlow
	promAges
	promIdentity
	promPast
)

// PromQuery is one query in PromQL, with what is needed to read its answer. The
// answer to a range query of a past is a matrix, all others are vectors.
type PromQuery struct {
	Text     string
	kind     promKind
	exporter *exporter
	// labels and names make the text of a query about several metrics.
	labels, names []string
	match         string
}

// Split returns two queries about half the metrics each; none if there is only one
// metric.
func (q PromQuery) Split() []PromQuery {
	if len(q.names) < 2 {
		return nil
	}
	half := len(q.names) / 2
	return []PromQuery{q.of(q.names[:half]), q.of(q.names[half:])}
}

// Count is the query for how many series this query selects.
func (q PromQuery) Count() string { return "count(" + selector(q.names, q.match) + ")" }

// Countable reports whether Count is a valid query.
func (q PromQuery) Countable() bool { return len(q.names) > 0 }

// Metrics is how many metrics the query is about.
func (q PromQuery) Metrics() int { return max(1, len(q.names)) }

// Short is the query as a few words of PromQL, for people.
func (q PromQuery) Short() string {
	if len(q.names) == 0 {
		return q.Text
	}
	return q.names[0] + termtext.AndMore(len(q.names)-1, "metric")
}

// of is the same query about other metrics.
func (q PromQuery) of(names []string) PromQuery {
	q.names = names
	q.Text = "max by (__name__," + strings.Join(q.labels, ",") + ") (" + selector(names, q.match) + ")"
	return q
}

// exporterNames are the metrics of one exporter on a server.
type exporterNames struct {
	exporter            *exporter
	quick, slow, recall []string
	carrier             string
}

// metricName matches a name that Prometheus accepts without quotes.
var metricName = regexp.MustCompile(`^[a-zA-Z_:][a-zA-Z0-9_:]*$`)

// longestName bounds a metric's name.
const longestName = 200

// sortNames finds the metrics of GPUs among all metrics of a server.
func sortNames(names []string) []exporterNames {
	byExporter := map[*exporter]*exporterNames{}
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	for _, name := range names {
		if len(name) > longestName || !metricName.MatchString(name) {
			continue
		}
		f := exporterOf(name)
		if f == nil {
			continue
		}
		of := byExporter[f]
		if of == nil {
			of = &exporterNames{exporter: f}
			byExporter[f] = of
		}
		of.take(name)
	}
	var found []exporterNames
	for _, f := range exporters {
		if of := byExporter[f]; of != nil && len(of.quick)+len(of.slow) > 0 {
			of.carrier = of.choose()
			found = append(found, *of)
		}
	}
	return found
}

// take adds one metric.
func (n *exporterNames) take(name string) {
	m := n.exporter.measure(name)
	switch {
	case m == nil && n.exporter.event != nil && strings.HasPrefix(name, "DCGM_EXP_"):
		n.slow = append(n.slow, name)
	case m == nil:
	case m.quantity < train.Quantities && quick&(1<<m.quantity) != 0:
		n.quick = append(n.quick, name)
		if m.quantity == train.GPUMemoryUsed { // again, together with the free memory of the same instant
			n.slow = append(n.slow, name)
		}
		if recalled&(1<<m.quantity) != 0 {
			n.recall = append(n.recall, name)
		}
	default:
		n.slow = append(n.slow, name)
	}
}

// choose returns the metric that represents the exporter.
func (n *exporterNames) choose() string {
	for _, q := range carriers {
		for _, name := range n.quick {
			if n.exporter.measure(name).quantity == q {
				return name
			}
		}
	}
	return slices.Concat(n.quick, n.slow)[0]
}

// maxQuery bounds a query: it is part of a URL, which proxies limit to 8 KiB.
const maxQuery = 3000

// AskLess records that a query was too much for the server: later ones have about
// half as many metrics.
func (p *Prometheus) AskLess(q PromQuery) { p.most = max(1, len(q.names)/2) }

// group queries the newest samples of metrics, grouped by labels, in as many queries
// as their length needs.
func (p *Prometheus) group(kind promKind, f *exporter, labels, names []string) []PromQuery {
	q := PromQuery{kind: kind, exporter: f, labels: labels, match: p.match}
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

// selector selects metrics by their names, and by a person's match.
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

// Quick returns the queries of every round.
func (p *Prometheus) Quick() []PromQuery {
	return p.each(func(n *exporterNames) []PromQuery {
		return p.group(promQuick, n.exporter, p.grouping.compact(n.exporter), n.quick)
	})
}

// Slow returns the queries for everything else.
func (p *Prometheus) Slow() []PromQuery {
	return p.each(func(n *exporterNames) []PromQuery {
		return p.group(promSlow, n.exporter, p.grouping.compact(n.exporter), n.slow)
	})
}

// Ages returns the queries for when the samples were taken: an instant query repeats
// the newest one for five minutes, with the time of the query.
func (p *Prometheus) Ages() []PromQuery {
	return p.each(func(n *exporterNames) []PromQuery {
		text := "max by (" + strings.Join(p.grouping.compact(n.exporter), ",") + ") (timestamp(" + selector([]string{n.carrier}, p.match) + "))"
		return []PromQuery{{Text: text, kind: promAges, exporter: n.exporter, match: p.match}}
	})
}

// Identities returns the queries for what GPUs are and who scrapes them. They come
// first: their answers show which labels the other queries can leave out.
func (p *Prometheus) Identities() []PromQuery {
	return p.each(func(n *exporterNames) []PromQuery {
		return p.group(promIdentity, n.exporter, everything(n.exporter), []string{n.carrier})
	})
}

// Pasts returns the range queries for the past, one per metric. If DCGM's exporter
// is there, they leave out metrics that repeat those of nvidia-smi.
func (p *Prometheus) Pasts() []PromQuery {
	hasDCGM := slices.ContainsFunc(p.names, func(n exporterNames) bool { return n.exporter == &dcgm })
	return p.each(func(n *exporterNames) []PromQuery {
		if hasDCGM && n.exporter == &smiExporter {
			return nil
		}
		var all []PromQuery
		for _, name := range n.recall {
			all = append(all, p.group(promPast, n.exporter, p.grouping.boards(n.exporter), []string{name})...)
		}
		return all
	})
}

// Pace returns the query for how many samples of a metric the last five minutes
// contain, "" if there is no metric to query.
func (p *Prometheus) Pace() string {
	if len(p.names) == 0 {
		return ""
	}
	return "max(count_over_time(" + selector([]string{p.names[0].carrier}, p.match) + "[5m]))"
}

func (p *Prometheus) each(of func(*exporterNames) []PromQuery) []PromQuery {
	var queries []PromQuery
	for i := range p.names {
		queries = append(queries, of(&p.names[i])...)
	}
	return queries
}
