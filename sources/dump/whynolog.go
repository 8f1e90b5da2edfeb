package dump

import (
	"bufio"
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

// kubeletError matches what the kubelet sends as the log of a container whose
// file it cannot read (pkg/kubelet/kuberuntime).
var kubeletError = regexp.MustCompile(`^(?:failed to try resolving symlinks in path |failed to open log file |unable to retrieve container logs for )`)

// noLifeLine matches the answer to kubectl logs --previous where the container was never
// restarted (kubelet 1.36, validateContainerLogStatus), as kubectl or a client prints it.
var noLifeLine = regexp.MustCompile(`^(?:Error from server(?: \(BadRequest\))?: |error: )?previous terminated container "[^"]*" in pod "[^"]*" not found`)

// noLifeBefore is the type of a file with this answer alone, or of an empty one that is
// named as the log of the instance before: nothing is missing there.
const noLifeBefore = "there was no container instance before, or its log is gone"

// noLifeAlone is that reason where nothing else was given, which then is too
// little.
const noLifeAlone = noLifeBefore + "; kubectl logs without --previous prints the log of this one"

// refusedWrite matches answers to a request that creates or changes objects:
// kubectl names the file (k8s.io/cli-runtime, resource.AddSourceToErr), and only
// writes pass the admission plugins of the API server (quota, LimitRange,
// PodSecurity, webhooks and policies, Kubernetes 1.36) and the validation of objects.
var refusedWrite = regexp.MustCompile(`error when [a-z ]+ "|no matches for kind |exceeded quota|failed quota|denied (?:the )?request|failed calling webhook|violates PodSecurity|usage per (?:Container|Pod)|\(Invalid\): | is invalid: `)

// insteadOfLog returns why a text is not the log that was asked for, if it is
// only the answer of a program that could not read it; else "".
func insteadOfLog(head []byte) string {
	why := ""
	switch {
	case onlyLines(head, isKubectlError):
		why = kubectlErrorFile
	case onlyLines(head, kubeletError.Match):
		why = kubeletErrorFile
	default:
		return ""
	}
	if refusedWrite.Match(head) {
		return "" // it reports why the job was not made, and was not asked for a log
	}
	return why
}

// wholeAnswer returns the first bytes of a text, and more of it for as long as
// they are only such an answer: a log may follow it.
func wholeAnswer(text *bufio.Reader) []byte {
	head := firstBytes(text)
	for len(head) < sniffSize && insteadOfLog(head) != "" {
		if _, err := text.Peek(len(head) + 1); err != nil {
			break // the end, or what reading it reports
		}
		head = firstBytes(text)
	}
	return head
}

// refusedPerson matches the refusal of a request, with who asked.
var refusedPerson = regexp.MustCompile(`^error: .*\bforbidden: User "([^"]+)" cannot `)

// isKubectlError reports whether a line is kubectl's to the person who called it. A
// refused service account is the program's in a pod, whose log it may be.
func isKubectlError(line []byte) bool {
	if kubectlError.Match(line) {
		return true
	}
	who := refusedPerson.FindSubmatch(line)
	return who != nil && !bytes.HasPrefix(who[1], []byte("system:serviceaccount:"))
}

// onlyLines reports whether all lines of a text match, beside blank ones and
// kubectl's warnings.
func onlyLines(head []byte, wanted func([]byte) bool) bool {
	lines := 0
	for line := range bytes.Lines(head) {
		switch {
		case blank(line), warningLine.Match(line) && !wanted(line):
		case !wanted(line):
			return false
		default:
			lines++
		}
	}
	return lines > 0
}

const kubectlErrorFile = "kubectl printed this instead of what it was asked for, so nothing is known of that; run the command again, with -A or the namespace of the job"

const kubeletErrorFile = "the kubelet answered this instead of the log, so nothing is known of that; read the log again, with --previous if the container has restarted"

// whyNoLog returns why a text without objects is not a log either, so that the
// absence of failures in its lines means nothing; "" for a log.
func whyNoLog(head []byte, o logfeed.Options) string {
	switch {
	case insteadOfLog(head) != "":
		return insteadOfLog(head)
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
