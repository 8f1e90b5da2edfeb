package act

import (
	"context"
	"errors"
	"net"
	"net/url"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/exec"
	"k8s.io/streaming/pkg/httpstream"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
)

// ended turns the end of a stream into the result of Execute. head is the
// whole output, if it was short.
func (x *execution) ended(ctx context.Context, err error, head []byte) error {
	var exit exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exit):
		return x.exited(ctx, exit.ExitStatus(), head)
	case ctx.Err() != nil:
		return x.stopped(ctx)
	}
	return x.broken(ctx, err)
}

// killed are the exit codes after SIGKILL or SIGTERM, which every process of
// an ending container gets.
var killed = map[int]bool{128 + 9: true, 128 + 15: true}

func (x *execution) exited(ctx context.Context, code int, head []byte) error {
	exit := &actions.ExitError{Code: code}
	if said := startFailure(code, head); said != "" {
		return x.notStarted(said, exit)
	}
	if killed[code] {
		if kind, why := x.fate(ctx); why != "" {
			return x.failure(kind, exit, "it was killed (exit code %d): %s", code, why)
		}
	}
	return exit
}

func (x *execution) stopped(ctx context.Context) *actions.Failure {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return x.failure(actions.TooLate, ctx.Err(), "it did not end within %s, and may still run there", x.now().Sub(x.began).Round(100*time.Millisecond))
	}
	return x.failure(actions.Cancelled, ctx.Err(), "it was stopped, and may still run there")
}

// broken classifies the errors of a stream that ended without an exit code.
func (x *execution) broken(ctx context.Context, err error) *actions.Failure {
	var upgrade *httpstream.UpgradeFailureError
	if errors.As(err, &upgrade) && upgrade.Cause != nil {
		err = upgrade.Cause // an answer, which a server behind a proxy gave
	} else {
		err = x.connection.ThroughProxy(err)
	}
	if isLost(err) {
		return x.lost(ctx, err)
	}
	if away := client.AsConnectionError(x.connection.Address, err); away != nil {
		return x.failure(actions.Lost, err, "%s", away)
	}
	return x.refused(ctx, err, client.Answer(err))
}

// refused classifies the errors of the API server, the kubelet and the
// runtime.
func (x *execution) refused(ctx context.Context, err error, said string) *actions.Failure {
	var status apierrors.APIStatus
	switch word := execErrorOf(said); {
	case word == noSuchProgram:
		return x.notStarted(said, err)
	case word == notRunning:
		return x.notRunning(ctx, err, said)
	case word == kubeletAway:
		return x.failure(actions.Other, err, "%s does not answer the API server: %s", client.KubeletOf(x.pod.Spec.NodeName), withoutPrefixes(said))
	case word == noSuchPod, apierrors.IsNotFound(err):
		return x.failure(actions.Gone, err, "the pod does not exist any more")
	case errors.As(err, &status):
		return changeFailure(ctx, x.connection.Address, x.attempt(), err)
	case strings.Contains(said, " is forbidden: "), strings.Contains(said, "admission webhook "):
		// Over SPDY client-go 0.36 keeps only the text of a refusal.
		kind, why := whyAnswered(x.attempt(), metav1.Status{Reason: metav1.StatusReasonForbidden, Message: withoutPrefixes(said)})
		return x.failure(kind, err, "%s", why)
	}
	return x.failure(actions.Other, err, "%s", withoutPrefixes(said))
}

// attempt describes the request, to explain refusals.
func (x *execution) attempt() attempt {
	subresource := "exec"
	if x.exec.Command == nil {
		subresource = "attach"
	}
	return attempt{doing: x.doing(), verb: "create", subresource: subresource, ref: train.PodRef(x.exec.Namespace, x.exec.Pod, "")}
}

func (x *execution) notStarted(said string, err error) *actions.Failure {
	if execErrorOf(said) == notExecutable {
		return x.failure(actions.NoProgram, err, "the program is there, but cannot be executed: %s", withoutPrefixes(said))
	}
	program := "such program"
	if len(x.exec.Command) > 0 {
		program = client.Printable(x.exec.Command[0])
	}
	return x.failure(actions.NoProgram, err, "the container has no %s", program)
}

// notRunning handles a runtime's error; the pod's status explains it better.
func (x *execution) notRunning(ctx context.Context, err error, said string) *actions.Failure {
	if kind, why := x.fate(ctx); why != "" {
		return x.failure(kind, err, "%s", why)
	}
	return x.failure(actions.NotRunning, err, "the container does not run: %s", withoutPrefixes(said))
}

func (x *execution) lost(ctx context.Context, err error) *actions.Failure {
	if kind, why := x.fate(ctx); why != "" {
		return x.failure(kind, err, "the connection ended: %s", why)
	}
	return x.failure(actions.Lost, err, "the connection broke (%s); what it began may still run there; try again", client.Cause(err))
}

// isLost reports whether an established connection broke.
func isLost(err error) bool {
	var network *net.OpError
	if errors.As(err, &network) {
		return network.Op != "dial"
	}
	var request *url.Error
	if errors.As(err, &request) {
		return false
	}
	// client-go 0.36, tools/remotecommand/errorstream.go: the stream with the
	// command's result could not be read to its end.
	return errors.Is(err, errNoEnding) || strings.HasPrefix(err.Error(), "error reading from error stream: ")
}
