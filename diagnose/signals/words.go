package signals

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// lasting returns " for 12m", or nothing for what was measured only once.
func lasting(now, since time.Time) string {
	if now.Sub(since) < time.Second {
		return ""
	}
	return " for " + termtext.Duration(now.Sub(since))
}

// ratio formats two digits, as "0.62".
func ratio(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

// whole formats a number without decimals.
func whole(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }

// percent formats a share as "61 %".
func percent(share float64) string { return whole(100*share) + " %" }

// mebi is a MiB in bytes, in which GPUs report their memory.
const mebi = 1 << 20

// gpuName names the GPU of a signal among those of a job: "rank 3 GPU 5".
func gpuName(s *Signal) string {
	var b strings.Builder
	switch {
	case s.Rank >= 0:
		fmt.Fprintf(&b, "rank %d", s.Rank)
	case s.Node != "":
		b.WriteString(s.Node)
	}
	if s.gpuIndex != "" {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString("GPU " + s.gpuIndex)
	}
	return b.String()
}

// QuantityName returns the name of a quantity in a sentence.
func QuantityName(q train.Quantity) string {
	name, _ := quantityName(q)
	return name
}

// quantityName returns the name of a quantity in a sentence, and its unit.
func quantityName(q train.Quantity) (name, unit string) {
	switch q {
	case train.GPUUtilization:
		return "use", " %"
	case train.GPUPower:
		return "power", " W"
	case train.GPUSMClock:
		return "SM clock", " MHz"
	case train.GPUTensorActive:
		return "tensor activity", ""
	case train.GPUSMActive:
		return "SM activity", ""
	case train.GPUGraphics:
		return "engine activity", ""
	}
	return "number", ""
}
