package dump

import (
	"bytes"
	"cmp"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/logfeed"
)

// kubectlError matches what kubectl prints instead of objects (kubectl
// pkg/cmd/util/helpers.go, pkg/cmd/get/get.go).
var kubectlError = regexp.MustCompile(`^(?:No resources found|Unable to connect to the server: |The connection to the server |error: (?:the server |You must be |no |unable to |context |unknown |the path |a container name |timed out waiting |resource |exec plugin|Unauthorized)|Error from server|E[0-9]{4} [0-9:.]+ +[0-9]+ memcache\.go)`)

// answersWithoutObjects reports whether a text is only kubectl's message that
// there are no objects.
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

// whyNoLog returns why a text without objects is not a log either, so that the
// absence of failures in its lines means nothing; "" for a log.
func whyNoLog(head []byte, o logfeed.Options) string {
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

// hidesObjects reports whether a file of a folder has, or replaces, objects
// that were not read, so that their absence is unknown. Notes and source code
// quote objects of no cluster and do not count. A message that there are no
// objects is an answer.
func hidesObjects(path string, got report) bool {
	return (got.noLog == kubectlErrorFile && !got.answersNone || got.noLog == quotedObject || got.noLog == brokenObject) && !quotesObjects[strings.ToLower(filepath.Ext(path))]
}

// quotesObjects are the extensions of files that show objects as examples.
var quotesObjects = map[string]bool{
	".md": true, ".rst": true, ".adoc": true, ".html": true, ".ipynb": true, ".py": true, ".go": true, ".sh": true, ".js": true, ".ts": true,
	".java": true, ".rs": true, ".tf": true, ".tpl": true, ".tmpl": true, ".j2": true, ".patch": true, ".diff": true,
}

// noneLine is kubectl's message that there are no objects of a kind, or no
// such kind.
var noneLine = regexp.MustCompile(`(?m)^(?:No resources found|error: the server doesn't have a resource type )`)

// versionField and kindField match the two fields that every object has, also
// when a program quotes them.
var (
	versionField = regexp.MustCompile(`\bapiVersion[\\"']*\s*:`)
	kindField    = regexp.MustCompile(`\bkind[\\"']*\s*:`)
)

const quotedObject = "holds an object that was not read, since something stands around it or quotes it; save it alone, as kubectl get -o yaml prints it"
