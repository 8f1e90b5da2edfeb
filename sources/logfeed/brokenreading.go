package logfeed

import (
	"bytes"
	"regexp"
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
