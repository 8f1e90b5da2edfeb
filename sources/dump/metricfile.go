package dump

import (
	"bytes"
	"fmt"
	"path"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/sources/metrics"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// metricFiles are the answers of exporters and tools found in files. They are
// applied when all objects are known, since a file's name may identify a node
// or a pod.
type metricFiles struct {
	answers []metricFile
	nodes   map[string]bool
}

type metricFile struct {
	name     string
	readings []train.GPUReading
	past     []train.GPUPast
	usage    []metrics.Usage
}

// metrics parses a file of metrics.
func (r *fileReader) metrics(name string, o opened) report {
	head := bytes.Clone(firstBytes(o.text))
	answer, err := metrics.Read(o.text, metrics.Origin{})
	got := report{read: true, note: metricNote(answer), metrics: true, page: answer.Format == metrics.Exposition && len(answer.Readings) > 0, failed: len(answer.Problems) + answer.Dropped}
	got.badPage = (answer.Format == metrics.Exposition || answer.Format == metrics.PrometheusAPI) && len(answer.Readings) == 0 && got.failed > 0
	if err != nil {
		got.err = fmt.Errorf("reading stopped before the end: %w", err)
	}
	for _, p := range answer.Problems {
		got.broken = append(got.broken, Problem{File: name, Line: p.Line, Text: p.Text})
	}
	if len(answer.Readings) > 0 || len(answer.Usage) > 0 {
		r.measured.answers = append(r.measured.answers, metricFile{name, answer.Readings, answer.Past, answer.Usage})
	}
	if withoutGPUs(answer) {
		got = r.expectMetrics(got, head)
	}
	return got
}

// gpusInLog parses the tables of nvidia-smi that a job printed at the beginning of
// its log, or what a note quotes of tools. A table cut off at the end of that beginning
// is parsed as far as it goes. It reports whether there were GPUs.
func (r *fileReader) gpusInLog(name string, o opened) bool {
	head, _ := o.text.Peek(o.text.Buffered())
	answer, found := metrics.InLog(head)
	if !found {
		return false
	}
	r.measured.answers = append(r.measured.answers, metricFile{name: name, readings: answer.Readings})
	return true
}

func metricNote(a metrics.Answer) string {
	switch {
	case len(a.Readings) > 0:
		return termtext.Count(len(a.Readings), "GPU") + " in " + string(a.Format)
	case a.Note != "":
		return string(a.Format) + ": " + a.Note
	}
	return string(a.Format) + " without GPUs"
}

// see records the names of nodes.
func (m *metricFiles) see(o kinds.Object) {
	name := ""
	switch o := o.(type) {
	case *corev1.Node:
		name = o.Name
	case *corev1.Pod:
		name = o.Spec.NodeName
	}
	if name == "" {
		return
	}
	if m.nodes == nil {
		m.nodes = map[string]bool{}
	}
	m.nodes[name] = true
}

// applyMetrics applies the readings, each with the node or pod that the name of
// its file identifies.
func (r *fileReader) applyMetrics() {
	for _, file := range r.measured.answers {
		newest := time.Time{}
		node, holder := r.measured.nodeIn(file.name), r.logs.pods.find("", fileStem(file.name))
		for i := range file.readings {
			reading := &file.readings[i]
			if reading.GPU.Node == "" && r.measured.nodes[reading.GPU.Host] {
				reading.GPU.Node = reading.GPU.Host
			}
			if reading.GPU.Node == "" {
				reading.GPU.Node = node
			}
			if named := r.logs.pods.find("", reading.GPU.Host); named != nil && reading.GPU.Pod == "" && reading.Source == train.FromTool {
				reading.GPU.Namespace, reading.GPU.Pod = named.namespace, named.name // a tool ran in the pod
			}
			if reading.GPU.Pod == "" && holder != nil {
				reading.GPU.Namespace, reading.GPU.Pod = holder.namespace, holder.name
			}
			if len(r.measured.answers) > 1 && reading.GPU.Node == "" && reading.GPU.Host == "" {
				reading.GPU.Host = fileStem(file.name) // distinguishes the machines, if nothing else does
			}
			if reading.At.After(newest) {
				newest = reading.At
			}
		}
		r.applyUsage(file)
		r.out.clock(newest)
		r.out.believeMost()
		if len(file.readings) > 0 {
			r.out.add(store.Measured{Source: r.files.healthName(file.name), Readings: file.readings})
		}
		if len(file.past) > 0 {
			r.out.add(store.Backfilled{Source: r.files.healthName(file.name), Past: file.past})
		}
	}
}

// applyUsage applies the usage of nodes and pods.
func (r *fileReader) applyUsage(file metricFile) {
	if len(file.usage) == 0 {
		return
	}
	all := make([]train.Usage, len(file.usage))
	for i, u := range file.usage {
		all[i] = train.Usage{Node: u.Node, Namespace: u.Namespace, Pod: u.Pod, Container: u.Container, At: u.At, Window: u.Window}
		all[i].Values.Set(train.UsedCPU, u.CPU/1000)
		all[i].Values.Set(train.UsedMemory, float64(u.Memory))
		r.out.clock(u.At)
	}
	r.out.add(store.Used{Source: r.files.healthName(file.name), Usage: all})
}

// nodeIn returns the node in a path: NODE.prom, NODE-dcgm.txt,
// NODE/metrics.prom. Only nodes among the objects count.
func (m *metricFiles) nodeIn(name string) string {
	elements := strings.Split(strings.ReplaceAll(name, `\`, "/"), "/")
	for i := len(elements) - 1; i >= 0 && i >= len(elements)-3; i-- {
		if m.nodes[elements[i]] {
			return elements[i]
		}
		for stem := elements[i]; stem != ""; {
			end := strings.LastIndexAny(stem, ".-_")
			if end < 0 {
				break
			}
			if stem = stem[:end]; m.nodes[stem] {
				return stem
			}
		}
	}
	return ""
}

// fileStem returns the name of a file without folders and extensions.
func fileStem(name string) string {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	for _, extension := range []string{".gz", ".prom", ".metrics", ".txt", ".csv", ".json", ".log", ".out"} {
		base = strings.TrimSuffix(base, extension)
	}
	return base
}
