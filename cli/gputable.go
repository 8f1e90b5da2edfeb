package cli

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/traintop/traintop/train"
)

// printGPUTable prints one line for each GPU. A dash is not known.
func printGPUTable(w io.Writer, states []train.GPUState) error {
	table := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, strings.Join([]string{"NODE", "GPU", "MODEL", "USE", "MEMORY", "TEMP", "POWER", "TENSOR", "XID", "TROUBLE", "POD", "JOB", "RANK"}, "\t"))
	for i := range states {
		cells := gpuCells(&states[i])
		for i := range cells {
			cells[i] = dash(shorten(plain(cells[i]), 60))
		}
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	return table.Flush()
}

func gpuCells(s *train.GPUState) []string {
	g, v := &s.GPU, &s.Values
	rank := ""
	if s.Rank >= 0 && s.Job != nil {
		rank = fmt.Sprint(s.Rank)
	}
	job := ""
	if s.Job != nil {
		job = s.Job.Kind + "/" + s.Job.Name
	}
	return []string{
		g.Node, gpuName(s), g.Model,
		rounded(v, train.GPUUtilization, "%"), memoryCell(v), rounded(v, train.GPUTemperature, "C"), powerCell(v),
		shareCell(v, train.GPUTensorActive), rounded(v, train.GPUXid, ""), troubleCell(v), holderCell(s), job, rank,
	}
}

// gpuName is the index, with the MIG slice, or the number of GPUs that a line
// stands for.
func gpuName(s *train.GPUState) string {
	g := &s.GPU
	name := g.Index
	switch {
	case len(s.Sources) == 0:
		return fmt.Sprintf("×%d", s.Count)
	case name == "":
		name = g.UUID
	}
	if g.MIG != (train.MIG{}) {
		name += " MIG " + strings.TrimSpace(g.MIG.Profile+" #"+g.MIG.Instance)
	}
	if g.Share != "" {
		name += " share " + g.Share
	}
	return name
}

func holderCell(s *train.GPUState) string {
	switch g := &s.GPU; {
	case g.Pod != "" && g.Namespace != "":
		return g.Namespace + "/" + g.Pod
	case g.Pod != "":
		return g.Pod
	case s.Free:
		return "free"
	}
	return ""
}

func rounded(v *train.Values, q train.Quantity, unit string) string {
	value, isKnown := v.Get(q)
	if !isKnown {
		return ""
	}
	return fmt.Sprintf("%.0f%s", value, unit)
}

func shareCell(v *train.Values, q train.Quantity) string {
	value, isKnown := v.Get(q)
	if !isKnown {
		return ""
	}
	return fmt.Sprintf("%.0f%%", value*100)
}

func memoryCell(v *train.Values) string {
	used, total := gibCell(v, train.GPUMemoryUsed), gibCell(v, train.GPUMemoryTotal)
	switch {
	case used == "" && total == "":
		return ""
	case total == "":
		return used + " GiB"
	case used == "":
		return "-/" + total + " GiB"
	}
	return used + "/" + total + " GiB"
}

func gibCell(v *train.Values, q train.Quantity) string {
	value, isKnown := v.Get(q)
	if !isKnown {
		return ""
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", math.Round(value/102.4)/10), ".0")
}

func powerCell(v *train.Values) string {
	limit := rounded(v, train.GPUPowerLimit, "")
	power := rounded(v, train.GPUPower, "")
	switch {
	case power == "":
		return ""
	case limit == "":
		return power + " W"
	}
	return power + "/" + limit + " W"
}

// troubleCell names what is wrong with a GPU itself.
func troubleCell(v *train.Values) string {
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
	if bits, isKnown := v.Get(train.GPUThrottle); isKnown && bits <= math.MaxUint32 {
		for _, reason := range train.ThrottleReasons {
			if reason.Bad && uint64(bits)&reason.Bit != 0 {
				words = append(words, reason.Name)
			}
		}
	}
	if healthy, isKnown := v.Get(train.GPUHealthy); isKnown && healthy == 0 {
		words = append(words, "unhealthy")
	}
	return strings.Join(words, ", ")
}
