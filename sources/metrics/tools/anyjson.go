package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// JSON with devices in any form: an object is a device if its names, those of the objects in
// it among them, measure one. A list, or the names of objects ("gpu0"), number them.

// AnyJSON is the format of such a text.
const AnyJSON readings.Format = "JSON of devices"

// member is a value of an object; the order is kept.
type member struct {
	name  string
	value any // jsonObject, []any or text
}

type jsonObject []member

const mostDepth = 12

// parseJSON returns the next value, as far as it goes: what is open at the end is closed.
func parseJSON(decoder *json.Decoder, depth int) (any, bool) {
	token, err := decoder.Token()
	if err != nil {
		return nil, false
	}
	delimiter, is := token.(json.Delim)
	switch {
	case !is && token == nil:
		return "", true
	case !is:
		return fmt.Sprint(token), true
	case depth > mostDepth:
		return nil, false
	case delimiter == '[':
		list := []any{}
		for decoder.More() {
			value, whole := parseJSON(decoder, depth+1)
			if value != nil {
				list = append(list, value)
			}
			if !whole {
				return list, false
			}
		}
		_, err = decoder.Token()
		return list, err == nil
	case delimiter == '{':
		object := jsonObject{}
		for decoder.More() {
			key, err := decoder.Token()
			if err != nil {
				return object, false
			}
			value, whole := parseJSON(decoder, depth+1)
			if value != nil {
				object = append(object, member{fmt.Sprint(key), value})
			}
			if !whole {
				return object, false
			}
		}
		_, err = decoder.Token()
		return object, err == nil
	}
	return nil, false
}

// anyJSON reads devices.
type anyJSON struct {
	answer *readings.Answer
	origin readings.Origin
	found  int
	// nameless are devices without a number, whose model is known.
	nameless []train.GPUReading
}

func readAnyJSON(text []byte, a *readings.Answer, origin readings.Origin) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	j := &anyJSON{answer: a, origin: origin}
	for {
		value, whole := parseJSON(decoder, 0)
		if value != nil {
			j.value(value, "", false)
		}
		if !whole {
			break
		}
	}
	if j.found == 0 && len(j.nameless) == 1 { // the only one of its machine
		j.nameless[0].GPU.Index = "0"
		keepRecord(a, j.nameless[0])
	}
	return nil
}

// value reads the devices of a value. number is that of its place, gpu reports that a name
// above it is of GPUs.
func (j *anyJSON) value(value any, number string, gpu bool) {
	switch value := value.(type) {
	case []any:
		for i, one := range value {
			j.value(one, strconv.Itoa(i), gpu)
		}
	case jsonObject:
		if slices.ContainsFunc(value, func(m member) bool { return learning.MatchString(m.name) }) {
			return
		}
		before := j.found
		for _, m := range value {
			switch m.value.(type) {
			case jsonObject:
				inner := ""
				if tag := deviceTag.FindStringSubmatch(m.name); tag != nil && tag[2] == "" {
					inner = tag[1]
				}
				j.value(m.value, inner, gpu || readings.ParseField(m.name).GPU)
			case []any:
				j.value(m.value, "", gpu || readings.ParseField(m.name).GPU)
			}
		}
		if j.found == before {
			j.device(value, number, gpu)
		}
	}
}

// makerNames matches the names of makers and of their lines: language models are called v3, too.
var makerNames = regexp.MustCompile(`(?i)^(?:nvidia|geforce|quadro|tesla|rtx|amd|radeon|instinct|intel|arc|habana|gaudi|ascend|huawei|mtt|moore|metax|iluvatar|mlu|cambricon|hygon|kunlun|biren|enflame)\b`)

// device reads an object as a device.
func (j *anyJSON) device(object jsonObject, number string, gpu bool) {
	probe := readings.Answer{}
	r := newRecord(&probe, j.origin, 0)
	r.gpu = gpu
	r.members(object, "", 0)
	if g := &r.reading.GPU; g.Index == "" && g.UUID == "" {
		g.Index = number
	}
	switch reading, is := r.end(); {
	case is:
		j.found++
		keepRecord(j.answer, reading)
	case reading.GPU.Index == "" && makerNames.MatchString(reading.GPU.Model) && NamesGPU(reading.GPU.Model) && measuredOf(&reading) > 1 && len(j.nameless) < 2:
		j.nameless = append(j.nameless, reading)
	}
}

// mostBelow is how deep the values of a device are in its object.
const mostBelow = 3

// ofProcesses matches the name of an object with what processes use of a device.
var ofProcesses = regexp.MustCompile(`(?i)process|fdinfo|^proc`)

func (r *record) members(object jsonObject, above string, depth int) {
	for _, m := range object {
		switch value := m.value.(type) {
		case string:
			r.add(nameBelow(above, m.name, depth), value)
		case jsonObject:
			if text, is := valueWithUnit(value); is {
				r.add(nameBelow(above, m.name, depth), text)
				continue
			}
			if depth < mostBelow && !ofProcesses.MatchString(m.name) {
				r.members(value, m.name, depth+1)
			}
		}
	}
}

// nameBelow reads a name, with that of the object that it is in where it shows nothing else.
func nameBelow(above, name string, depth int) readings.Field {
	f := readings.ParseField(strings.TrimSpace(above + " " + name))
	if f.Role == readings.NoRole || f.Role > readings.MemoryPair {
		if own := readings.ParseField(name); own.Role != readings.NoRole && (depth == 0 || own.Role <= readings.MemoryPair || own.Role == readings.ModelOf && depth == 1) {
			f = own
		}
	}
	if f.Before > 1 || f.Before > 0 && f.Role == readings.IndexOf && !f.GPU { // group_id is no device's
		return readings.Field{}
	}
	return f
}

// valueWithUnit returns the text of {"value": 12, "unit": "W"}.
func valueWithUnit(object jsonObject) (string, bool) {
	value, unit := "", ""
	for _, m := range object {
		text, is := m.value.(string)
		switch {
		case !is:
			return "", false
		case m.name == "value", m.name == "val":
			value = text
		case m.name == "unit":
			unit = text
		}
	}
	return value + " " + unit, value != ""
}

// IsAnyJSON recognises such a text from its beginning.
func IsAnyJSON(head []byte) bool {
	const enough = 16 << 10 // for the first devices
	head = head[:min(len(head), enough)]
	if !mayMeasure(string(head)) {
		return false
	}
	a := readings.Answer{}
	return readAnyJSON(head, &a, readings.Origin{}) == nil && len(a.Readings) > 0
}
