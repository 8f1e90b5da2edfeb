package tools

import (
	"strings"

	"github.com/traintop/traintop/train"
)

// smiReasons are the reasons for a lower clock that nvidia-smi lists one by one, with
// their bits (nvml.h, nvmlClocksEventReasons): as --query-gpu names them; -q writes
// the same words with spaces and capitals, -q -x as parts of longer names.
var smiReasons = map[string]uint64{
	"gpu_idle": 1, "idle": 1, "applications_clocks_setting": 2, "sw_power_cap": 4, "hw_slowdown": 8, "sync_boost": 16,
	"sw_thermal_slowdown": 32, "hw_thermal_slowdown": 64, "hw_power_brake_slowdown": 128, "display_clock_setting": 256,
	"display_clocks_setting": 256,
}

// smiSlow are the bits that have to be known before no reason at all counts as none:
// hw_slowdown is set beside each other reason of the hardware.
const smiSlow = 8 | 32

// reasons collects the bits of one GPU.
type reasons struct{ active, known uint64 }

// see adds a reason; a value that is not known adds nothing.
func (r *reasons) see(name, text string) {
	bit := smiReasons[strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), " ", "_")]
	switch value, ok := toolNumber(text); {
	case bit == 0 || !ok:
	case value != 0:
		r.active |= bit
		r.known |= bit
	default:
		r.known |= bit
	}
}

// set sets the quantity, unless the bits are known already.
func (r *reasons) set(v *train.Values) {
	if v.Known(train.GPUThrottle) || r.active == 0 && r.known&smiSlow != smiSlow {
		return
	}
	v.Set(train.GPUThrottle, float64(r.active))
}

// reasonField returns the reason that a field of --query-gpu is about, "" for other
// fields. Drivers before 535 called reasons those of throttling.
func reasonField(field string) string {
	for _, group := range [...]string{"clocks_event_reasons.", "clocks_throttle_reasons."} {
		if name, found := strings.CutPrefix(field, group); found && smiReasons[name] != 0 {
			return name
		}
	}
	return ""
}

// reasonPath returns the reason that a fact of -q is about: its heading is "Clocks
// Event Reasons", or "Clocks Throttle Reasons" before driver 535. The same for -q -x.
func reasonPath(path string) string {
	heading, name, _ := strings.Cut(path, "/")
	switch heading {
	case "Clocks Event Reasons", "Clocks Throttle Reasons":
		return name
	case "clocks_event_reasons", "clocks_throttle_reasons":
		for _, prefix := range [...]string{"clocks_event_reason_", "clocks_throttle_reason_"} {
			if reason, found := strings.CutPrefix(name, prefix); found {
				return reason
			}
		}
	}
	return ""
}

// setReasons sets the reasons of the facts of -q or -q -x.
func setReasons(v *train.Values, facts map[string]string) {
	var r reasons
	for path, text := range facts {
		if name := reasonPath(path); name != "" {
			r.see(name, text)
		}
	}
	r.set(v)
}
