package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// gpusOfNode is how many GPUs each node has.
const gpusOfNode = 8

// load is how busy the GPUs of a job are while its pods run.
type load int

const (
	trains  load = iota // at full power
	idles               // memory is held, nothing is computed
	hasSlow             // trains; one GPU of rank 1 gets too hot to keep up
)

// boards are the GPUs of a node.
type boards struct {
	node string
	gpus [gpusOfNode]board
}

// board is a GPU and who holds it.
type board struct {
	uid                       string // of the pod, "" for nobody
	namespace, pod, container string
	rank                      int
	job                       *job
	since                     time.Time
}

// assign gives GPUs to the pods that run and takes them from those that ended.
func (s *stage) assign(pods []corev1.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	running := map[string]*corev1.Pod{}
	for i := range pods {
		if pods[i].Status.Phase == corev1.PodRunning {
			running[string(pods[i].UID)] = &pods[i]
		}
	}
	for _, b := range s.boards {
		for i := range b.gpus {
			if running[b.gpus[i].uid] == nil {
				b.gpus[i] = board{}
			}
		}
	}
	for uid, pod := range running {
		if b, j := s.boards[pod.Spec.NodeName], s.jobOf(pod); b != nil && j != nil {
			b.hold(uid, pod, j)
		}
	}
}

func (b *boards) hold(uid string, pod *corev1.Pod, j *job) {
	missing := j.gpus
	for i := range b.gpus {
		if b.gpus[i].uid == uid {
			missing--
		}
	}
	for i := range b.gpus {
		if missing > 0 && b.gpus[i].uid == "" {
			b.gpus[i] = board{uid, pod.Namespace, pod.Name, pod.Spec.Containers[0].Name, rankOf(pod), j, time.Now()}
			missing--
		}
	}
}

// Numbers of an H100 SXM: idle and at work (700 W, 80 GB).
type numbers struct {
	util, power, temperature, memory, clock, throttle float64
	sm, tensor                                        float64
}

var (
	atRest = numbers{util: 0, power: 71, temperature: 31, memory: 4, clock: 345}
	loads  = numbers{util: 4, power: 118, temperature: 37, memory: 21400, clock: 1980, sm: 0.02}
	works  = numbers{util: 98, power: 634, temperature: 61, memory: 71200, clock: 1755, sm: 0.86, tensor: 0.41}
	waits  = numbers{util: 99, power: 508, temperature: 57, memory: 71200, clock: 1755, sm: 0.81, tensor: 0.27}
	tooHot = numbers{util: 100, power: 342, temperature: 91, memory: 71200, clock: 1020, throttle: 0x40, sm: 0.84, tensor: 0.26}
	held   = numbers{util: 0, power: 72, temperature: 33, memory: 4380, clock: 345}
)

const (
	loadsFor  = 20 * time.Second // model and data, before the first step
	hotPlace  = 5                // of the slow GPU on its node
	jitter    = 0.012            // of numbers at work
	boardSize = 81559            // MiB of memory
)

func (s *stage) numbersOf(b *board, place int) numbers {
	_, slow := s.since(gpuSlows)
	switch {
	case b.job == nil:
		return atRest
	case b.job.load == idles:
		return held
	case time.Since(b.since) < loadsFor:
		return loads
	case b.job.load == hasSlow && slow && b.rank == 1 && place == hotPlace:
		return tooHot
	case b.job.load == hasSlow && slow:
		return waits
	}
	return works
}

// page is the current page of a node's exporter: dcgm-exporter 4.2, the fields
// of its preset list that change.
func (s *stage) page(b *boards) string {
	s.mu.Lock()
	all := b.gpus
	s.mu.Unlock()
	var rows [gpusOfNode]numbers
	for i := range all {
		rows[i] = s.numbersOf(&all[i], i)
	}
	var page strings.Builder
	field := func(name, help string, value func(n *numbers) float64) {
		fmt.Fprintf(&page, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name)
		for i := range all {
			fmt.Fprintf(&page, "%s{%s} %g\n", name, all[i].labels(b.node, i), value(&rows[i]))
		}
	}
	field("DCGM_FI_DEV_SM_CLOCK", "SM clock frequency (in MHz).", func(n *numbers) float64 { return n.clock })
	field("DCGM_FI_DEV_GPU_TEMP", "GPU temperature (in C).", func(n *numbers) float64 { return n.temperature })
	field("DCGM_FI_DEV_POWER_USAGE", "Power draw (in W).", func(n *numbers) float64 { return whole(n.power) })
	field("DCGM_FI_DEV_GPU_UTIL", "GPU utilization (in %).", func(n *numbers) float64 { return n.util })
	field("DCGM_FI_DEV_FB_USED", "Framebuffer memory used (in MiB).", func(n *numbers) float64 { return n.memory })
	field("DCGM_FI_DEV_FB_FREE", "Framebuffer memory free (in MiB).", func(n *numbers) float64 { return boardSize - n.memory })
	field("DCGM_FI_DEV_XID_ERRORS", "Value of the last XID error encountered.", func(*numbers) float64 { return 0 })
	field("DCGM_FI_DEV_CLOCKS_EVENT_REASONS", "Current clock event reasons (bitmask).", func(n *numbers) float64 { return n.throttle })
	field("DCGM_FI_DEV_POWER_MGMT_LIMIT", "Current power limit (in W).", func(*numbers) float64 { return 700 })
	field("DCGM_FI_PROF_SM_ACTIVE", "The ratio of cycles an SM has at least 1 warp assigned.", func(n *numbers) float64 { return whole(100*n.sm) / 100 })
	field("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "Ratio of cycles the tensor (HMMA) pipe is active.", func(n *numbers) float64 { return whole(100*n.tensor) / 100 })
	return page.String()
}

// whole is a number that varies a little, as measured ones do.
func whole(v float64) float64 {
	return float64(int(v*(1+jitter*rand.NormFloat64()) + 0.5))
}

func (b *board) labels(node string, place int) string {
	labels := fmt.Sprintf(`gpu="%d",UUID="%s",pci_bus_id="00000000:%02X:00.0",device="nvidia%d",modelName="NVIDIA H100 80GB HBM3",Hostname="%s",DCGM_FI_DRIVER_VERSION="570.86.15"`,
		place, uuidOf(node, place), 0x19+0x11*place, place, node)
	if b.uid != "" {
		labels += fmt.Sprintf(`,container="%s",namespace="%s",pod="%s"`, b.container, b.namespace, b.pod)
	}
	return labels
}

func uuidOf(node string, place int) string {
	number := 0
	_, _ = fmt.Sscanf(node[strings.LastIndexByte(node, '-')+1:], "%d", &number) // nodes end in one
	return fmt.Sprintf("GPU-5f587dd4-6505-0873-c6db-8324dbfe%02x%02x", number, place)
}
