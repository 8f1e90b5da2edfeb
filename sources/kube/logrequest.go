package kube

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/train"
)

// logRequest is one request for a log. It always asks for timestamps, since
// resuming needs them.
type logRequest struct {
	follow, previous bool
	since            time.Time // zero is the beginning
	// ago is a duration before now by the node's clock, 0 to use since.
	ago  time.Duration
	tail int64 // lines, 0 means all
	// none leaves out all lines that are in the log already.
	none bool
}

// withinLine reports whether the answer may begin in the middle of a line.
func (r logRequest) withinLine() bool { return r.none || r.tail > 0 || r.ago > 0 || !r.since.IsZero() }

// openLog requests a log. The answer ends with ctx.
func openLog(ctx context.Context, c *client.Connection, id train.StreamID, r logRequest) (io.ReadCloser, error) {
	request := c.Logs.Get().AbsPath("/api/v1/namespaces", id.Namespace, "pods", id.Pod, "log").
		Param("container", id.Container).Param("timestamps", "true").MaxRetries(0)
	if r.follow {
		request.Param("follow", "true")
	}
	if r.previous {
		request.Param("previous", "true")
	}
	switch {
	case r.none:
		request.Param("tailLines", "0")
	case r.ago > 0:
		request.Param("sinceSeconds", strconv.FormatInt(int64((r.ago+time.Second-1)/time.Second), 10))
	case !r.since.IsZero():
		request.Param("sinceTime", r.since.UTC().Format(time.RFC3339))
	}
	if r.tail > 0 {
		request.Param("tailLines", strconv.FormatInt(r.tail, 10))
	}
	return request.Stream(ctx)
}

// lastLine keeps the newest bytes of an answer. A kubelet that cannot continue
// writes the reason behind what it sent, as a last line without a time or at the
// end of a line that has no end yet, and ends the answer normally ("failed to
// create fsnotify watcher: too many open files").
type lastLine struct{ text []byte }

const longestWord = 512

func (l *lastLine) Write(p []byte) {
	if len(p) >= longestWord {
		l.text = append(l.text[:0], p[len(p)-longestWord:]...)
		return
	}
	if over := len(l.text) + len(p) - longestWord; over > 0 {
		l.text = append(l.text[:0], l.text[over:]...)
	}
	l.text = append(l.text, p...)
}

// ofKubelet returns the kubelet's own last words, "" if the answer ends with a
// line of the log, and how many bytes at the end of an incomplete line they are.
// A kubelet writes a time before the first piece of a line alone, so that an answer
// that may begin within a line may be the rest of it, without a time; and what is
// drawn with carriage returns is a progress bar of the program.
func (l *lastLine) ofKubelet(withinLine bool) (words string, glued int) {
	text := bytes.TrimRight(l.text, "\n")
	begin := bytes.LastIndexByte(text, '\n') + 1
	if at := logfeed.ReaderWords(text[begin:]); at > 0 && len(text) == len(l.text) {
		glued = len(text) - begin - at
		return client.Printable(string(text[begin+at:])), glued
	}
	known := logfeed.ReaderWords(text[begin:]) == 0
	if begin == 0 && (len(l.text) == longestWord || withinLine && !known) || bytes.IndexByte(text[begin:], '\r') >= 0 {
		return "", 0 // the beginning of the line was dropped, or is in no answer
	}
	stamp, _, _ := strings.Cut(string(text[begin:]), " ")
	if _, err := time.Parse(time.RFC3339Nano, stamp); err == nil {
		return "", 0
	}
	return client.Printable(string(text[begin:])), 0
}

// refused classifies a failed request for a log.
type refused struct {
	state train.StreamState
	text  string
	// final is true if it will not be retried.
	final bool
	// wait is the shortest time before it is retried.
	wait time.Duration
	// firm is true if the kubelet itself refused, so that an early retry is of
	// little use.
	firm bool
	// late is true if there was no answer in time: a command that prints one
	// answer does not wait for it twice.
	late bool
}

// whyRefused describes what was tried, what happened and what to do.
func whyRefused(id train.StreamID, node string, err error) refused {
	what := "reading the log of " + nameOf(id)
	said := client.Answer(err)
	if client.IsLate(err) {
		return refused{state: train.StreamRetrying, late: true, text: what + lateFrom(node, err)}
	}
	endless := (*endlessError)(nil)
	switch code := codeOf(err); {
	case errors.Is(err, errNoLog), errors.Is(err, errWebPage), errors.As(err, &endless):
		return refused{state: train.StreamFailed, firm: true, text: what + " from " + client.KubeletOf(node) + ": " + err.Error()}
	case apierrors.IsForbidden(err):
		return refused{state: train.StreamForbidden, wait: rightsInterval, text: fmt.Sprintf(
			"%s was refused: %s; it needs a Role with verb get on pods/log in namespace %s (check with `kubectl auth can-i get pods --subresource=log -n %s`)",
			what, said, id.Namespace, id.Namespace)}
	case code == http.StatusBadRequest && strings.Contains(said, "waiting to start"):
		_, reason, _ := strings.Cut(said, "waiting to start")
		text := "the container has not started yet"
		if reason = strings.Trim(reason, " :-"); reason != "" {
			text += ": " + reason
		}
		return refused{state: train.StreamWaiting, text: text}
	case code == http.StatusBadRequest && strings.Contains(said, "previous terminated container"):
		return refused{state: train.StreamGone, final: true, text: what + ": the kubelet does not have this log any more: " + said}
	case code == http.StatusBadRequest, code == http.StatusNotFound:
		return refused{state: train.StreamFailed, firm: true, text: what + ": " + said}
	case code >= http.StatusInternalServerError:
		return refused{state: train.StreamRetrying, text: fmt.Sprintf("%s: %s gave no answer to the API server: %s", what, client.KubeletOf(node), said)}
	}
	return refused{state: train.StreamRetrying, text: what + ": " + said}
}

// lateFrom names who was late: the API server if the pod was being looked up,
// else the node.
func lateFrom(node string, err error) string {
	if server := (*client.ConnectionError)(nil); errors.As(err, &server) {
		return ": " + server.Error()
	}
	return " from " + client.KubeletOf(node) + ": " + client.Cause(err)
}

func codeOf(err error) int32 {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return status.Status().Code
	}
	return 0
}

func nameOf(id train.StreamID) string {
	return fmt.Sprintf("pod %s, container %s", client.JoinName(id.Namespace, id.Pod), id.Container)
}
