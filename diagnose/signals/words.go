package signals

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

// length formats a duration: "41s", "12m", "3h 10m", "2d 4h".
func length(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(max(0, d).Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 24*time.Hour:
		return joined(int(d.Hours()), "h", int(d.Minutes())%60, "m")
	}
	return joined(int(d.Hours())/24, "d", int(d.Hours())%24, "h")
}

func joined(large int, unit string, small int, smallUnit string) string {
	text := strconv.Itoa(large) + unit
	if small > 0 {
		text += " " + strconv.Itoa(small) + smallUnit
	}
	return text
}

// lasting returns " for 12m", or nothing for what was measured only once.
func lasting(now, since time.Time) string {
	if now.Sub(since) < time.Second {
		return ""
	}
	return " for " + length(now.Sub(since))
}

// ratio formats two digits, as "0.62".
func ratio(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

// whole formats a number without decimals.
func whole(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }

// percent formats a share as "61 %".
func percent(share float64) string { return whole(100*share) + " %" }

// gibi formats an amount in MiB as "71.2 GiB".
func gibi(mebi float64) string { return strconv.FormatFloat(mebi/1024, 'f', 1, 64) + " GiB" }

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
