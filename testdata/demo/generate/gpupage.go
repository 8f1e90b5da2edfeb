package generate

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// measuredAgo is how long before the instant of the demo the GPUs were asked.
const measuredAgo = 9 * time.Second

// metric is one line of the exporter's counters (dcgm-exporter 4.5.3-4.8.2,
// etc/default-counters.csv and what operators usually add to it).
type metric struct {
	name, kind, help string
	// value is nil where a GPU has none.
	value func(g *gpu, k kind, l load) *float64
	// decimals are as the exporter writes them: whole numbers, or six places.
	decimals int
}

func number(v float64) *float64 { return &v }

// metrics are in the exporter's order.
func metrics() []metric {
	board := func(of func(k kind, l load) float64) func(*gpu, kind, load) *float64 {
		return func(_ *gpu, k kind, l load) *float64 { return number(of(k, l)) }
	}
	whole := func(of func(k kind, l load) float64) func(*gpu, kind, load) *float64 {
		return func(g *gpu, k kind, l load) *float64 {
			if g.profile != "" {
				return nil // DCGM has none of a MIG instance
			}
			return number(of(k, l))
		}
	}
	return []metric{
		{"DCGM_FI_DEV_SM_CLOCK", "gauge", "SM clock frequency (in MHz).", board(func(k kind, l load) float64 { return 15 * float64(int(k.clock*l.clock/15+0.5)) }), 0},
		{"DCGM_FI_DEV_GPU_TEMP", "gauge", "GPU temperature (in C).", board(func(k kind, l load) float64 { return k.cool + 38*l.power + l.heat }), 0},
		{"DCGM_FI_DEV_POWER_USAGE", "gauge", "Power draw (in W).", board(func(k kind, l load) float64 { return k.watts * l.power }), 6},
		{"DCGM_FI_DEV_POWER_MGMT_LIMIT", "gauge", "Current Power limit for the device.", board(func(k kind, _ load) float64 { return k.watts }), 6},
		{"DCGM_FI_DEV_GPU_UTIL", "gauge", "GPU utilization (in %).", whole(func(_ kind, l load) float64 { return 100 * l.use }), 0},
		{"DCGM_FI_DEV_XID_ERRORS", "gauge", "Value of the last XID error encountered.", func(g *gpu, _ kind, _ load) *float64 {
			if g.lost > 0 {
				return number(79)
			}
			return number(0)
		}, 0},
		{"DCGM_FI_DEV_FB_FREE", "gauge", "Framebuffer memory free (in MiB).", func(g *gpu, k kind, l load) *float64 { return number(g.memory(k) * (1 - l.memory)) }, 0},
		{"DCGM_FI_DEV_FB_USED", "gauge", "Framebuffer memory used (in MiB).", func(g *gpu, k kind, l load) *float64 { return number(g.memory(k) * l.memory) }, 0},
		{"DCGM_FI_DEV_FB_RESERVED", "gauge", "Framebuffer memory reserved (in MiB).", whole(func(k kind, _ load) float64 { return k.reserved }), 0},
		{"DCGM_FI_DEV_CLOCKS_EVENT_REASONS", "gauge", "Current clock event reasons (bitmask of DCGM_CLOCKS_EVENT_REASON_*)", board(func(_ kind, l load) float64 { return float64(l.reasons) }), 0},
		{"DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS", "counter", "Number of remapped rows for uncorrectable errors", func(g *gpu, _ kind, _ load) *float64 { return number(float64(g.remappedPages)) }, 0},
		{"DCGM_FI_DEV_ROW_REMAP_FAILURE", "gauge", "Whether remapping of rows has failed", board(func(kind, load) float64 { return 0 }), 0},
		{"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "gauge", "Ratio of time the graphics engine is active.", board(func(_ kind, l load) float64 { return l.use }), 6},
		{"DCGM_FI_PROF_SM_ACTIVE", "gauge", "The ratio of cycles an SM has at least 1 warp assigned.", board(func(_ kind, l load) float64 { return l.sm }), 6},
		{"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "gauge", "Ratio of cycles the tensor (HMMA) pipe is active.", board(func(_ kind, l load) float64 { return l.tensor }), 6},
		{"DCGM_FI_PROF_DRAM_ACTIVE", "gauge", "Ratio of cycles the device memory interface is active sending or receiving data.", board(func(_ kind, l load) float64 { return l.dram }), 6},
	}
}

// memory is what a process can have of the board, or of the instance.
func (g *gpu) memory(k kind) float64 {
	switch g.profile {
	case "1g.10gb":
		return 9728
	case "3g.40gb":
		return 40192
	}
	return k.memory - k.reserved
}

// value is nil for a board that is off the bus: only the exporter still knows
// why. Values of boards that never answered again are left out by it.
func (m *metric) of(g *gpu, l load) *float64 {
	if g.lost > 0 && m.name != "DCGM_FI_DEV_XID_ERRORS" {
		return nil
	}
	return m.value(g, g.node.kind(), l)
}

func (m *metric) print(v float64) string { return strconv.FormatFloat(v, 'f', m.decimals, 64) }

// pages are what the exporter of each node answers. Times stand behind the
// values, as /federate writes them, so that the files tell how old they are.
func pages(all []*gpu) map[string][]byte {
	loads := map[*gpu]load{}
	nodes := map[string][]*gpu{}
	for _, g := range all {
		loads[g] = g.work(g.chance(), measuredAgo)
		nodes[g.node.name] = append(nodes[g.node.name], g)
	}
	at := now.Add(-measuredAgo).UnixMilli()
	files := map[string][]byte{}
	for name, gpus := range nodes {
		var b bytes.Buffer
		for _, m := range metrics() {
			fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", m.name, m.help, m.name, m.kind)
			for _, g := range gpus {
				if v := m.of(g, loads[g]); v != nil {
					fmt.Fprintf(&b, "%s{%s} %s %d\n", m.name, g.labels(m.name), m.print(*v), at)
				}
			}
		}
		files["metrics/"+name+".prom.gz"] = packed(b.Bytes())
	}
	return files
}

// labels are in the exporter's order.
func (g *gpu) labels(metric string) string {
	var parts []string
	add := func(name, value string) { parts = append(parts, name+"="+strconv.Quote(value)) }
	add("gpu", strconv.Itoa(g.board))
	add("UUID", g.uuid())
	add("pci_bus_id", g.bus())
	add("device", "nvidia"+strconv.Itoa(g.board))
	add("modelName", g.node.kind().name)
	if g.profile != "" {
		add("GPU_I_PROFILE", g.profile)
		add("GPU_I_ID", strconv.Itoa(g.instance))
	}
	add("Hostname", g.node.name)
	add("DCGM_FI_DRIVER_VERSION", "580.95.05")
	if g.pod != nil {
		add("container", g.pod.container)
		add("namespace", g.pod.namespace)
		add("pod", g.pod.name)
	}
	if metric == "DCGM_FI_DEV_XID_ERRORS" {
		code, text := "0", "No Error"
		if g.lost > 0 {
			code, text = "79", "GPU has fallen off the bus"
		}
		add("err_code", code)
		add("err_msg", text)
	}
	return strings.Join(parts, ",")
}
