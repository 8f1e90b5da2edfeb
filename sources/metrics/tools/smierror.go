package tools

import (
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
)

// smiTrouble are the messages of nvidia-smi, hl-smi and amd-smi when they fail, from
// driver 430 to 610; and a shell's message when they are missing.
var smiTrouble = []string{
	"Unable to determine the device handle for",
	"GPU is lost",
	"Reboot the system to recover this GPU",
	"NVIDIA-SMI has failed because",
	"NVIDIA-SMI couldn't find",
	"couldn't communicate with the NVIDIA driver",
	"Failed to initialize NVML",
	"Failed to properly shut down NVML",
	"No devices were found",
	"No devices found",
	"is not a valid field to query",
	"is not a valid field",
	"nvidia-smi: command not found",
	"nvidia-smi: not found",
	"\"nvidia-smi\": executable file not found",
	"Insufficient Permissions",
	"The following GPUs could not be initialized",
	"GPU requires reset",
	"AMDSMI_STATUS_",
	"No AIP devices",
	"libtpu metrics unavailable",
}

// smiFailed reports whether a line is such a message.
func smiFailed(line string) bool {
	if strings.HasPrefix(strings.TrimSpace(line), "|") && strings.Contains(line, "MiB") {
		return false // a row of a table
	}
	for _, trouble := range smiTrouble {
		if strings.Contains(line, trouble) {
			return true
		}
	}
	return false
}

// isFailedSession recognises a short session of a shell in which a tool of GPUs
// answered with such a message, whatever other commands it has.
func isFailedSession(lines []string) bool {
	for i := 1; i < len(lines) && len(lines) < mostFirstLines; i++ {
		if Typed.MatchString(lines[i-1]) && smiFailed(lines[i]) {
			return true
		}
	}
	return false
}

// readSMIError reads a text that contains only such messages.
func readSMIError(text string, a *readings.Answer, _ readings.Origin) error {
	number := 0
	for line := range strings.Lines(text) {
		number++
		if smiFailed(line) {
			a.AddProblem(number, "%s", readings.OneLine(line))
		}
	}
	return nil
}

// smiListed matches the line that nvidia-smi -L prints for a GPU,
// smiListedSlice that for a MIG device.
var (
	smiListed      = regexp.MustCompile(`^\s*(?:GPU|AIP|PPU) (\d+): (.*?)\s*(?:\((?:UUID|uuid): ?([^)\s]*)\)?)?\s*$`)
	smiListedSlice = regexp.MustCompile(`^\s*MIG (\S+?),?\s+Device\s+(\d+):?\s*(?:\(UUID: ?([^)\s]*)\)?)?`)
	// smiOldSlice matches the name of a slice before driver 470: board, GPU
	// instance, compute instance.
	smiOldSlice = regexp.MustCompile(`^MIG-GPU-[^/]*/(\d+)/\d+$`)
)

// isSMIError: most of a few lines are messages of nvidia-smi.
func isSMIError(lines []string) bool {
	failed := 0
	for _, line := range lines {
		if smiFailed(line) {
			failed++
		}
	}
	return len(lines) <= 16 && 2*failed >= len(lines)
}
