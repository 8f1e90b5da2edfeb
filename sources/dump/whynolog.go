package dump

import (
	"bytes"
	"cmp"
	"regexp"

	"github.com/traintop/traintop/sources/logs"
)

// kubectlError is what kubectl prints instead of objects (kubectl
// pkg/cmd/util/helpers.go, pkg/cmd/get/get.go).
var kubectlError = regexp.MustCompile(`^(?:No resources found|Unable to connect to the server: |The connection to the server |error: (?:the server |You must be |no |unable to |context |unknown |the path |a container name |timed out waiting |resource |exec plugin|Unauthorized)|Error from server|E[0-9]{4} [0-9:.]+ +[0-9]+ memcache\.go)`)

// answersWithoutObjects reports whether a text is nothing but kubectl's word
// that it has no objects to print.
func answersWithoutObjects(head []byte) bool {
	lines := 0
	for line := range bytes.Lines(head) {
		switch {
		case blank(line), warningLine.Match(line) && !kubectlError.Match(line):
		case !kubectlError.Match(line):
			return false
		default:
			lines++
		}
	}
	return lines > 0
}

const kubectlErrorFile = "kubectl printed this instead of what it was asked for, so nothing is known of that; run the command again, with -A or the namespace of the job"

// whyNoLog says why lines of a text that is no object are no log either, so
// that no word of a failure in them means nothing; "" for a log.
func whyNoLog(head []byte, o logs.Options) string {
	switch {
	case answersWithoutObjects(head):
		return kubectlErrorFile
	case foreignText(head) != "":
		return foreignText(head)
	case significant(head) == nil:
		return "nothing but comments and marks between documents; there are no objects in it"
	case versionField.Match(head) && kindField.Match(head) && !isLogText(head, o):
		return cmp.Or(unreadPart(head), quotedObject)
	}
	return unreadPart(head)
}

// versionField and kindField are the two fields that every object has, as any
// program may quote them.
var (
	versionField = regexp.MustCompile(`\bapiVersion[\\"']*\s*:`)
	kindField    = regexp.MustCompile(`\bkind[\\"']*\s*:`)
)

const quotedObject = "holds an object that was not read, since something stands around it or quotes it; save it alone, as kubectl get -o yaml prints it"
