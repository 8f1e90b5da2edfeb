package train

import (
	"math"
	"math/bits"
	"strings"
	"time"
)

// GPU identifies an accelerator and its holder: a whole GPU, one MIG instance
// of it, or one share of a GPU that several pods use. Texts are as the source
// wrote them; "" is unknown.
type GPU struct {
	// Node is the machine; Host is the source's name for it. The host is no
	// node's name where an exporter that is a pod writes its own name there.
	Node, Host string
	// Index is the number on the machine, or a vendor's name for the device.
	// Inside a pod numbers count from 0 again: match by UUID where there is one.
	Index string
	UUID  string
	// UUIDRepeats is true where GPUs of other nodes have the same UUID at the
	// same time: cloned machines, simulated GPUs. The store sets it.
	UUIDRepeats bool
	// Bus is the PCI address, "00000000:3B:00.0".
	Bus   string
	Model string
	MIG   MIG
	// Share distinguishes the pods that use one GPU: DCGM's vgpu label.
	Share string

	// Namespace, Pod and Container hold it. Empty is free, or unknown.
	Namespace, Pod, Container string
}

// GPUID identifies a GPU, a slice of one, or a share of one, for as long as it
// is in its machine: by its UUID where that is unique, by its UUID and its node
// where the UUID repeats, else by its node and number.
type GPUID string

// ID returns the identity of the GPU.
func (g *GPU) ID() GPUID {
	id := g.UUID
	if !g.HasUUID() {
		id = "node/" + g.Node + "/" + g.Index
	} else if g.UUIDRepeats {
		id += "/node/" + g.Node
	}
	if g.MIG.Instance != "" {
		id += "/mig/" + g.MIG.Instance
	}
	if g.Share != "" {
		id += "/share/" + g.Share
	}
	return GPUID(id)
}

// HasUUID reports whether the UUID is valid: not masked, not all zeros, not a
// tool's placeholder for none.
func (g *GPU) HasUUID() bool {
	return len(g.UUID) >= 8 && strings.IndexFunc(g.UUID, isUUIDDigit) >= 0 && !strings.Contains(g.UUID, "*")
}

func isUUIDDigit(r rune) bool { return r >= '1' && r <= '9' || r >= 'a' && r <= 'f' }

// MIG names a slice of a GPU; the zero value is a whole one.
type MIG struct {
	Profile  string // "1g.10gb"
	Instance string // the number of the GPU instance on its GPU
}

// Quantity is a measured quantity of a GPU.
type Quantity uint8

// The comments give the unit. Counters only grow, until the machine or its
// driver restarts.
const (
	GPUUtilization    Quantity = iota // %: share of time in which at least one kernel ran
	GPUMemoryCopy                     // %: share of time in which memory was read or written
	GPUMemoryUsed                     // MiB
	GPUMemoryTotal                    // MiB
	GPUTemperature                    // °C of the chip
	GPUMemoryTemp                     // °C
	GPUPower                          // W
	GPUPowerLimit                     // W
	GPUEnergy                         // J, counter
	GPUSMClock                        // MHz
	GPUMaxSMClock                     // MHz
	GPUMemoryClock                    // MHz
	GPUGraphics                       // 0..1: share of time in which the engine was busy
	GPUSMActive                       // 0..1
	GPUSMOccupancy                    // 0..1
	GPUTensorActive                   // 0..1
	GPUDRAMActive                     // 0..1
	GPUPCIeSent                       // bytes per second
	GPUPCIeReceived                   // bytes per second
	GPUNVLinkSent                     // bytes per second
	GPUNVLinkReceived                 // bytes per second
	GPUNVLinkTraffic                  // counter, in the unit of the driver
	GPUNVLinkErrors                   // counter: the greatest of CRC, replay and recovery errors
	GPUXid                            // code of the last Xid since the exporter began; 0 is none
	GPUThrottle                       // reasons for a lower clock, as bits: ThrottleReasons
	GPUPowerThrottled                 // s below the wanted clock for power, counter
	GPUHeatThrottled                  // s below the wanted clock for heat, counter
	GPUECCCorrected                   // counter since the driver was loaded
	GPUECCUncorrected                 // counter since the driver was loaded
	GPURowsRemapped                   // rows replaced after uncorrectable errors, counter
	GPURemapPending                   // 1 while a row waits for a reset to be replaced
	GPURemapFailed                    // 1 when a row could not be replaced: the GPU must be replaced
	GPUPCIeReplays                    // counter
	GPUHealthy                        // 1 when the vendor's own check passes

	Quantities // the number of quantities
)

// Values holds one number for each known quantity. The zero value is empty.
type Values struct {
	known  uint64
	number [Quantities]float64
}

// Set sets a number. NaN and infinite numbers stay unknown.
func (v *Values) Set(q Quantity, number float64) {
	if math.IsNaN(number) || math.IsInf(number, 0) {
		return
	}
	v.known |= 1 << q
	v.number[q] = number
}

// Forget makes a quantity unknown.
func (v *Values) Forget(q Quantity) { v.known &^= 1 << q }

// Get returns a number, and whether it is known.
func (v *Values) Get(q Quantity) (number float64, known bool) {
	if v.known&(1<<q) == 0 {
		return 0, false
	}
	return v.number[q], true
}

// Known reports whether a quantity is known.
func (v *Values) Known(q Quantity) bool { return v.known&(1<<q) != 0 }

// Count returns how many quantities are known.
func (v *Values) Count() int { return bits.OnesCount64(v.known) }

// Fill copies from other the quantities that are unknown here.
func (v *Values) Fill(other *Values) {
	for more := other.known &^ v.known; more != 0; more &= more - 1 {
		q := bits.TrailingZeros64(more)
		v.number[q] = other.number[q]
	}
	v.known |= other.known
}

// GPUReading is one source's reading of one GPU at one time.
type GPUReading struct {
	GPU    GPU
	Values Values
	Source GPUSource
	// At is when it was measured; zero when unknown.
	At time.Time
	// Slices are the MIG instances of the GPU if the source lists them below
	// it instead of as GPUs of their own.
	Slices []GPUSlice
	// Events count what happened in a window of time.
	Events []GPUEvent
}

// GPUSlice is a MIG instance as nvidia-smi lists it below its GPU.
type GPUSlice struct {
	MIG
	Device string // the number of the MIG device on its GPU
	UUID   string
	Values Values
}

// GPUEvent counts something that happened to a GPU.
type GPUEvent struct {
	// Kind is "xid", "clock" or "health", and Name the code, reason or part:
	// "79", "hw_thermal", "NVLINK".
	Kind, Name string
	Count      float64
	Window     time.Duration // 0 when unknown
}

// GPUSource is the kind of source of a reading, in order of trust: where two
// of them know a quantity of the same GPU, the smaller one's number is used.
// Numbers of different sources are never added up.
type GPUSource uint8

const (
	// FromDCGM knows most quantities, and the pod.
	FromDCGM GPUSource = iota
	// FromExporter is a vendor's exporter: AMD, Intel, Habana, Neuron, TPU.
	FromExporter
	// FromPrometheus repeats an exporter, up to minutes later.
	FromPrometheus
	// FromSMIExporter repeats nvidia-smi.
	FromSMIExporter
	// FromTool is a tool's text: nvidia-smi, rocm-smi, hl-smi.
	FromTool
)

// String returns the source's name for users.
func (s GPUSource) String() string {
	switch s {
	case FromDCGM:
		return "DCGM exporter"
	case FromExporter:
		return "exporter"
	case FromPrometheus:
		return "Prometheus"
	case FromSMIExporter:
		return "nvidia_gpu_exporter"
	}
	return "tool"
}

// ThrottleReasons are the bits of GPUThrottle with their names, as DCGM's
// exporter writes them (dcgm-exporter 4.8, clock_events_collector.go).
var ThrottleReasons = []ThrottleReason{
	{1, "gpu_idle", false}, {2, "clocks_setting", false}, {4, "power_cap", false}, {8, "hw_slowdown", true},
	{16, "sync_boost", false}, {32, "sw_thermal", true}, {64, "hw_thermal", true}, {128, "hw_power_brake", true},
	{256, "display_clocks", false},
}

// ThrottleReason is one reason for a lower clock. Bad ones slow work down
// that could run faster; a power cap is normal at full load.
type ThrottleReason struct {
	Bit  uint64
	Name string
	Bad  bool
}

// GPUState is the newest state of one GPU, joined with the pod that holds it.
type GPUState struct {
	GPU    GPU
	Values Values
	// Sources are the sources of the values, the most trusted first. None:
	// only the objects of the cluster show it.
	Sources []GPUSource
	At      time.Time
	// Every is how often the source measures; 0 for one that measured once (a
	// file, a tool's text).
	Every  time.Duration
	Slices []GPUSlice
	Events []GPUEvent

	// Job and Rank are those of the pod that holds it; Rank is -1 when
	// unknown.
	Job  *Ref
	Rank int
	// Count is how many GPUs the state represents: 1, or more where only
	// objects show them, because these do not number GPUs.
	Count int
	// Free is true when it is known that no pod holds it.
	Free bool
}

// Held reports whether it is known who holds it: a pod, or a job where no source
// reports which of its pods.
func (g *GPUState) Held() bool { return g.GPU.Pod != "" || g.Job != nil }

// Freshness is how current a number is.
type Freshness uint8

const (
	Fresh   Freshness = iota
	Stale             // older than StaleAfter intervals: shown, but greyed
	Expired           // older than ExpiredAfter intervals: no longer shown
)

// How many intervals of its source a number stays fresh, and is shown at all.
const (
	StaleAfter   = 3
	ExpiredAfter = 12
)

// Freshness returns how old the values are relative to their source's
// interval. Values that were measured once are always fresh: their age is
// shown beside them.
func (g *GPUState) Freshness(now time.Time) Freshness { return freshness(g.At, g.Every, now) }

func freshness(at time.Time, every time.Duration, now time.Time) Freshness {
	if every <= 0 || at.IsZero() {
		return Fresh
	}
	switch age := now.Sub(at); {
	case age > ExpiredAfter*every:
		return Expired
	case age > StaleAfter*every:
		return Stale
	}
	return Fresh
}

// GPUPast is a source's history of one quantity of one GPU, oldest point
// first.
type GPUPast struct {
	GPU      GPU
	Quantity Quantity
	Points   []Point
}

// GPUChange is a change of a number that only changes when something happens:
// a new Xid, an ECC error, a row remapped, an NVLink error.
type GPUChange struct {
	Quantity Quantity
	At       time.Time
	From, To float64
}
