package metrics

import (
	"strings"

	"github.com/traintop/traintop/train"
)

// Quantities that only serve to work out another one.
const (
	memoryFree     = train.Quantities + iota // MiB
	memoryReserved                           // MiB
	helpers
)

// measure says what the number of a metric is.
type measure struct {
	quantity train.Quantity
	// scale turns the metric's unit into the quantity's; 0 stands for 1.
	scale float64
	// zeroUnknown: a 0 of this metric means that it is not reported.
	zeroUnknown bool
	// greatest keeps the greatest of several samples of one GPU; otherwise
	// the last one stands.
	greatest bool
	// share: a number that may be a percentage or a share of 1, which only
	// the values of all GPUs tell.
	share bool
	// only takes a sample by its labels; nil takes all.
	only func(*tags) bool
}

// family is what one exporter calls things.
type family struct {
	source train.GPUSource
	// belongs tells by its name whether a metric is the exporter's.
	belongs func(name string) bool
	// measure finds what a metric's number is; nil for one that says only
	// that the GPU is there.
	measure func(name string) *measure
	// device reports whether a sample is about one whole GPU, or one slice
	// of one, and may mend its tags. nil: index or UUID have to be there.
	device func(*tags) bool
	// event turns a sample into an event of the GPU; nil for families without.
	event func(name string, t *tags, value float64) (train.GPUEvent, bool)
	// keyless: samples of one GPU do not all carry its index.
	keyless bool
}

// families in the order in which they are asked. The list never changes.
var families = []*family{&dcgm, &amd, &smiExporter, &xpum, &xpumd, &habana, &neuron, &gke, &cadvisor}

// familyOf finds the exporter that a metric is of, nil when it is of none.
func familyOf(name string) *family {
	for _, f := range families {
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

// listed looks metrics up by their whole name.
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
	percent = 100             // of a share of 1
	milli   = 1e-3
	nano    = 1e-9
)
