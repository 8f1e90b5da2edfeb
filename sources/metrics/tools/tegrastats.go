package tools

import (
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// tegrastats of JetPack 3 to 7 prints a line for each interval. A Jetson has one GPU,
// which shares the memory with the CPU. On Thor, JetPack 7.0 prints its clocks alone.
//
//	RAM 3308/7607MB (lfb 32x4MB) CPU [0%@1510] GR3D_FREQ 99% gpu@62.3C VDD_GPU_SOC 2562mW/2282mW
var (
	tegraHead = regexp.MustCompile(`^(?:\s|# )*(?:\d\d-\d\d-\d{4} [\d:.]+ )?RAM (\d+)/(\d+)MB\b.*\bGR3D(?:_FREQ)? (?:(\d+)%)?`)
	tegraTemp = regexp.MustCompile(`(?i)\bgpu@(-?[\d.]+)C`)
	// tegraPower matches the rail of the GPU alone: that of Nano, TX2 and Xavier.
	tegraPower = regexp.MustCompile(`\b(?:VDD_GPU|VDD_SYS_GPU|POM_5V_GPU|GPU) (\d+)(?:mW)?/\d+`)
)

// tegraBroken matches where a line was broken on its way, perhaps into a comment.
var tegraBroken = regexp.MustCompile(`\r?\n[ \t]*(?:# ?)?(CPU \[|[A-Z0-9]+_FREQ |\w+@-?[\d.]+C\b|VDD_\w+ \d)`)

// tegraOff is the temperature of what is switched off.
const tegraOff = "-256"

func isTegra(h *head) bool {
	const above, parts = 3, 3
	lines := strings.Split(tegraBroken.ReplaceAllString(strings.Join(h.first(above+parts), "\n"), " $1"), "\n")
	return slices.ContainsFunc(lines[:min(above, len(lines))], tegraHead.MatchString)
}

func readTegra(text string, a *readings.Answer, origin readings.Origin) error {
	number := 0
	for line := range strings.Lines(tegraBroken.ReplaceAllString(text, " $1")) {
		number++
		found := tegraHead.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		r := train.GPUReading{GPU: train.GPU{Node: origin.Node, Index: "0"}, Source: train.FromTool, At: origin.At}
		note(a, &r, train.GPUMemoryUsed, found[1], number)
		note(a, &r, train.GPUMemoryTotal, found[2], number)
		note(a, &r, train.GPUUtilization, found[3], number)
		if temp := tegraTemp.FindStringSubmatch(line); temp != nil && temp[1] != tegraOff {
			note(a, &r, train.GPUTemperature, temp[1], number)
		}
		if power := tegraPower.FindStringSubmatch(line); power != nil && !isZero(power[1]) { // a rail without a sensor
			note(a, &r, train.GPUPower, power[1]+" mW", number)
		}
		keepRow(a, r)
	}
	return nil
}
