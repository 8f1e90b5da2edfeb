package tools

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
)

// readAnyPairs reads names and values in quotes, of which no bracket has to fit another: those of
// a program, and of JSON that was cut or damaged.
func readAnyPairs(text string, a *readings.Answer, origin readings.Origin) error {
	if !strings.Contains(text, `":`) && !strings.Contains(text, "':") && !strings.Contains(text, `" :`) {
		return nil
	}
	for _, g := range pairGroups(text) {
		if slices.ContainsFunc(g.keys, learning.MatchString) {
			continue
		}
		probe := readings.Answer{}
		r := newRecord(&probe, origin, 0)
		r.gpu = readings.ParseField(g.within).GPU
		for _, key := range g.keys {
			if value, is := g.values[key].(string); is {
				r.add(nameBelow("", key, 0), strings.ReplaceAll(value, "_", ""))
			}
		}
		if r.reading.GPU.Index == "" {
			r.reading.GPU.Index = g.card
		}
		if reading, is := r.end(); is {
			keepRecord(a, reading)
		}
	}
	return nil
}

// ReadAny reads the devices that a text shows in any form, wherever in it they are.
func ReadAny(text string, a *readings.Answer, origin readings.Origin) {
	if !mayMeasure(text) && !strings.Contains(text, "UUID") {
		return
	}
	for _, read := range []func(string, *readings.Answer, readings.Origin) error{readAnyTable, readAnyFacts, readAnyPairs, readAnyPaths} {
		if _ = read(text, a, origin); len(a.Readings) > 0 {
			return
		}
	}
}
