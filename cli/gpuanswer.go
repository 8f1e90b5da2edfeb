package cli

import (
	"math"
	"time"

	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// gpusAnswer is the output of `traintop gpus -o json`. Scripts rely on it:
// fields are only ever added. Unknown values are left out, never 0.
type gpusAnswer struct {
	GPUs []gpuAnswer `json:"gpus"`
	// Verdict is not-enough-read where there is no GPU and a source that may
	// report one was not read.
	Verdict  diagnose.Verdict `json:"verdict,omitempty"`
	Problems []problemAnswer  `json:"problems,omitempty"`
}

type gpuAnswer struct {
	Node  string `json:"node,omitempty"`
	Index string `json:"index,omitempty"`
	UUID  string `json:"uuid,omitempty"`
	Model string `json:"model,omitempty"`

	Namespace string `json:"namespace,omitempty"`
	Pod       string `json:"pod,omitempty"`
	Container string `json:"container,omitempty"`
	Job       string `json:"job,omitempty"`
	Rank      *int   `json:"rank,omitempty"`
	// Free is true when it is known that no pod holds the GPU.
	Free bool `json:"free,omitempty"`
	// Count is set when one line represents several GPUs, which are known only
	// from the objects of the cluster.
	Count int `json:"count,omitempty"`

	Utilization     *float64 `json:"utilization,omitempty"`
	MemoryUsedMiB   *float64 `json:"memoryUsedMiB,omitempty"`
	MemoryTotalMiB  *float64 `json:"memoryTotalMiB,omitempty"`
	TemperatureC    *float64 `json:"temperatureC,omitempty"`
	MemoryTempC     *float64 `json:"memoryTemperatureC,omitempty"`
	PowerW          *float64 `json:"powerW,omitempty"`
	PowerLimitW     *float64 `json:"powerLimitW,omitempty"`
	SMClockMHz      *float64 `json:"smClockMHz,omitempty"`
	GraphicsActive  *float64 `json:"graphicsActive,omitempty"`
	SMActive        *float64 `json:"smActive,omitempty"`
	TensorActive    *float64 `json:"tensorActive,omitempty"`
	DRAMActive      *float64 `json:"dramActive,omitempty"`
	Xid             *float64 `json:"xid,omitempty"`
	ECCUncorrected  *float64 `json:"eccUncorrected,omitempty"`
	RowsRemapped    *float64 `json:"rowsRemapped,omitempty"`
	RowRemapFailure *bool    `json:"rowRemapFailure,omitempty"`
	Throttle        []string `json:"throttle,omitempty"`

	MIG    *migAnswer       `json:"mig,omitempty"`
	Share  string           `json:"share,omitempty"`
	Slices []gpuSliceAnswer `json:"slices,omitempty"`
	Events []gpuEventAnswer `json:"events,omitempty"`

	Sources []string   `json:"sources,omitempty"`
	At      *time.Time `json:"at,omitempty"`
}

type migAnswer struct {
	Profile  string `json:"profile,omitempty"`
	Instance string `json:"instance,omitempty"`
}

// gpuSliceAnswer is a MIG device that a tool lists below its board.
type gpuSliceAnswer struct {
	migAnswer
	Device         string   `json:"device,omitempty"`
	UUID           string   `json:"uuid,omitempty"`
	MemoryUsedMiB  *float64 `json:"memoryUsedMiB,omitempty"`
	MemoryTotalMiB *float64 `json:"memoryTotalMiB,omitempty"`
}

// gpuEventAnswer counts events in the last windowS seconds.
type gpuEventAnswer struct {
	Kind    string  `json:"kind"`
	Name    string  `json:"name"`
	Count   float64 `json:"count"`
	WindowS float64 `json:"windowS,omitempty"`
}

func (s *session) answerGPUs(states []train.GPUState, snapshot *store.Snapshot) gpusAnswer {
	answer := gpusAnswer{GPUs: make([]gpuAnswer, 0, len(states)), Problems: s.problems(snapshot)}
	for i := range states {
		answer.GPUs = append(answer.GPUs, answerGPU(&states[i]))
	}
	return answer
}

func answerGPU(s *train.GPUState) gpuAnswer {
	g, v := &s.GPU, &s.Values
	a := gpuAnswer{
		Node: g.Node, Index: g.Index, UUID: g.UUID, Model: g.Model,
		Namespace: g.Namespace, Pod: g.Pod, Container: g.Container, Free: s.Free, Share: g.Share,
		Utilization:   measuredNumber(v, train.GPUUtilization),
		MemoryUsedMiB: measuredNumber(v, train.GPUMemoryUsed), MemoryTotalMiB: measuredNumber(v, train.GPUMemoryTotal),
		TemperatureC: measuredNumber(v, train.GPUTemperature), MemoryTempC: measuredNumber(v, train.GPUMemoryTemp),
		PowerW: measuredNumber(v, train.GPUPower), PowerLimitW: measuredNumber(v, train.GPUPowerLimit),
		SMClockMHz: measuredNumber(v, train.GPUSMClock), GraphicsActive: measuredNumber(v, train.GPUGraphics), SMActive: measuredNumber(v, train.GPUSMActive),
		TensorActive: measuredNumber(v, train.GPUTensorActive), DRAMActive: measuredNumber(v, train.GPUDRAMActive),
		Xid: measuredNumber(v, train.GPUXid), ECCUncorrected: measuredNumber(v, train.GPUECCUncorrected), RowsRemapped: measuredNumber(v, train.GPURowsRemapped),
		Throttle: throttleReasons(v), At: jsontext.Known(s.At),
	}
	if failed, isKnown := v.Get(train.GPURemapFailed); isKnown {
		yes := failed > 0
		a.RowRemapFailure = &yes
	}
	if s.Job != nil {
		a.Job = s.Job.String()
		if s.Rank >= 0 {
			a.Rank = &s.Rank
		}
	}
	if len(s.Sources) == 0 {
		a.Count = s.Count
	}
	if g.MIG != (train.MIG{}) {
		a.MIG = &migAnswer{g.MIG.Profile, g.MIG.Instance}
	}
	for _, slice := range s.Slices {
		a.Slices = append(a.Slices, gpuSliceAnswer{
			migAnswer{slice.Profile, slice.Instance}, slice.Device, slice.UUID,
			measuredNumber(&slice.Values, train.GPUMemoryUsed), measuredNumber(&slice.Values, train.GPUMemoryTotal),
		})
	}
	for _, e := range s.Events {
		a.Events = append(a.Events, gpuEventAnswer{e.Kind, e.Name, e.Count, e.Window.Seconds()})
	}
	for _, source := range s.Sources {
		a.Sources = append(a.Sources, source.String())
	}
	return a
}

// measuredNumber is a quantity for JSON, with no more digits than it was
// measured with.
func measuredNumber(v *train.Values, q train.Quantity) *float64 {
	value, isKnown := v.Get(q)
	if !isKnown {
		return nil
	}
	value = math.Round(value*1e6) / 1e6
	return &value
}

// throttleReasons are the names of the reasons for a lower clock.
func throttleReasons(v *train.Values) []string {
	bits, isKnown := v.Get(train.GPUThrottle)
	if !isKnown || bits > math.MaxUint32 {
		return nil
	}
	var names []string
	for _, reason := range train.ThrottleReasons {
		if uint64(bits)&reason.Bit != 0 {
			names = append(names, reason.Name)
		}
	}
	return names
}
