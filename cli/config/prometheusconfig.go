package config

import (
	"reflect"
	"strings"

	"github.com/traintop/traintop/sources/prometheus"
)

// prometheusConfigKey documents the settings of Prometheus.
func prometheusConfigKey() Key {
	var names []string
	for _, name := range prometheusSettings() {
		names = append(names, "`"+name+"`")
	}
	return Key{
		name: "prometheus", kind: strings.Join(names, ", "), preset: "found in the cluster",
		meaning: "the server of the Prometheus API that GPUs are read from, see below", atStart: true,
	}
}

// prometheusSettings are the keys below prometheus.
func prometheusSettings() []string {
	var names []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[prometheus.Settings]()) {
		names = append(names, field.Tag.Get("json"))
	}
	return names
}
