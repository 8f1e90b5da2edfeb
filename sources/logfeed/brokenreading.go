package logfeed

import (
	"bytes"
	"regexp"
	"slices"
)

// The reader of a log writes why it stopped as the last words of the answer. They
// are none of the program's, and show that the log goes on.

// readerLine matches lines of nothing else: kubectl's own (pkg/cmd/logs, "error: " and
// what the connection reports, "Error from server" of a pod that is gone when it asks
// again), and those of container runtimes about a container that is gone, which
// the kubelet passes on; Docker's (daemon/logs.go, and pkg/stdcopy of what is no stream
// of it), and ssh's, through which a log was read.
var readerLine = regexp.MustCompile(`^(?:` +
	`error: (?:unexpected EOF|stream error|http2: |lost connection to pod|read tcp |net/http: |context deadline exceeded|tls: |connection (?:reset|refused|timed out)|Get "https?://).*` +
	`|Error from server(?: \(\w+\))?: (?:pods? "[^"]+" (?:not found|is forbidden)|(?:previous terminated )?container "[^"]+" in pod "|Get "https?://\S+/containerLogs/).*` +
	`|unexpected EOF|unexpected stream type "[^"]*"` +
	`|Error response from daemon: (?:can not get logs from container|No such container).*` +
	`|Connection to \S+ closed(?: by remote host)?\.|Read from remote host \S+: \S.*` +
	`|http2: (?:client connection lost|server sent GOAWAY|response body closed|stream closed).*` +
	`|` + runtimeWords + `)$`)

// runtimeWords is the answer of a container runtime about a container that it
// no longer knows (containerd and CRI-O, through the kubelet's waitLogs).
const runtimeWords = `rpc error: code = \w+ desc = (?:an error occurred when try to find container|.*\bcould not find container|.*[Nn]o such container|failed to get container status).*`

// kubeletWords matches how a kubelet ends a log that it cannot read on
// (ReadLogs in k8s.io/cri-client pkg/logs and GetContainerLogs in
// pkg/kubelet/kuberuntime, 1.36; "failed to watch file" in releases before
// 1.17). It writes them behind what it sent, so that they follow the last
// line of the program where that has no end.
var kubeletWords = regexp.MustCompile(`(?:` +
	`failed to create fsnotify watcher: [a-z].*` +
	`|failed to watch (?:file|directory) "[^"]*/(?:pods|containers)\b[^"]*".*` +
	`|failed to (?:read|open|reset seek in|seek \d+ in|tail -?\d+ lines of) log file "[^"]*/(?:pods|containers)/[^"]*".*` +
	`|failed to try resolving symlinks in path "[^"]*/(?:pods|containers)/[^"]*".*` +
	`|unable to retrieve container logs for [a-z][\w-]*://\w*` +
	`)$`)

// glued matches the answer of a runtime right behind a part of a line.
var glued = regexp.MustCompile(`[0-9A-Za-z]` + runtimeWords + `$`)

// ReaderWords returns where the words of whoever read a log begin in its last
// line, which ends with a newline or without one; -1 where it has none.
func ReaderWords(line []byte) int {
	text := bytes.TrimRight(line, "\r\n \t")
	if readerLine.Match(text) {
		return 0
	}
	if at := kubeletWords.FindIndex(text); at != nil {
		return at[0]
	}
	if at := glued.FindIndex(text); at != nil && len(text) == len(line) {
		return at[0] + 1
	}
	return -1
}

// keeperNotice matches a line with which whoever kept a log reports that it left out
// the rest: a log or an output as the subject, and that it was too large, cut or
// not had. Marks and colours of such lines may be around it.
var keeperNotice = regexp.MustCompile(`(?i)^(?:\x1b\[[\d;]*m|[*#.\[\s]|\[?(?:warning|error)\]?:?)*(?:` +
	`(?:(?:the|this|your|\w+'s|job|build|max|console|task|container) ){0,3}(?:logs?|output)(?: (?:file|size|limit))?,? (?:(?:is|was|were|has|have|been) )*(?:too large|exceed(?:s|ed)|truncated|clipped|cut off)\b(?:[^\w\n].*)?` +
	`|job execution will continue but no more output will be collected\.?` +
	`|failed to (?:fetch|read|download) (?:the )?logs?(?: file)? from \w+\b.*` +
	`)(?:\x1b\[[\d;]*m|[*\]\s])*$`)

// modelWords are words of programs that train or serve about the outputs of models.
var modelWords = regexp.MustCompile(`(?i)\b(?:tokens?|samples?|batch(?:es)?|sequences?|prompts?|length|logits?|gradients?|probs?|probabilit\w+)\b|=`)

// KeeperNotice reports whether the last line of a log is a notice that its keeper left
// out what follows.
func KeeperNotice(line []byte) bool {
	text := bytes.TrimRight(line, "\r\n \t")
	return keeperNotice.Match(text) && !modelWords.Match(text)
}

// missing are the words for what a keeper did with lines, amount how much of a text.
const (
	missing = `(?:skipped|suppressed|dropped|lost|truncated|omitted|missed|discarded|clipped|snipped|not shown)`
	amount  = `(?:about )?\d[\d,.]* ?(?:[kmgt]i?b|(?:(?:more|further|earlier|previous|log|kernel) )*(?:lines?|messages?|bytes))\b`
	ofLog   = `of (?:the )?(?:output|logs?|console)`
)

// gapNotice matches a line with which whoever kept a log reports that lines are missing
// at that place: a count between marks (Jenkins, editors), of the output or the log
// (Databricks), what a journal or syslog dropped for its rate, and Jupyter, Colab and
// Jenkins' page in their words. A program counts lines of its data in the same words, so that a
// count alone is no notice.
var gapNotice = regexp.MustCompile(`(?i)^(?:\[?\d{4}-\d\d-\d\d[T ][\d:.,]+\S*\s+)?(?:\x1b\[[\d;]*m|[*.…\[<(=~\s-])*(?:` +
	`[\[<(*.…=~-] ?(?:(?:warning|note): )?(?:(?:` + missing + `|skipping) ` + amount + `|` + amount + `,? (?:(?:was|were|have been|has been) )?` + missing + `(?: here| for brevity)?|(?:(?:the|some|several|many|more|other) )*(?:output|logs?|lines)(?: (?:was|were|is|has been))? ` + missing + `)(?: ` + ofLog + `)?[*.…\])>=~ -]` +
	`|(?:(?:warning|note): )?(?:` + missing + `|skipping) ` + amount + ` ` + ofLog + `\b|` + amount + ` ` + ofLog + ` (?:(?:was|were) )?` + missing + `\b` +
	`|suppressed \d+ messages from \S+$` +
	`|streaming output truncated to the last \d+ lines|skipping [\d,.]+ [kmg]b\.\.(?: full log)?$|output exceeds the size limit\.` +
	`)` +
	`|\bsystemd-journald(?:\[\d+\])?: (?:suppressed|missed) \d+ (?:kernel )?messages\b` +
	`|(?:^|[\s:])(?:` + amount + ` (?:were )?` + missing + `|(?:` + missing + `|begin to drop) (?:\d+ )?(?:log )?messages(?: from pid \d+)?) due to rate.?limit` +
	`|\bIOPub (?:data|message) rate exceeded\.$`)

// longestNotice bounds such a line.
const longestNotice = 300

// gapWords are parts of the words of each notice.
var gapWords = [][]byte{
	[]byte("kipp"), []byte("uppress"), []byte("ropped"), []byte("to drop"), []byte("lost"), []byte("runcated"), []byte("mitted"), []byte("issed"), []byte("iscarded"),
	[]byte("lipped"), []byte("nipped"), []byte("shown"), []byte("xceed"), []byte("too large"), []byte("cut off"), []byte("RUNCATED"), []byte("no more output"), []byte("ailed to"),
}

// Missing are the notices of a log's keeper that lines are missing within it.
type Missing struct {
	// Line is the number of the newest one, Text what it says, Count how many there are.
	Line  int64
	Text  string
	Count int
}

// note counts a line that is such a notice.
func (m *Missing) note(number int64, text []byte) {
	if len(text) > longestNotice || !slices.ContainsFunc(gapWords, func(word []byte) bool { return bytes.Contains(text, word) }) {
		return
	}
	text = bytes.TrimSpace(text)
	if number == m.Line || modelWords.Match(text) && !bytes.HasSuffix(text, iopubEnd) || !gapNotice.Match(text) && !KeeperNotice(text) {
		return
	}
	if at := bytes.Index(text, []byte("IOPub ")); at > 0 {
		text = text[at:] // a bar is before it
	}
	m.Line, m.Text, m.Count = number, string(text), m.Count+1
}

// iopubEnd ends the notice of Jupyter, which comes behind what a program drew.
var iopubEnd = []byte(" rate exceeded.")
