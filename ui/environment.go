package ui

import (
	"os"
	"strings"
)

// environment is a variable of the process, or of its substitute in tests.
func (m *model) environment(name string) string {
	if m.o.Environment == nil {
		return os.Getenv(name)
	}
	for _, entry := range m.o.Environment {
		if value, is := strings.CutPrefix(entry, name+"="); is {
			return value
		}
	}
	return ""
}
