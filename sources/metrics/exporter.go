package metrics

import (
	"strings"

	"github.com/traintop/traintop/train"
)

// Quantities from which others are computed.
const (
	memoryFree     = train.Quantities + iota // MiB
	memoryReserved                           // MiB
	boardUsed                                // MiB of a board's memory, where its chips have none of their own
	boardTotal                               // MiB
	helpers
)

// measure describes the number of a metric.
type measure struct {
	quantity train.Quantity
	// scale converts the metric's unit to the quantity's; 0 means 1.
	scale float64
	// orMiB: some versions write MiB in place of bytes, which no number below a MiB can be.
	orMiB bool
	// zeroUnknown: a 0 of this metric means that it is not reported.
	zeroUnknown bool
	// greatest keeps the greatest of several samples of one GPU; otherwise the
	// last one is kept.
	greatest bool
	// share: the number is a percentage or a share of 1; only the values of all
	// GPUs together show which.
	share bool
	// unitless: as share, and where all are 0 or 1, a 1 may be either.
	unitless bool
	// orMilli: a number greater than a GPU draws is in thousandths.
	orMilli bool
	// ifUnknown: another metric of the same is preferred.
	ifUnknown bool
	// only selects samples by their labels; nil selects all.
	only func(*tags) bool
}

// exporter is what the metrics of one exporter mean.
type exporter struct {
	source train.GPUSource
	// belongs reports by its name whether a metric is the exporter's.
	belongs func(name string) bool
	// measure returns the description of a metric's number; nil if the metric only
	// shows that the GPU exists.
	measure func(name string) *measure
	// device reports whether a sample is about one whole GPU, or one slice, and
	// may correct its tags. nil: the sample needs an index or UUID.
	device func(*tags) bool
	// event converts a sample to an event of the GPU; nil for exporters without events.
	event func(name string, t *tags, value float64) (train.GPUEvent, bool)
	// apart: a whole GPU stays beside what its pods use of it.
	apart bool
	// broad: other exporters have metrics with its prefix, too.
	broad bool
	// keyless: not all samples of one GPU have its index.
	keyless bool
}

// exporters in the order in which they are tried. The list never changes.
var exporters = []*exporter{&dcgm, &allSMI, &nvidiaGPU, &triton, &amd, &smiExporter, &xpum, &xpumd, &habana, &npu, &neuron, &gke, &cadvisor, &hami, &gpuManager, &iluvatar, &enflame, &hygon, &cambricon, &metax, &rebellions, &drm}

// exporterOf returns the exporter of a metric, nil if none is known.
func exporterOf(name string) *exporter {
	for _, f := range exporters {
		if f.belongs(name) {
			return f
		}
	}
	return nil
}

func prefixed(prefixes ...string) func(string) bool {
	return func(name string) bool {
		for _, prefix := range prefixes {
			if strings.HasPrefix(name, prefix) {
				return true
			}
		}
		return false
	}
}

// listed returns a lookup of metrics by their whole name.
func listed(table map[string]measure) func(string) *measure {
	return func(name string) *measure {
		if m, found := table[name]; found {
			return &m
		}
		return nil
	}
}

const (
	mib     = 1.0 / (1 << 20) // bytes to MiB
	kib     = 1.0 / (1 << 10) // KiB to MiB
	percent = 100             // of a share of 1
	milli   = 1e-3
	nano    = 1e-9
)
