package config

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/traintop/traintop/sources/prometheus"
)

// unusable names settings that are read and could not be used: a namespace that no
// cluster can have, an address or a file of Prometheus that is none. Where one of
// them is needed, the same is reported.
func (c *Config) unusable(path string) Problems {
	r := &reader{file: path, lines: c.lines}
	checkSettings(r, "", c.Settings)
	for _, name := range slices.Sorted(maps.Keys(c.Contexts)) {
		checkSettings(r, contextsKey+"."+name+".", c.Contexts[name])
	}
	return r.problems
}

func checkSettings(r *reader, at string, s Settings) {
	if s.Namespace != nil && *s.Namespace != "" {
		if wrong := validation.IsDNS1123Label(*s.Namespace); len(wrong) > 0 {
			r.add(at+"namespace", "%snamespace is %q, and no namespace can be called so: %s", at, *s.Namespace, wrong[0])
		}
	}
	if strings.ContainsAny(s.DebugImage, " \t\n") {
		r.add(at+"debugImage", "%sdebugImage is %q; an image has no blank in its name", at, s.DebugImage)
	}
	if s.Prometheus == nil {
		return
	}
	if url := s.Prometheus.URL; url != "" && url != prometheus.Off {
		if _, err := s.Prometheus.Endpoint(); err != nil {
			r.add(at+"prometheus", "%s", strings.TrimPrefix(err.Error(), "prometheus: "))
		}
	}
	if match := s.Prometheus.Match; match != "" && !matchers.MatchString(match) {
		r.add(at+"prometheus.match", "%sprometheus.match is %q; it has to look like cluster=\"prod\",team=~\"a|b\"", at, match)
	}
}

// matchers are label matchers of Prometheus (prometheus 3.7 promql/parser), as they
// are written between the braces of a selector.
var matchers = regexp.MustCompile(`^\s*` + matcher + `(?:\s*,\s*` + matcher + `)*\s*,?\s*$`)

const matcher = `[a-zA-Z_]\w*\s*(?:=|!=|=~|!~)\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`
