package jobname

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/traintop/traintop/train"
)

// Check returns an error for the first of the typed names that no job can have: one
// without a name, as an unset variable of a shell gives it, or with an empty part.
// Where logs in files may be jobs, which are named by their paths, slashes and
// blanks are part of a name; elsewhere no object has them in its own.
func Check(typed []string, files bool) error {
	for _, name := range typed {
		path := files && (strings.Contains(name, "/") || strings.ContainsFunc(name, unicode.IsSpace)) || strings.HasPrefix(name, train.LogKind+"/")
		parts := strings.Split(name, "/")
		switch {
		case name == "", parts[len(parts)-1] == "":
		case path:
			continue
		case len(parts) > 3, slices.Contains(parts, ""), strings.ContainsFunc(name, unicode.IsSpace):
		default:
			continue
		}
		return fmt.Errorf("%q is no name of a job; JOB is NAME, KIND/NAME, NAMESPACE/NAME or NAMESPACE/KIND/NAME", name)
	}
	return nil
}
