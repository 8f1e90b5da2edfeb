package tools

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// rocmCard is the key of a card in rocm-smi --json.
var rocmCard = regexp.MustCompile(`^card(\d+)$`)

// rocmKeys are the keys, in order of preference, under which rocm-smi 4 to 7 writes
// a quantity; they differ between releases and cards. All values are text.
var rocmKeys = []struct {
	quantity train.Quantity
	keys     []string
	// zeroUnknown: a 0 means that the sensor does not report.
	zeroUnknown bool
	bytes       bool
}{
	{train.GPUUtilization, []string{"GPU use (%)", "HCU use (%)", "DCU use (%)", "average_gfx_activity (%)"}, false, false},
	{train.GPUMemoryCopy, []string{"GPU Memory Read/Write Activity (%)", "GPU memory use (%)", "average_umc_activity (%)"}, false, false},
	{train.GPUMemoryUsed, []string{"VRAM Total Used Memory (B)"}, false, true},
	{train.GPUMemoryTotal, []string{"VRAM Total Memory (B)"}, true, true},
	{train.GPUTemperature, []string{"Temperature (Sensor junction) (C)", "temperature_hotspot (C)", "Temperature (Sensor edge) (C)", "temperature_edge (C)", "Temperature"}, true, false},
	{train.GPUMemoryTemp, []string{"Temperature (Sensor memory) (C)", "Temperature (Sensor mem) (C)", "temperature_mem (C)"}, true, false},
	{train.GPUPower, []string{"Current Socket Graphics Package Power (W)", "Average Graphics Package Power (W)", "Current Graphics Package Power (W)", "current_socket_power (W)", "average_socket_power (W)", "Power (W)", "Average Graphics Package Power", "Average GPU Power"}, true, false},
	{train.GPUPowerLimit, []string{"Max Graphics Package Power (W)"}, true, false},
	{train.GPUPCIeReplays, []string{"PCIe Replay Count"}, false, false},
}

// rocmMiB are the keys of hy-smi 1.12 for memory.
var rocmMiB = map[train.Quantity]string{
	train.GPUMemoryUsed: "vram Total Used Memory (MiB)", train.GPUMemoryTotal: "vram Total Memory (MiB)",
}

// readROCmJSON reads rocm-smi --json.
func readROCmJSON(text []byte, a *readings.Answer, origin readings.Origin) error {
	var cards map[string]json.RawMessage
	if err := json.Unmarshal(text, &cards); err != nil {
		cards = readings.WholeMembers(text)
		a.AddProblem(readings.JSONLine(text, err), "not valid JSON: %v; the %d cards before it were read", err, len(cards))
	}
	names := slices.SortedFunc(maps.Keys(cards), func(x, y string) int { return naturally(x, y) })
	for _, name := range names {
		number := rocmCard.FindStringSubmatch(name)
		if number == nil || len(a.Readings) >= readings.MaxGPUs {
			continue
		}
		var values map[string]any
		if err := json.Unmarshal(cards[name], &values); err != nil {
			a.AddProblem(0, "%s is no object of names and values", name)
			continue
		}
		a.Readings = append(a.Readings, rocmReading(a, values, number[1], origin))
	}
	return nil
}

// rocmFact matches a line of rocm-smi and hy-smi with an option such as --showuse,
// --showtemp, --showmetrics or -a: the name of a quantity is the key that --json
// writes for it.
//
//	GPU[0]		: Temperature (Sensor edge) (C): 45.0
var rocmFact = regexp.MustCompile(`^\s*(?:GPU|HCU|DCU)\[(\d+)\]\s*:\s+([^:]+):\s*(.*?)\s*$`)

// rocmRemark matches what the tool prints about a GPU in place of a quantity, rocmJoined
// and rocmBeside the next fact on a line where people joined them, with its GPU and
// without.
var (
	rocmJoined = regexp.MustCompile(`[ \t]{2,}((?:GPU|HCU|DCU)\[\d+\]\s*:\s+[^:\n]+:)`)
	rocmRemark = regexp.MustCompile(`^\s*(?:GPU|HCU|DCU)\[\d+\]\s*: [^:]*$`)
	rocmBeside = regexp.MustCompile(`\s{2,}([^:]+\((?:%|C|W|B|MHz)\)):\s*`)
)

// rocmUnit matches the end of a name that is measured.
var rocmUnit = regexp.MustCompile(`\((?:%|C|W|B|V|MHz)\)$`)

// isROCmText: nearly all lines are facts of a GPU below the titles of their
// sections, and one is a measured quantity or the tool's title. A program that logs for
// each GPU writes lines that look similar.
func isROCmText(lines []string) bool {
	facts, others, measured := 0, 0, false
	for _, line := range lines {
		found := rocmFact.FindStringSubmatch(line)
		switch {
		case found != nil:
			facts++
			measured = measured || rocmUnit.MatchString(found[2])
		case rocmTitle.MatchString(line):
			measured = true
		case rocmRemark.MatchString(line):
		case !strings.HasPrefix(strings.TrimSpace(line), "=") && !strings.HasPrefix(line, "....") && !strings.HasPrefix(line, "WARNING"):
			others++
		}
	}
	return facts > 0 && measured && 4*others <= facts
}

// rocmTitle matches the first line that rocm-smi and hy-smi print, and the last.
var rocmTitle = regexp.MustCompile(`^\s*(?:=+|\.+) *(?:ROCm System Management Interface|ROCm SMI|End of ROCm SMI)\b`)

// readROCmText reads the text of rocm-smi with options.
func readROCmText(text string, a *readings.Answer, origin readings.Origin) error {
	cards := map[string]map[string]any{}
	var order []string
	for line := range strings.Lines(rocmJoined.ReplaceAllString(text, "\n$1")) {
		found := rocmFact.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if found == nil {
			continue
		}
		index, key := found[1], strings.TrimSpace(found[2])
		values := cards[index]
		if values == nil {
			if len(order) >= maxRows {
				continue
			}
			values = map[string]any{}
			cards[index], order = values, append(order, index)
		}
		value := found[3]
		for beside := rocmBeside.FindStringSubmatchIndex(value); beside != nil; beside = rocmBeside.FindStringSubmatchIndex(value) {
			keepFact(values, key, value[:beside[0]])
			key, value = value[beside[2]:beside[3]], value[beside[1]:]
		}
		keepFact(values, key, value)
	}
	for _, index := range order {
		a.Readings = append(a.Readings, rocmReading(a, cards[index], index, origin))
	}
	return nil
}

// keepFact keeps the first value of a fact.
func keepFact(values map[string]any, key, value string) {
	if _, met := values[key]; !met {
		values[key] = value
	}
}

func rocmReading(a *readings.Answer, values map[string]any, index string, origin readings.Origin) train.GPUReading {
	at := func(keys ...string) string {
		for _, key := range keys {
			for _, spelled := range []string{key, rocmSpelling(key)} {
				if text, found := values[spelled]; found && !unknownText(fmt.Sprint(text)) {
					return fmt.Sprint(text)
				}
			}
		}
		return ""
	}
	r := train.GPUReading{
		GPU:    train.GPU{Node: origin.Node, Index: index, Bus: at("PCI Bus"), Model: at("Card series", "Device Name")},
		Source: train.FromTool, At: origin.At,
	}
	// The tool writes N/A for a card without a unique id. It is kept unchanged:
	// the store never joins by it.
	r.GPU.UUID, _ = values["Unique ID"].(string)
	for _, k := range rocmKeys {
		text := at(k.keys...)
		unit := "B"
		if k.bytes && text == "" {
			text, unit = at(rocmMiB[k.quantity]), "MiB"
		}
		if k.zeroUnknown && isZero(text) {
			continue
		}
		if k.bytes && text != "" {
			text, _, _ = strings.Cut(text, " (") // "68702699520 (~64GB)"
			text += " " + unit
		}
		note(a, &r, k.quantity, text, 0)
	}
	if clock := regexpMHz.FindStringSubmatch(at("sclk clock speed:", "sclk clock level")); clock != nil {
		note(a, &r, train.GPUSMClock, clock[1], 0)
	}
	return r
}

var regexpMHz = regexp.MustCompile(`(?i)\((\d+)Mhz\)`)

// rocmSpelling returns how releases from 6.1 on write a key of two words.
func rocmSpelling(key string) string {
	first, second, found := strings.Cut(key, " ")
	if !found || second == "" || strings.ContainsAny(second, " (") {
		return key
	}
	return first + " " + strings.ToUpper(second[:1]) + second[1:]
}

func isZero(text string) bool {
	value, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return err == nil && value == 0
}

// naturally compares text with numbers in it by the size of the numbers.
func naturally(x, y string) int {
	head := func(text string) (string, int) {
		end := strings.IndexAny(text, "0123456789")
		if end < 0 {
			return text, -1
		}
		n, err := strconv.Atoi(text[end:])
		if err != nil {
			return text, -1
		}
		return text[:end], n
	}
	xName, xNumber := head(x)
	yName, yNumber := head(y)
	if xName != yName {
		return strings.Compare(xName, yName)
	}
	return xNumber - yNumber
}
