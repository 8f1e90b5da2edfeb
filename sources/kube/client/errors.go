package client

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/traintop/traintop/termtext"
)

// NoKubeconfigError says that nothing tells which cluster to read.
type NoKubeconfigError struct {
	Tried []string // files that were looked for
	// NamedBy is the flag or variable that named them, "" for the usual place.
	NamedBy string
	Cause   error // nil when none was named explicitly
	// exist is true where one of them is there.
	exist bool
}

// Error says what was looked for, who named it, and what can be done without a
// cluster.
func (e *NoKubeconfigError) Error() string {
	files, happened := strings.Join(e.Tried, ", "), "does not exist"
	if len(e.Tried) > 1 {
		happened = "do not exist"
	}
	if e.exist {
		happened = "tells of no cluster"
	}
	if e.NamedBy == "" {
		return fmt.Sprintf("no kubeconfig: %s %s; set KUBECONFIG or --kubeconfig, try `traintop demo`, or read files with --from", files, happened)
	}
	return fmt.Sprintf("no kubeconfig: %s, named by %s, %s; mend %s, try `traintop demo`, or read files with --from", files, e.NamedBy, happened, e.NamedBy)
}

// Unwrap is the reason why the file could not be read.
func (e *NoKubeconfigError) Unwrap() error { return e.Cause }

// UnknownContextError says that the kubeconfig has no such context. Name is
// "" when none was chosen and the file has no current one.
type UnknownContextError struct {
	Name  string
	Known []string
}

// Error lists the contexts that exist.
func (e *UnknownContextError) Error() string {
	if e.Name == "" {
		return "the kubeconfig has no current context; choose one with --context: " + List(e.Known)
	}
	if len(e.Known) == 0 {
		return fmt.Sprintf("context %q is not in the kubeconfig, which has none; try `traintop demo`, or read files with --from", e.Name)
	}
	return fmt.Sprintf("context %q is not in the kubeconfig; it has %s", e.Name, List(e.Known))
}

// UnknownNamespaceError says that the cluster has no such namespace. Known is
// empty when listing namespaces is not allowed.
type UnknownNamespaceError struct {
	Name  string
	Known []string
}

// Error lists the namespaces that exist, where that is known.
func (e *UnknownNamespaceError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("namespace %q does not exist; which ones do may not be listed", e.Name)
	}
	return fmt.Sprintf("namespace %q does not exist; the cluster has %s", e.Name, List(nearest(e.Name, e.Known)))
}

// nearest puts the names that begin as the wrong one does first: where not all
// are listed, the one that was meant is.
func nearest(wrong string, names []string) []string {
	alike := func(name string) int {
		n := 0
		for n < min(len(name), len(wrong)) && name[n] == wrong[n] {
			n++
		}
		return n
	}
	sorted := slices.Clone(names)
	slices.SortStableFunc(sorted, func(a, b string) int { return cmp.Compare(alike(b), alike(a)) })
	return sorted
}

// maxListed bounds how many names an error repeats.
const maxListed = 20

func List(names []string) string {
	switch {
	case len(names) == 0:
		return "none"
	case len(names) > maxListed:
		return strings.Join(names[:maxListed], ", ") + fmt.Sprintf(" and %d more", len(names)-maxListed)
	}
	return strings.Join(names, ", ")
}

// ConnectionError says that the server at Address gave no usable answer.
type ConnectionError struct {
	Address string
	// Unauthorized is true when it answered, and does not accept who we are.
	Unauthorized bool
	// Foreign is true when it answered, and knows nothing of the Kubernetes API.
	Foreign bool
	// Plugin says that the credential plugin is what did not answer, "" where
	// the server was asked.
	Plugin string
	Cause  error
}

// Error names the address, the cause and what to do.
func (e *ConnectionError) Error() string {
	if e.Unauthorized {
		return fmt.Sprintf("%s does not accept the credentials of this context (%s); "+
			"they may have expired: log in again, `kubectl auth whoami` shows when it works", e.Address, Cause(e.Cause))
	}
	if e.Foreign {
		return fmt.Sprintf("%s is no Kubernetes API server, or does not serve the API at this path: asked for /version and %s it answered 404 (%s); "+
			"look at the server that the kubeconfig names for this context, `kubectl cluster-info` shows it", e.Address, PodsOfAll, Cause(e.Cause))
	}
	if errors.Is(e.Cause, ErrWebPage) {
		return e.Address + " answers with a web page where the Kubernetes API should be; " +
			"if a proxy with a login stands before the API server, log in there, or name an address behind it in the kubeconfig"
	}
	if e.Plugin != "" {
		return fmt.Sprintf("%s was not asked: %s", e.Address, e.Plugin)
	}
	if late := (*LateError)(nil); errors.As(e.Cause, &late) && late.Stage == NotBegun {
		return fmt.Sprintf("no answer from %s in %s", e.Address, late.After) + Longer(late)
	}
	return fmt.Sprintf("no answer from %s: %s", e.Address, Cause(e.Cause))
}

// Unwrap is the cause.
func (e *ConnectionError) Unwrap() error { return e.Cause }

// AsConnectionError wraps an error that concerns the whole connection; nil for
// one that the server gave about a single request, and for an answer that was
// late, of which nobody knows.
func AsConnectionError(address string, err error) *ConnectionError {
	if apierrors.IsUnauthorized(err) {
		return &ConnectionError{Address: address, Unauthorized: true, Cause: err}
	}
	var status apierrors.APIStatus
	large := (*TooLargeError)(nil)
	if errors.As(err, &status) || IsLate(err) || errors.As(err, &large) {
		return nil
	}
	var request *url.Error
	var network net.Error
	if errors.As(err, &request) || errors.As(err, &network) {
		return &ConnectionError{Address: address, Cause: err}
	}
	return nil
}

// Cause is an error without the request that client-go repeats in front of
// it: people read the address once, and the query string never.
func Cause(err error) string {
	if partial := (*PartialListError)(nil); errors.As(err, &partial) {
		return partial.Error()
	}
	if late := (*LateError)(nil); errors.As(err, &late) {
		return late.Error()
	}
	var request *url.Error
	if errors.As(err, &request) && request.Err != nil {
		err = request.Err
	}
	return Printable(strings.ReplaceAll(err.Error(), notJSON, ErrWebPage.Error()))
}

// notJSON is what encoding/json says of HTML.
const notJSON = "invalid character '<' looking for beginning of value"

// MaxCause bounds what a server can put into one line of the screen, in runes.
const MaxCause = 500

// Printable is a server's words as a message may show them.
func Printable(text string) string { return termtext.Short(text, MaxCause) }

// AnswersRequests reports whether an error is an answer of a server that is
// up: it refused or did not know the request, and is neither starting,
// stopping nor overloaded.
func AnswersRequests(err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return false
	}
	code := status.Status().Code
	return code >= 400 && code < 500 && code != 401 && code != 429
}

// ErrWebPage is the answer of a proxy that wants a login.
var ErrWebPage = errors.New("a web page came")

// PodsOfAll is served by every API server, and refused with 403 at most. The
// version alone may be hidden by a proxy.
const PodsOfAll = "/api/v1/pods"

// Answer is what the server said, without what client-go puts in front.
func Answer(err error) string {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return Printable(status.Status().Message)
	}
	return Cause(err)
}

func JoinReason(reason, message string) string {
	if message == "" {
		return Printable(reason)
	}
	return Printable(reason + ": " + message)
}
