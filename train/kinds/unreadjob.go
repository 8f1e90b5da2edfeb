package kinds

import (
	"fmt"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// failedWord matches the states of a job that failed, as operators name them.
var failedWord = regexp.MustCompile(`^(?i:failed|failure|error|errored|crashed)$`)

// stateFields are the fields of a status in which operators name a job's state.
var stateFields = []string{"phase", "state", "status", "jobStatus", "jobState", "jobDeploymentStatus"}

// MayBeUnread reports whether objects of a kind are neither read as jobs nor as
// information about them: a kind of somebody else, in a group of its own.
func MayBeUnread(kind schema.GroupKind) bool {
	return kind.Group != "" && !IsJob(kind) && !isRelated(kind)
}

// FailedAsUnread reports whether an object of a kind that is not read looks like a job
// that failed: its status reports it, and it asks for pods or replicas. It returns the
// words of the status.
func FailedAsUnread(kind schema.GroupKind, o Object) (says string, failed bool) {
	u, is := o.(*unstructured.Unstructured)
	if !is || !MayBeUnread(kind) || !asksForPods(u.Object["spec"], 0) {
		return "", false
	}
	status, _ := u.Object["status"].(map[string]any)
	conditions, _ := status["conditions"].([]any)
	for _, c := range conditions {
		condition, _ := c.(map[string]any)
		name, _ := condition["type"].(string)
		if failedWord.MatchString(name) && fmt.Sprint(condition["status"]) == "True" {
			return wordsOf(condition, name), true
		}
	}
	for _, field := range stateFields {
		if name, _ := status[field].(string); failedWord.MatchString(name) {
			return wordsOf(status, name), true
		}
	}
	return "", false
}

// wordsOf returns a state with its reason and message, where there are any.
func wordsOf(of map[string]any, state string) string {
	for _, field := range []string{"reason", "message"} {
		if text, _ := of[field].(string); text != "" && !strings.EqualFold(text, state) {
			state += ": " + oneLine(text)
		}
	}
	return state
}

// deepestTemplate bounds how deep in a specification the template of a pod is looked
// for, and mostAsked how many fields of one level.
const deepestTemplate, mostAsked = 8, 200

// asksForPods reports whether a part of a specification has a template of pods, or
// states how many replicas or workers there are to be.
func asksForPods(part any, depth int) bool {
	if depth > deepestTemplate {
		return false
	}
	switch part := part.(type) {
	case map[string]any:
		if containers, is := part["containers"].([]any); is && len(containers) > 0 {
			return true
		}
		looked := 0
		for name, value := range part {
			if looked++; looked > mostAsked {
				return false
			}
			if isCount(name, value) || asksForPods(value, depth+1) {
				return true
			}
		}
	case []any:
		for _, value := range part[:min(len(part), mostAsked)] {
			if asksForPods(value, depth+1) {
				return true
			}
		}
	}
	return false
}

// isCount reports whether a field states how many processes are to run.
func isCount(name string, value any) bool {
	switch value.(type) {
	case int64, int, float64:
	default:
		return false
	}
	name = strings.ToLower(name)
	return strings.HasSuffix(name, "replicas") || strings.HasSuffix(name, "workers") || name == "numworkers" || name == "nodes" || name == "numnodes" || name == "parallelism"
}
