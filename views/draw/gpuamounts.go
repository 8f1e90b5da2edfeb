package draw

import (
	"math"
	"strconv"
	"strings"

	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
)

// Unknown values print as a dash, never as 0.

// Percent prints a number from 0 to 100.
func Percent(t *themes.Theme, percent float64, known bool) string {
	return amount(t, percent, known, 0, "%")
}

// Share prints a number from 0 to 1 as a percentage.
func Share(t *themes.Theme, share float64, known bool) string {
	return amount(t, 100*share, known, 0, "%")
}

// Watts prints a power; from 1000 W on in kW.
func Watts(t *themes.Theme, watts float64, known bool) string {
	if math.Abs(watts) >= 999.5 {
		return amount(t, watts/1000, known, 1, "kW")
	}
	return amount(t, watts, known, 0, "W")
}

// WattsOf prints a power with its limit: "71 W of 700".
func WattsOf(t *themes.Theme, watts float64, known bool, limit float64, limitKnown bool) string {
	text := Watts(t, watts, known)
	if !known || !limitKnown || !finite(limit) {
		return text
	}
	return text + " of " + strings.TrimSuffix(Watts(t, limit, true), " W")
}

// Celsius prints a temperature.
func Celsius(t *themes.Theme, degrees float64, known bool) string {
	return amount(t, degrees, known, 0, strings.TrimSpace(t.Glyphs.Degree)+"C")
}

// Megahertz prints a clock.
func Megahertz(t *themes.Theme, clock float64, known bool) string {
	return amount(t, clock, known, 0, "MHz")
}

// MiB prints an amount of memory in MiB, with the total when that is known:
// "71.2/79.6 GiB".
func MiB(t *themes.Theme, used float64, known bool, total float64, totalKnown bool) string {
	text := gibi(t, used, known)
	if totalKnown && finite(total) {
		text += "/" + gibi(t, total, true)
	} else if !known {
		return text
	}
	return text + " GiB"
}

func gibi(t *themes.Theme, mebi float64, known bool) string {
	if !known || !finite(mebi) {
		return t.Glyphs.Unmeasured
	}
	decimals := 1
	if mebi >= 1000*1024 {
		decimals = 0
	}
	return strconv.FormatFloat(mebi/1024, 'f', decimals, 64)
}

// Rate prints bytes per second with three digits: "12.4 GB/s".
func Rate(t *themes.Theme, bytes float64, known bool) string {
	units := []string{"B/s", "kB/s", "MB/s", "GB/s", "TB/s"}
	unit := 0
	for math.Abs(bytes) >= 999.5 && unit < len(units)-1 {
		bytes, unit = bytes/1000, unit+1
	}
	decimals := 0
	if unit > 0 && math.Abs(bytes) < 99.95 {
		decimals = 1
	}
	return amount(t, bytes, known, decimals, units[unit])
}

// Amount prints one quantity of a GPU with its unit; counters and codes
// without.
func Amount(t *themes.Theme, values *train.Values, q train.Quantity) string {
	v, known := values.Get(q)
	switch q {
	case train.GPUUtilization, train.GPUMemoryCopy:
		return Percent(t, v, known)
	case train.GPUMemoryUsed, train.GPUMemoryTotal:
		return MiB(t, v, known, 0, false)
	case train.GPUTemperature, train.GPUMemoryTemp:
		return Celsius(t, v, known)
	case train.GPUPower, train.GPUPowerLimit:
		return Watts(t, v, known)
	case train.GPUSMClock, train.GPUMaxSMClock, train.GPUMemoryClock:
		return Megahertz(t, v, known)
	case train.GPUGraphics, train.GPUSMActive, train.GPUSMOccupancy, train.GPUTensorActive, train.GPUDRAMActive:
		return Share(t, v, known)
	case train.GPUPCIeSent, train.GPUPCIeReceived, train.GPUNVLinkSent, train.GPUNVLinkReceived:
		return Rate(t, v, known)
	case train.GPUPowerThrottled, train.GPUHeatThrottled:
		return amount(t, v, known, 1, "s")
	case train.GPUEnergy:
		return amount(t, v/3.6e6, known, 1, "kWh")
	}
	return amount(t, v, known, 0, "")
}

func amount(t *themes.Theme, v float64, known bool, decimals int, unit string) string {
	if !known || !finite(v) {
		return t.Glyphs.Unmeasured
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if v == 0 || strings.Trim(text, "-0.") == "" {
		text = strings.TrimPrefix(text, "-")
	}
	if len(text) > maxDigits {
		text = strconv.FormatFloat(v, 'g', 3, 64)
	}
	if unit == "" {
		return text
	}
	return text + " " + unit
}

// maxDigits is the number of digits from which a value is shortened: no device
// can have it.
const maxDigits = 9

// Devices prints a number of accelerators, of which some are MIG slices, in the
// cell of a table: "4", "7 MIG", "4 + 7 MIG".
func Devices(all, slices int) string {
	return withSlices(strconv.Itoa(all-slices), strconv.Itoa(slices), all-slices, slices)
}

// DevicesOf prints how many of a number of accelerators pods hold: "4/8",
// "3/7 MIG", "4/8 + 3/7 MIG".
func DevicesOf(held, all, heldSlices, slices int) string {
	return withSlices(Of(held-heldSlices, all-slices), Of(heldSlices, slices), all-slices, slices)
}

func withSlices(whole, sliced string, wholes, slices int) string {
	switch {
	case slices == 0:
		return whole
	case wholes == 0:
		return sliced + " MIG"
	}
	return whole + " + " + sliced + " MIG"
}
