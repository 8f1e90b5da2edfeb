package config

import (
	"strings"
	"testing"
)

// YAML has numbers that JSON has not: each is named, and the rest is used.
func TestInfiniteNumbersAreNamed(t *testing.T) {
	for setting, said := range map[string]string{
		"signals: {idleFor: .inf}":                         "2: signals: the limit idleFor is .inf, which is no number",
		"signals: {idleFor: -.Inf}":                        "2: signals: the limit idleFor is -.Inf, which is no number",
		"signals: {idleFor: .nan}":                         "2: signals: the limit idleFor is .nan, which is no number",
		"logStreams: .inf":                                 "2: logStreams is .inf; it has to be a whole number",
		"probes: [{name: a, command: [x], timeout: .inf}]": `2: probes: the timeout of "a" is ".inf", which is no duration`,
	} {
		_, problems := readReceivers(t, "receivers: {good: {type: terminal}}\n"+setting+"\n")
		if !strings.Contains(problems, "config.yaml:"+said) {
			t.Errorf("%s: %s", setting, problems)
		}
	}
}
