package metrics

import (
	"bytes"
	"io"
)

// readIdentities reads the descriptions of GPUs and the pods that scrape them.
// Exporter pods have to be known before any pod counts as a holder, so the new rows
// are read twice.
func (p *Prometheus) readIdentities(q PromQuery, in io.Reader) (PromAnswer, error) {
	var rows [][]byte
	answer, err := readAnswer(in, promVector, p.mostSeries(q), func(text []byte) bool {
		s, sound := cutSeries(text)
		if !sound || !parsePoint(s.value).known {
			return false
		}
		if _, known := p.series[p.hash(promIdentity, s.labels)]; !known && len(rows) < MaxGPUs {
			rows = append(rows, bytes.Clone(s.labels))
		}
		return true
	})
	p.items[promIdentity] = max(p.items[promIdentity], answer.Items)
	if p.meetExporters(rows) {
		p.forget() // some exporter had counted as a holder until now
	}
	for _, labels := range rows {
		p.identify(q, labels)
	}
	return answer, err
}

// meetExporters records the pods that are scraped. It reports whether one of them
// counted as the holder of a GPU before.
func (p *Prometheus) meetExporters(rows [][]byte) bool {
	mistaken := false
	for _, labels := range rows {
		_, t, sound := readLabels(labels)
		scraped := holder{namespace: t.namespace, pod: t.pod}
		if !sound || t.pod == "" || p.collector.exporters[scraped] || !t.hasExported && !t.namesExporter() {
			continue
		}
		p.collector.exporters[scraped] = true
		mistaken = mistaken || p.collector.holds(scraped)
	}
	return mistaken
}

// holds reports whether a device has the pod as its holder.
func (c *collector) holds(h holder) bool {
	for _, d := range c.devices {
		if g := &d.reading.GPU; g.Pod == h.pod && g.Namespace == h.namespace {
			return true
		}
	}
	return false
}

// identify adds one row: the description of a GPU, and which labels other queries
// have to ask for.
func (p *Prometheus) identify(q PromQuery, labels []byte) {
	slot := p.slot(q, labels)
	if slot.device < 0 {
		return
	}
	_, t, _ := readLabels(labels)
	if t.host == "" && t.node == "" {
		p.grouping.placed = false
	}
	if !t.hasExported && p.collector.holderOf(&t) != (holder{}) {
		p.grouping.holdersElsewhere = false
	}
	if !p.grouping.placed { // the exporter's pod identifies the machine
		p.grouping.holdersElsewhere = false
	}
	g := &p.collector.devices[slot.device].reading.GPU
	p.described[describedBy(g.UUID, g.Host, g.Index)] = description{g.Model, g.Bus}
}

func describedBy(uuid, host, index string) string {
	if uuid != "" {
		return uuid
	}
	return host + "\x00" + index
}
