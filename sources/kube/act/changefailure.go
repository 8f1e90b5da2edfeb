package act

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/termtext"
)

// changeFailure describes in one line what was tried, what happened and what
// to do.
func changeFailure(ctx context.Context, address string, tried attempt, err error) *actions.Failure {
	kind, text := whyFailed(ctx, address, tried, err)
	return &actions.Failure{Kind: kind, Text: tried.doing + ": " + text, Cause: err}
}

func whyFailed(ctx context.Context, address string, tried attempt, err error) (actions.FailureKind, string) {
	var unasked *unaskedError
	var replaced *replacedError
	var status apierrors.APIStatus
	switch {
	case errors.As(err, &unasked):
		return actions.Invalid, unasked.why
	case errors.As(err, &replaced):
		return actions.Gone, AnotherOne
	case apierrors.IsUnauthorized(err):
		return actions.Other, client.AsConnectionError(address, err).Error()
	case errors.As(err, &status):
		return whyAnswered(tried, status.Status())
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return actions.Cancelled, "it was cancelled" + tried.maybeDone()
	case errors.Is(err, context.DeadlineExceeded):
		return actions.TooLate, "the API server did not answer in time" + tried.maybeDone()
	}
	if lost := client.AsConnectionError(address, err); lost != nil {
		return actions.Lost, lost.Error() + tried.maybeDone()
	}
	return actions.Other, client.Cause(err)
}

const AnotherOne = "the object that was meant is gone; another one has its name now and is left alone"

func (a attempt) maybeDone() string {
	if !a.changes {
		return ""
	}
	return "; whether it was done is not known: look before trying again"
}

// whyAnswered classifies the API server's answer. The formats are those of
// k8s.io/apimachinery pkg/api/errors and k8s.io/apiserver 1.36.
func whyAnswered(tried attempt, s metav1.Status) (actions.FailureKind, string) {
	said := client.Printable(s.Message)
	switch {
	case webhookDenied.MatchString(s.Message):
		m := webhookDenied.FindStringSubmatch(s.Message)
		return actions.Invalid, fmt.Sprintf("the admission webhook %s denies it: %s", client.Printable(m[1]), client.Printable(m[2]))
	case webhookFailed.MatchString(s.Message):
		m := webhookFailed.FindStringSubmatch(s.Message)
		return actions.Other, fmt.Sprintf("the admission webhook %s does not answer, and nothing is changed without it: %s", client.Printable(m[1]), client.Printable(m[2]))
	case policyDenied.MatchString(s.Message):
		m := policyDenied.FindStringSubmatch(s.Message)
		return actions.Invalid, fmt.Sprintf("the ValidatingAdmissionPolicy %s denies it: %s", client.Printable(m[1]), client.Printable(m[2]))
	case strings.Contains(s.Message, "exceeded quota: "):
		return actions.Invalid, "a ResourceQuota has no room: " + client.Printable(after(s.Message, "exceeded quota: "))
	case s.Reason == metav1.StatusReasonForbidden:
		return whyForbidden(tried, s)
	case anotherUID(s):
		return actions.Gone, AnotherOne
	case s.Reason == metav1.StatusReasonAlreadyExists:
		return actions.Exists, "there is one of this name already"
	case s.Reason == metav1.StatusReasonConflict:
		return actions.Conflict, "it was changed by somebody else meanwhile; look at it as it is now, and try again (" + said + ")"
	case s.Reason == metav1.StatusReasonNotFound && s.Details != nil && s.Details.Name != "":
		return actions.Gone, whoIsGone(tried, s.Details)
	case s.Reason == metav1.StatusReasonNotFound:
		return actions.Invalid, "the cluster does not serve this request (" + said + ")"
	case tried.subresource == "eviction" && s.Code == http.StatusTooManyRequests:
		return actions.Invalid, "a PodDisruptionBudget forbids it now: " + client.Joined(causesOf(s.Details), "(try again later, or change the budget)")
	case s.Reason == metav1.StatusReasonInvalid:
		return actions.Invalid, whyInvalid(s)
	case s.Code == http.StatusBadRequest, s.Code == http.StatusUnprocessableEntity, s.Code == http.StatusMethodNotAllowed,
		s.Code == http.StatusUnsupportedMediaType, s.Code == http.StatusRequestEntityTooLarge:
		return actions.Invalid, "the API server does not accept it: " + said
	case s.Code == http.StatusGatewayTimeout, s.Reason == metav1.StatusReasonTimeout:
		return actions.TooLate, "the API server gave up on it: " + said + tried.maybeDone()
	case s.Code == http.StatusTooManyRequests:
		return actions.Other, "the API server is overloaded; try again: " + said
	}
	return actions.Other, "the API server answers: " + said
}

// k8s.io/apiserver 1.36: pkg/admission/plugin/webhook/errors/statuserror.go,
// pkg/admission/plugin/webhook/{mutating,validating}/dispatcher.go,
// pkg/admission/plugin/policy/validating/dispatcher.go.
var (
	webhookDenied = regexp.MustCompile(`(?s)admission webhook "([^"]*)" denied the request(?:: | without explanation)?(.*)`)
	webhookFailed = regexp.MustCompile(`(?s)failed calling webhook "([^"]*)": (?:failed to call webhook: )?(.*)`)
	policyDenied  = regexp.MustCompile(`(?s)ValidatingAdmissionPolicy '([^']*)' with binding '[^']*' denied request: (.*)`)
)

func after(text, mark string) string {
	_, rest, _ := strings.Cut(text, mark)
	return rest
}

// anotherUID recognises answers about an object that was replaced: to a
// deletion with a precondition, and to a patch or an update with another UID,
// which some kinds refuse as a change of the UID (kube-apiserver 1.36).
func anotherUID(s metav1.Status) bool {
	if strings.Contains(s.Message, "does not match the UID in record") || strings.Contains(s.Message, "UID in precondition:") {
		return true
	}
	return s.Details != nil && slices.ContainsFunc(s.Details.Causes, func(c metav1.StatusCause) bool { return c.Field == "metadata.uid" })
}

func whoIsGone(tried attempt, details *metav1.StatusDetails) string {
	if details.Name == tried.ref.Name {
		return "it is gone already"
	}
	return fmt.Sprintf("there is no %s %s", client.Printable(details.Kind), client.Printable(details.Name))
}

// whyInvalid names the refused fields. The message itself repeats whole
// values, including environments with secrets, so it is not shown.
func whyInvalid(s metav1.Status) string {
	if text := causesOf(s.Details); text != "" {
		return "the API server does not accept it: " + text
	}
	_, why, cut := strings.Cut(s.Message, " is invalid: ")
	if !cut {
		why = s.Message
	}
	return "the API server does not accept it: " + withoutValue(why)
}

// mostCauses limits how many refused fields a line names.
const mostCauses = 3

func causesOf(details *metav1.StatusDetails) string {
	if details == nil {
		return ""
	}
	return strings.Join(termtext.FewLinesOf(details.Causes, mostCauses, func(one metav1.StatusCause) string {
		part := withoutValue(one.Message)
		if one.Field != "" {
			part = client.Printable(one.Field) + ": " + part
		}
		return part
	}), "; ")
}

// longestValue is the longest refused value that is repeated.
const longestValue = 60

// withoutValue removes a long or structured value from a field error: "Invalid
// value: {...}: field is immutable" becomes "field is immutable"
// (k8s.io/apimachinery pkg/util/validation/field/errors.go).
func withoutValue(message string) string {
	kind, rest, cut := strings.Cut(message, ": ")
	if !cut || !strings.HasSuffix(kind, " value") {
		return client.Printable(message)
	}
	value, why := rest, ""
	for _, mark := range []string{"}: ", "]: ", "\": ", ": "} {
		if end := strings.LastIndex(rest, mark); end >= 0 {
			value, why = rest[:end+len(mark)-2], rest[end+len(mark):]
			break
		}
	}
	if len(value) <= longestValue && !strings.ContainsAny(value, "{}[]\n") {
		return client.Printable(message)
	}
	if why == "" || strings.ContainsAny(why, "{}[]") {
		return client.Printable(kind)
	}
	return client.Printable(why)
}
