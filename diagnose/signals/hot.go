package signals

import (
	"fmt"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

var (
	hotHopper = Limit{
		Name: "hotHopper", Preset: 95, Least: 50, Most: 120, Unit: "°C",
		Meaning: "chip of an H100, H200 or GH200", Source: "KempnerInstitute/kempnerpulse: H100 and H200 warn at 95",
	}
	hotA100 = Limit{
		Name: "hotA100", Preset: 93, Least: 50, Most: 120, Unit: "°C",
		Meaning: "chip of an A100", Source: "KempnerInstitute/kempnerpulse: A100 warns at 93",
	}
	hotInstinct = Limit{
		Name: "hotInstinct", Preset: 100, Least: 50, Most: 120, Unit: "°C",
		Meaning: "hot spot of an AMD Instinct", Source: "amd-smi static: SLOWDOWN_HOTSPOT_TEMPERATURE 100 °C of MI210 to MI300X",
	}
	hotOther = Limit{
		Name: "hotOther", Preset: 85, Least: 50, Most: 120, Unit: "°C",
		Meaning: "chip of any other, when it lasts for hotFor", Source: "nvidia_gpu_exporter's chart alerts above 85 for 10 minutes",
	}
	hotFor = Limit{
		Name: "hotFor", Preset: 10, Least: 0, Most: 240, Unit: "min",
		Meaning: "how long the chip has to be above hotOther", Source: "nvidia_gpu_exporter's chart alerts above 85 for 10 minutes",
	}
	hotMemory = Limit{
		Name: "hotMemory", Preset: 95, Least: 50, Most: 130, Unit: "°C",
		Meaning: "memory of an NVIDIA GPU", Source: "nvidia-smi -q: Memory Max Operating Temp 95 C of A100 and H100",
	}
	hotInstinctMemory = Limit{
		Name: "hotInstinctMemory", Preset: 105, Least: 50, Most: 130, Unit: "°C",
		Meaning: "memory of an AMD Instinct", Source: "amd-smi static: SLOWDOWN_VRAM_TEMPERATURE 95 to 105 °C, the highest",
	}
)

// Heat lowers clocks before it destroys anything: a hot GPU will soon be slow.
func hotRule() rule {
	return rule{
		kind: "hot", word: "hot", cause: "thermal-throttle",
		meaning: "chip or memory are as hot as their maker allows at most",
		limits:  []Limit{hotHopper, hotA100, hotInstinct, hotOther, hotFor, hotMemory, hotInstinctMemory},
		gpu:     hot,
	}
}

func hot(g *gpu) (Signal, bool) {
	chip, memory, lasting := hotLimits(g.GPU.Model)
	if degrees, known := g.Values.Get(train.GPUMemoryTemp); known && degrees >= g.limits.of(memory) {
		since, _ := g.lasts("hot memory", time.Time{}, 0)
		return hotSignal(g, "memory", degrees, g.limits.of(memory), since, train.GPUMemoryTemp), true
	}
	degrees, known := g.Values.Get(train.GPUTemperature)
	most := g.limits.of(chip)
	if !known || degrees < most {
		return Signal{}, false
	}
	least := time.Duration(0)
	if lasting {
		least = g.limits.minutes(&hotFor)
	}
	past := g.window(train.GPUTemperature, time.Hour, g.step())
	began, _ := past.run(func(v float64) bool { return v >= most })
	since, enough := g.lasts("hot", began, least)
	return hotSignal(g, "chip", degrees, most, since, train.GPUTemperature), enough
}

// hotLimits returns the limits of chip and memory of a model, and whether the
// chip has to stay above for a while.
func hotLimits(model string) (chip, memory *Limit, lasting bool) {
	switch {
	case strings.Contains(model, "H100"), strings.Contains(model, "H200"):
		return &hotHopper, &hotMemory, false
	case strings.Contains(model, "A100"):
		return &hotA100, &hotMemory, false
	case strings.Contains(model, "MI2"), strings.Contains(model, "MI3"), strings.Contains(model, "Instinct"):
		return &hotInstinct, &hotInstinctMemory, false
	}
	return &hotOther, &hotMemory, true
}

func hotSignal(g *gpu, part string, degrees, most float64, since time.Time, q train.Quantity) Signal {
	return Signal{
		Severity: train.SeverityWarning, Since: since, Quantities: []train.Quantity{q, train.GPUSMClock},
		Text: fmt.Sprintf("hot%s: its %s has %s °C, too hot from %s °C on", lasting(g.now, since), part, whole(degrees), whole(most)),
	}
}
