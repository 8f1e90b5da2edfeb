package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// neuronReport is a line of neuron-monitor 2.x, with the fields that are used here.
type neuronReport struct {
	Runtimes []struct {
		Report struct {
			Cores struct {
				InUse map[string]struct {
					Utilization *float64 `json:"neuroncore_utilization"` // %
				} `json:"neuroncores_in_use"`
			} `json:"neuroncore_counters"`
			Memory struct {
				Used struct {
					Breakdown struct {
						// bytes by their use: tensors, constants, code
						Cores map[string]map[string]float64 `json:"neuroncore_memory_usage"`
					} `json:"usage_breakdown"`
				} `json:"neuron_runtime_used_bytes"`
			} `json:"memory_used"`
		} `json:"report"`
	} `json:"neuron_runtime_data"`
	Instance struct {
		ID   string `json:"instance_id"`
		Type string `json:"instance_type"`
	} `json:"instance_info"`
}

// readNeuronMonitor reads the output of neuron-monitor: one object per period, of
// which the last complete one counts.
func readNeuronMonitor(text []byte, a *readings.Answer, origin readings.Origin) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	reports := 0
	var newest neuronReport
	for decoder.More() {
		var report neuronReport
		if err := decoder.Decode(&report); err != nil {
			a.AddProblem(readings.JSONLine(text, err), "a report of neuron-monitor that cannot be read: %v", err)
			break
		}
		newest = report
		reports++
	}
	if reports == 0 {
		return nil
	}
	cores := map[string]*train.GPUReading{}
	for _, runtime := range newest.Runtimes {
		for core, use := range runtime.Report.Cores.InUse {
			r := cores[core]
			if r == nil && len(cores) < readings.MaxGPUs {
				r = &train.GPUReading{
					GPU:    train.GPU{Node: origin.Node, Host: newest.Instance.ID, Index: core, Model: newest.Instance.Type},
					Source: train.FromTool, At: origin.At,
				}
				cores[core] = r
			}
			if before, _ := r.Values.Get(train.GPUUtilization); use.Utilization != nil && *use.Utilization >= before {
				note(a, r, train.GPUUtilization, fmt.Sprintf("%f", *use.Utilization), 0)
			}
			neuronMemory(r, runtime.Report.Memory.Used.Breakdown.Cores[core])
		}
	}
	for _, core := range slices.SortedFunc(maps.Keys(cores), naturally) {
		a.Readings = append(a.Readings, *cores[core])
	}
	return nil
}

// neuronMemory adds up the memory of one core that a process holds.
func neuronMemory(r *train.GPUReading, parts map[string]float64) {
	if len(parts) == 0 {
		return
	}
	sum := 0.0
	for _, bytes := range parts {
		sum += bytes
	}
	if used := sum * mib; readings.Plausible(train.GPUMemoryUsed, used) {
		r.Values.Set(train.GPUMemoryUsed, used)
	}
}
