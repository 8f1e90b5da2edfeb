package tools

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// Rows of the table that amd-smi 26 (ROCm 7) prints without arguments. A GPU has
// two: address, name, memory activity, temperature, errors and power; then index,
// partition, use, fan and memory.
var (
	amdTableHead  = regexp.MustCompile(`(?m)^\s*\| BDF[\s|]+GPU-Name\s*\|`)
	amdTableName  = regexp.MustCompile(`^\|\s*([0-9A-Fa-f]{4}:[0-9A-Fa-f:.]+)[\s|]+(\S.*?)\s*\|\s*(\d+|N/A)(?: %)?[\s|]+(\d+|N/A)(?: °C)?[\s|]+(\d+|N/A)[\s|]+(\d+|N/A)(?:/(\d+|N/A))?(?: W)?\s*(?:\||$)`)
	amdTableCut   = regexp.MustCompile(`^\|\s*(\d+)\s+[\w/\s]*$`) // the second row of the last GPU
	amdTableIndex = regexp.MustCompile(`^\|\s*(\d+)[\s|]+(\d+|N/A)[\s|]+(\d+|N/A)[\s|]+(\S+)\s*\|\s*(\d+|N/A)(?: %)?[\s|]+\S+(?: %| RPM)?[\s|]+(\d+|N/A)/(\d+|N/A) MB\s*(?:\||$)`)
)

func readAMDTable(text string, a *readings.Answer, origin readings.Origin) error {
	var open *train.GPUReading
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if name := amdTableName.FindStringSubmatch(line); name != nil {
			open = &train.GPUReading{GPU: train.GPU{Node: origin.Node, Bus: name[1], Model: named(name[2])}, Source: train.FromTool, At: origin.At}
			note(a, open, train.GPUMemoryCopy, name[3], number)
			note(a, open, train.GPUTemperature, name[4], number)
			note(a, open, train.GPUECCUncorrected, name[5], number)
			note(a, open, train.GPUPower, name[6], number)
			if !isZero(name[7]) { // an APU has no limit of its own
				note(a, open, train.GPUPowerLimit, name[7], number)
			}
			continue
		}
		if cut := amdTableCut.FindStringSubmatch(line); cut != nil && open != nil {
			open.GPU.Index = cut[1]
			keepRow(a, *open)
			open = nil
			continue
		}
		if index := amdTableIndex.FindStringSubmatch(line); index != nil && open != nil {
			open.GPU.Index = index[1]
			note(a, open, train.GPUUtilization, index[5], number)
			note(a, open, train.GPUMemoryUsed, index[6], number)
			note(a, open, train.GPUMemoryTotal, index[7], number)
			keepRow(a, *open)
			open = nil
		}
	}
	return nil
}

func isAMDTable(h *head) bool {
	return bytes.Contains(h.text, []byte("GPU-Name")) && amdTableHead.Match(h.text)
}
