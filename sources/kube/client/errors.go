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

	"github.com/traintop/traintop/sources/proxyenv"
	"github.com/traintop/traintop/termtext"
)

// NoKubeconfigError reports that no kubeconfig names which cluster to read.
type NoKubeconfigError struct {
	Tried []string // files that were tried
	// NamedBy is the flag or variable that named them, "" for the default
	// path.
	NamedBy string
	Cause   error // nil if none was named explicitly
	// exist is true if one of them exists.
	exist bool
}

// Error names the tried files, the flag or variable that named them, and what
// works without a cluster.
func (e *NoKubeconfigError) Error() string {
	tried := slices.DeleteFunc(slices.Clone(e.Tried), func(file string) bool { return file == "" })
	if len(tried) == 0 && e.NamedBy != "" {
		return fmt.Sprintf("no kubeconfig: %s names no file; mend %s, try `traintop demo`, or read files with --from", e.NamedBy, e.NamedBy)
	}
	files, happened := strings.Join(tried, ", "), "does not exist"
	if len(tried) > 1 {
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

// Unwrap returns why the file could not be read.
func (e *NoKubeconfigError) Unwrap() error { return e.Cause }

// UnknownContextError reports that the kubeconfig has no such context. Name is
// "" if none was chosen and the file has no current one.
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

// UnknownNamespaceError reports that the cluster has no such namespace. Known
// is empty if listing namespaces is not allowed.
type UnknownNamespaceError struct {
	Name  string
	Known []string
}

// Error lists the existing namespaces, if known.
func (e *UnknownNamespaceError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("namespace %q does not exist; which ones do may not be listed", e.Name)
	}
	return fmt.Sprintf("namespace %q does not exist; the cluster has %s", e.Name, List(nearest(e.Name, e.Known)))
}

// nearest sorts names with the longest common prefix first, so that the
// intended name is among the listed ones.
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

// maxListed limits how many names an error repeats.
const maxListed = 20

func List(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return termtext.Few(names, maxListed)
}

// ConnectionError reports that the server at Address gave no usable answer.
type ConnectionError struct {
	Address string
	// Unauthorized is true if the server answered and rejected our
	// credentials.
	Unauthorized bool
	// Foreign is true if the server answered without the Kubernetes API.
	Foreign bool
	// Plugin describes the credential plugin if that did not answer, "" if the
	// server did not.
	Plugin string
	Cause  error
}

// Error names the address, the cause and what to do.
func (e *ConnectionError) Error() string {
	address := WithoutUser(e.Address)
	if e.Unauthorized {
		return fmt.Sprintf("%s does not accept the credentials of this context (%s); "+
			"they may have expired: log in again, `kubectl auth whoami` shows when it works", address, Cause(e.Cause))
	}
	if e.Foreign {
		return fmt.Sprintf("%s is no Kubernetes API server, or does not serve the API at this path: asked for /version and %s it answered 404 (%s); "+
			"look at the server that the kubeconfig names for this context, `kubectl cluster-info` shows it", address, PodsOfAll, Cause(e.Cause))
	}
	if errors.Is(e.Cause, ErrWebPage) {
		return address + " answers with a web page where the Kubernetes API should be; " +
			"if a proxy with a login stands before the API server, log in there, or name an address behind it in the kubeconfig"
	}
	if e.Plugin != "" {
		return fmt.Sprintf("%s was not asked: %s", address, e.Plugin)
	}
	if late := (*LateError)(nil); errors.As(e.Cause, &late) && late.Stage == NotBegun {
		return fmt.Sprintf("no answer from %s in %s", address, late.After) + ProxyHint(e.Cause) + TimeoutHint(late)
	}
	return fmt.Sprintf("no answer from %s: %s", address, Cause(e.Cause))
}

// WithoutUser returns the address of a server without the user and the password
// that it may contain. A text that is no URL loses everything before its last @.
func WithoutUser(address string) string { return proxyenv.WithoutUser(address) }

// Unwrap returns the cause.
func (e *ConnectionError) Unwrap() error { return e.Cause }

// AsConnectionError wraps an error that concerns the whole connection. It
// returns nil for the server's error about a single request, and for a late
// answer, which may be either.
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

// Cause returns an error without the request that client-go puts before it:
// messages name the address once, and never the query string.
func Cause(err error) string {
	if partial := (*PartialListError)(nil); errors.As(err, &partial) {
		return partial.Error()
	}
	if late := (*LateError)(nil); errors.As(err, &late) {
		return late.Error() + ProxyHint(err)
	}
	through := ProxyHint(err)
	var request *url.Error
	if errors.As(err, &request) && request.Err != nil {
		err = request.Err
	}
	return Printable(strings.ReplaceAll(err.Error(), notJSON, ErrWebPage.Error())) + through
}

// notJSON is encoding/json's error for HTML.
const notJSON = "invalid character '<' looking for beginning of value"

// MaxCause limits the server text in one line of the screen, in runes.
const MaxCause = 500

// Printable returns a server's text in a form that a message may show.
func Printable(text string) string { return termtext.Short(text, MaxCause) }

// AnswersRequests reports whether an error is an answer of a running server:
// it refused or did not know the request, and is not starting, stopping or
// overloaded.
func AnswersRequests(err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return false
	}
	code := status.Status().Code
	return code >= 400 && code < 500 && code != 401 && code != 429
}

// ErrWebPage is the answer of a proxy that requires a login.
var ErrWebPage = errors.New("a web page came")

// PodsOfAll is served by every API server, and at most refused with 403. A
// proxy may hide /version alone.
const PodsOfAll = "/api/v1/pods"

// Answer returns the server's text without client-go's prefix.
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
