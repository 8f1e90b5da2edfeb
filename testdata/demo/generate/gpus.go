package generate

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// gpu is one board, or one MIG instance of a board, and the pod that holds it.
type gpu struct {
	node          *node
	board         int
	profile       string // of a MIG instance, with its number on the board
	instance      int
	pod           *pod // nil for a free one
	work          work
	lost          time.Duration // since when it is off the bus, 0 for never
	remappedPages int
}

// work is what a GPU does at a time before the instant of the demo. It is
// asked from the past to now, with chance that is the GPU's own.
type work func(chance *rand.Rand, ago time.Duration) load

// load is what the work asks of the board: shares of what it can do, and °C
// above what the power explains.
type load struct {
	use, tensor, sm, dram, power, clock, memory, heat float64
	reasons                                           int // bits of DCGM_FI_DEV_CLOCKS_EVENT_REASONS
}

// accelerators gives each held GPU to its pod, in the order in which the pods
// were placed, and says what each does.
func (c *cluster) accelerators() []*gpu {
	var all []*gpu
	for _, n := range c.nodes {
		if n.lost > 0 {
			continue // its exporter is as silent as its kubelet
		}
		own := n.accelerators()
		for _, p := range c.pods {
			if p.node == n.name && p.state.word != ended {
				own.give(p)
			}
		}
		all = append(all, own...)
	}
	for _, g := range all {
		g.work = g.does()
	}
	return all
}

type boards []*gpu

// accelerators are the boards of a node, or the instances they are cut into.
func (n *node) accelerators() boards {
	var all boards
	for board := range amount(n.offers["nvidia.com/gpu"]) {
		all = append(all, &gpu{node: n, board: board})
	}
	// Instances of 1g.10gb have numbers from 7 to 13, 3g.40gb is 1 or 2 (MIG User Guide, A100).
	for i := range amount(n.offers["nvidia.com/mig-3g.40gb"]) {
		all = append(all, &gpu{node: n, board: i, profile: "3g.40gb", instance: 2})
	}
	for i := range amount(n.offers["nvidia.com/mig-1g.10gb"]) {
		all = append(all, &gpu{node: n, board: i / 2, profile: "1g.10gb", instance: 9 + 2*(i%2)})
	}
	return all
}

func amount(text string) int {
	if text == "" {
		return 0
	}
	q := resource.MustParse(text)
	return int(q.Value())
}

// give lets a pod hold as many free GPUs as it asks for.
func (b boards) give(p *pod) {
	for name, asked := range p.asks {
		wanted := amount(asked)
		for _, g := range b {
			resourceOf := "nvidia.com/gpu"
			if g.profile != "" {
				resourceOf = "nvidia.com/mig-" + g.profile
			}
			if name == resourceOf && wanted > 0 && g.pod == nil {
				g.pod = p
				wanted--
			}
		}
	}
}

// does says what the story has the GPU do.
func (g *gpu) does() work {
	switch {
	case g.node.name == "gpu-a100-04" && g.board == 7:
		g.lost = 39 * time.Minute
	case g.node.name == "gpu-h100-02" && g.board == 4:
		g.remappedPages = 2 // harmless: it has rows to spare
	}
	if g.pod == nil {
		return idle(0)
	}
	p := g.pod
	switch {
	case p.namespace == "llm" && g.node.name == "gpu-h100-06" && g.board == 3:
		return since(37*time.Minute, slowed, trains(0.97, 0.46, 0.9))
	case strings.HasPrefix(p.name, "llama-70b"):
		return trains(0.97, 0.46, 0.9)
	case strings.HasPrefix(p.name, "qwen3-sft"):
		return starves
	case strings.HasPrefix(p.name, "mixtral-dpo"), strings.HasPrefix(p.name, "wav2vec2-ctc-worker"):
		return idle(0) // no container runs
	case strings.HasPrefix(p.name, "clip-vit-l-worker-1"):
		return since(3*time.Minute, idle(0), trains(0.9, 0.3, 0.8))
	case strings.HasPrefix(p.name, "clip-vit-l"):
		return since(4*time.Minute, spins, trains(0.9, 0.3, 0.8))
	case strings.HasPrefix(p.name, "sdxl-base"), strings.HasPrefix(p.name, "mnist-big"):
		return since(p.age, idle(0.01), idle(0)) // waits for the other ranks
	case strings.HasPrefix(p.name, "hubert-xl"):
		return since(19*time.Minute, idle(0.71), trains(0.93, 0.35, 0.72))
	case strings.HasPrefix(p.name, "usm-jax"):
		return since(4*time.Minute, spins, trains(0.95, 0.51, 0.85))
	case strings.HasPrefix(p.name, "resnet-allreduce") && g.node.name == "gpu-a100-02" && g.board == 6:
		return since(26*time.Minute, overheats, trains(0.96, 0.42, 0.83))
	case strings.HasPrefix(p.name, "grpo-math"):
		return generatesThenTrains
	case g.profile != "":
		return since(p.age, trains(0.8, 0.2, 0.6), idle(0))
	}
	return since(p.age, trains(0.96, 0.42, 0.83), idle(0))
}

// since is one work from a time on, and another before.
func since(d time.Duration, now, before work) work {
	return func(chance *rand.Rand, ago time.Duration) load {
		if ago > d {
			return before(chance, ago)
		}
		return now(chance, ago)
	}
}

func around(chance *rand.Rand, value, spread float64) float64 {
	return min(1, max(0, value+spread*chance.NormFloat64()))
}

func trains(use, tensor, memory float64) work {
	return func(chance *rand.Rand, _ time.Duration) load {
		return load{
			use: around(chance, use, 0.01), tensor: around(chance, tensor, 0.012), sm: around(chance, tensor+0.34, 0.015), dram: around(chance, 0.4, 0.02),
			power: around(chance, 0.25+0.68*use, 0.012), clock: 0.94 + 0.04*chance.Float64(), memory: memory, reasons: 4,
		}
	}
}

// idle is what a board does for nobody, with what a process keeps of its memory.
func idle(memory float64) work {
	return func(chance *rand.Rand, _ time.Duration) load {
		return load{power: around(chance, 0.102, 0.002), clock: 0.174, memory: memory, reasons: 1}
	}
}

// slowed is a board whose clock somebody has locked: as busy as the others, at
// two thirds of their power.
func slowed(chance *rand.Rand, _ time.Duration) load {
	return load{
		use: around(chance, 0.98, 0.008), tensor: around(chance, 0.27, 0.01), sm: around(chance, 0.52, 0.01), dram: around(chance, 0.25, 0.01),
		power: around(chance, 0.57, 0.01), clock: 0.583, memory: 0.9, reasons: 2,
	}
}

// spins is a kernel that waits for a peer: all use, no work.
func spins(chance *rand.Rand, _ time.Duration) load {
	return load{use: 1, sm: around(chance, 0.16, 0.01), dram: 0.002, power: around(chance, 0.24, 0.004), clock: 0.985, memory: 0.8}
}

// starves waits for its data most of the time: use goes up and down.
func starves(chance *rand.Rand, ago time.Duration) load {
	l := trains(0.92, 0.33, 0.77)(chance, ago)
	if int(ago/time.Minute)%3 != 1 {
		l.use, l.tensor, l.sm, l.dram = around(chance, 0.24, 0.06), around(chance, 0.05, 0.01), around(chance, 0.12, 0.02), around(chance, 0.06, 0.01)
		l.power, l.reasons = around(chance, 0.27, 0.02), 0
	}
	return l
}

// generatesThenTrains is reinforcement learning: roll-outs with little use,
// then a training step.
func generatesThenTrains(chance *rand.Rand, ago time.Duration) load {
	if int(ago/time.Minute)/4%2 == 0 {
		return trains(0.94, 0.38, 0.81)(chance, ago)
	}
	l := trains(0.62, 0.11, 0.81)(chance, ago)
	l.reasons = 0
	return l
}

// overheats is a board whose air does not get through: its clock is held down.
func overheats(chance *rand.Rand, ago time.Duration) load {
	l := trains(0.98, 0.4, 0.83)(chance, ago)
	l.power, l.tensor, l.clock, l.heat, l.reasons = around(chance, 0.66, 0.02), around(chance, 0.27, 0.01), 0.66+0.05*chance.Float64(), 42, 8|64
	return l
}

// kind is what the maker says of a board.
type kind struct {
	name           string
	watts          float64 // limit
	clock          float64 // MHz at most
	memory         float64 // MiB
	reserved, cool float64 // MiB, and °C when idle
}

// The numbers are those of nvidia-smi -q on boards of these models.
func (n *node) kind() kind {
	if strings.Contains(n.model, "H100") {
		return kind{"NVIDIA H100 80GB HBM3", 700, 1980, 81559, 551, 27}
	}
	return kind{"NVIDIA A100-SXM4-80GB", 400, 1410, 81920, 633, 26}
}

func (g *gpu) uuid() string { return "GPU-" + uid("GPU", g.node.name, g.board) }

// bus is the address that HGX boards of eight have.
func (g *gpu) bus() string {
	return "00000000:" + []string{"19", "3B", "4C", "5D", "9B", "BB", "CB", "DB"}[g.board%8] + ":00.0"
}

// chance is the board's own.
func (g *gpu) chance() *rand.Rand {
	return printed(fmt.Sprint("gpu", g.node.name, g.board), 0).rand
}
