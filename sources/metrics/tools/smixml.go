package tools

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// xmlPaths are where nvidia-smi -q -x, driver 390 to 610, writes a quantity: the
// element and its parent, in order of preference.
var xmlPaths = []struct {
	quantity train.Quantity
	paths    []string
}{
	{train.GPUUtilization, []string{"utilization/gpu_util"}},
	{train.GPUMemoryCopy, []string{"utilization/memory_util"}},
	{train.GPUMemoryUsed, []string{"fb_memory_usage/used"}},
	{train.GPUMemoryTotal, []string{"fb_memory_usage/total"}},
	{train.GPUTemperature, []string{"temperature/gpu_temp"}},
	{train.GPUMemoryTemp, []string{"temperature/memory_temp"}},
	{train.GPUPower, []string{"gpu_power_readings/power_draw", "gpu_power_readings/average_power_draw", "gpu_power_readings/instant_power_draw", "power_readings/power_draw"}},
	{train.GPUPowerLimit, []string{"gpu_power_readings/current_power_limit", "gpu_power_readings/power_limit", "power_readings/power_limit"}},
	{train.GPUSMClock, []string{"clocks/sm_clock"}},
	{train.GPUMaxSMClock, []string{"max_clocks/sm_clock"}},
	{train.GPUMemoryClock, []string{"clocks/mem_clock"}},
	{train.GPURowsRemapped, []string{"remapped_rows/remapped_row_unc"}},
	{train.GPURemapPending, []string{"remapped_rows/remapped_row_pending"}},
	{train.GPURemapFailed, []string{"remapped_rows/remapped_row_failure"}},
}

// xmlInside matches a text that begins within an element, xmlGPU where a GPU begins.
var (
	xmlInside = regexp.MustCompile(`^[^<\n]*</?\w+>\s*<`)
	xmlGPU    = regexp.MustCompile(`<gpu(?: id="[^"]*")?>`)
)

// xmlTag matches an element's beginning or end, and the text behind it.
var xmlTag = regexp.MustCompile(`<(/?)(\w+)[^<>]*>([^<]*)`)

// isSMIXML recognises nvidia-smi -q -x, a piece of it from which a GPU begins, or one out of
// the middle of a GPU.
func isSMIXML(text []byte) bool {
	if bytes.HasPrefix(text, []byte("<")) && bytes.Contains(text, []byte("nvidia_smi_log")) {
		return true
	}
	if isXMLPiece(text) {
		return true
	}
	return xmlInside.Match(text) && xmlGPU.Match(text) && bytes.Contains(text, []byte("<fb_memory_usage>"))
}

// isXMLPiece recognises a piece out of the middle of a GPU by what is in each.
func isXMLPiece(text []byte) bool {
	return bytes.HasPrefix(text, []byte("<")) && !bytes.HasPrefix(text, []byte("<!")) && !xmlGPU.Match(text) &&
		bytes.Contains(text, []byte("<fb_memory_usage>")) && bytes.Contains(text, []byte("<gpu_util>"))
}

// xmlPiece reads the elements of such a piece, in which beginnings and ends are missing.
func xmlPiece(text string) map[string]string {
	facts := map[string]string{}
	parent, open := "", ""
	for _, tag := range xmlTag.FindAllStringSubmatch(text, -1) {
		value := strings.TrimSpace(tag[3])
		switch {
		case tag[1] == "" && value == "":
			parent = tag[2]
		case tag[1] == "":
			open = tag[2]
			if path := strings.TrimPrefix(parent+"/"+open, "/"); facts[path] == "" {
				facts[path] = value
			}
		case tag[2] != open:
			parent = ""
		}
	}
	return facts
}

// readSMIXML reads nvidia-smi -q -x. GPUs have no index in it; their order gives it, from the
// beginning on.
func readSMIXML(text string, a *readings.Answer, origin readings.Origin) error {
	if isXMLPiece([]byte(strings.TrimSpace(text))) && !strings.Contains(text, "nvidia_smi_log") {
		a.Readings = append(a.Readings, xmlReading(a, xmlPiece(text), origin))
		return nil
	}
	ordered := true
	if at := xmlGPU.FindStringIndex(text); at != nil && !strings.Contains(text[:at[0]], "<nvidia_smi_log>") {
		ordered = strings.Contains(text[:at[0]], "</cuda_version>") || strings.Contains(text[:at[0]], "</attached_gpus>")
		text = text[at[0]:]
	}
	decoder := xml.NewDecoder(strings.NewReader(text))
	decoder.Strict = false
	decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the XML of nvidia-smi ends or breaks after %d GPUs: %w", len(a.Readings), err)
		}
		start, isStart := token.(xml.StartElement)
		if !isStart || start.Name.Local != "gpu" {
			continue
		}
		facts, err := xmlFacts(decoder)
		for _, attribute := range start.Attr {
			if attribute.Name.Local == "id" {
				facts["id"] = attribute.Value
			}
		}
		if len(a.Readings) < maxRows {
			r := xmlReading(a, facts, origin)
			if ordered {
				r.GPU.Index = fmt.Sprint(len(a.Readings))
			}
			a.Readings = append(a.Readings, r)
		}
		if err != nil {
			return fmt.Errorf("the XML of nvidia-smi ends or breaks within GPU %d: %w", len(a.Readings)-1, err)
		}
	}
}

// xmlFacts reads the elements up to the end of the current one, by "parent/name";
// its direct children by their name alone.
func xmlFacts(decoder *xml.Decoder) (map[string]string, error) {
	facts := map[string]string{}
	var open []string
	for {
		token, err := decoder.Token()
		if err != nil {
			return facts, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if open = append(open, token.Name.Local); len(open) > maxDepth {
				return facts, errors.New("elements stand too deep in each other")
			}
		case xml.EndElement:
			if len(open) == 0 {
				return facts, nil
			}
			open = open[:len(open)-1]
		case xml.CharData:
			value := strings.TrimSpace(string(token))
			if value == "" || len(open) == 0 || len(open) > 2 {
				continue
			}
			if path := strings.Join(open, "/"); facts[path] == "" {
				facts[path] = value
			}
		}
	}
}

func xmlReading(a *readings.Answer, facts map[string]string, origin readings.Origin) train.GPUReading {
	r := train.GPUReading{
		GPU: train.GPU{
			Node: origin.Node, Bus: facts["id"],
			Model: named(facts["product_name"]), UUID: named(facts["uuid"]),
		},
		Source: train.FromTool, At: origin.At,
	}
	for _, p := range xmlPaths {
		for _, path := range p.paths {
			if !r.Values.Known(p.quantity) {
				note(a, &r, p.quantity, facts[path], 0)
			}
		}
	}
	setReasons(&r.Values, facts)
	sayLost(a, &r, maps.Values(facts))
	return r
}
