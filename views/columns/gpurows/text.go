package gpurows

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/draw"
)

// This file has the texts that commands print of GPUs: numbers with their unit
// and no space between, as nvidia-smi prints them.

// Printed are rows of the measurements of GPUs, for a command that diagnoses
// nothing.
func Printed(states []train.GPUState) []*Row {
	rows := make([]*Row, len(states))
	for i := range states {
		rows[i] = &Row{GPUState: &states[i], Sharing: 1}
	}
	return rows
}

// printed is an amount as a command prints it.
func printed(amount string) string { return strings.ReplaceAll(amount, " ", "") }

// PrintedName is the number of a GPU as a command prints it, with its slice, or
// the count of a row of several GPUs.
func PrintedName(state *train.GPUState) string {
	g := &state.GPU
	name := g.Index
	switch {
	case len(state.Sources) == 0:
		return fmt.Sprintf("×%d", state.Count)
	case name == "":
		name = g.UUID
	}
	if g.MIG != (train.MIG{}) {
		name += " MIG " + sliceName(g)
	}
	if g.Share != "" {
		name += " share " + g.Share
	}
	return name
}

func useText(r *Row) string {
	percent, known := r.Use(columns.PlainInk().Ages.Now)
	return printed(draw.Percent(columns.PlainInk().Theme, percent, known))
}

func memoryText(r *Row) string {
	used, total := gibi(r, train.GPUMemoryUsed), gibi(r, train.GPUMemoryTotal)
	switch {
	case used == "" && total == "":
		return ""
	case total == "":
		return used + " GiB"
	case used == "":
		return columns.Unknown + "/" + total + " GiB"
	}
	return used + "/" + total + " GiB"
}

func gibi(r *Row, q train.Quantity) string {
	value, known := r.Values.Get(q)
	if !known {
		return ""
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", math.Round(value/102.4)/10), ".0")
}

func powerText(r *Row) string {
	power, known := r.Values.Get(train.GPUPower)
	limit, limited := r.Values.Get(train.GPUPowerLimit)
	switch {
	case !known:
		return ""
	case !limited:
		return fmt.Sprintf("%.0f W", power)
	}
	return fmt.Sprintf("%.0f/%.0f W", power, limit)
}

// faults names the faults of a GPU itself, as its own numbers show them.
func faults(r *Row) string {
	v := &r.Values
	var words []string
	if failed, _ := v.Get(train.GPURemapFailed); failed > 0 {
		words = append(words, "row remap failed")
	}
	if pending, _ := v.Get(train.GPURemapPending); pending > 0 {
		words = append(words, "row remap pending")
	}
	if errors, _ := v.Get(train.GPUECCUncorrected); errors > 0 {
		words = append(words, fmt.Sprintf("%.0f uncorrected ECC", errors))
	}
	if bits, known := v.Get(train.GPUThrottle); known && bits <= math.MaxUint32 {
		_, bad := throttleReasons(bits)
		words = append(words, bad...)
	}
	if healthy, known := v.Get(train.GPUHealthy); known && healthy == 0 {
		words = append(words, "unhealthy")
	}
	return strings.Join(words, ", ")
}

func model(r *Row) string { return r.GPU.Model }

func pod(r *Row) string { return r.GPU.Pod }

// podText is the pod that holds a GPU, or that there is none.
func podText(r *Row) string {
	switch g := &r.GPU; {
	case g.Pod != "" && g.Namespace != "":
		return g.Namespace + "/" + g.Pod
	case g.Pod != "":
		return g.Pod
	case r.Free:
		return "free"
	}
	return ""
}

func job(r *Row) string {
	if r.Job == nil {
		return ""
	}
	return r.Job.Short()
}

func rank(r *Row) string {
	if r.Rank < 0 || r.Job == nil {
		return ""
	}
	return strconv.Itoa(r.Rank)
}
