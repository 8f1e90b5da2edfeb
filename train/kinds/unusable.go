package kinds

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Unusable returns why an object that arrived as a tree cannot be used, ""
// where it can. Readers take well-formed metadata for granted, and read a
// field of a wrong type as missing, so that a job with an unreadable status
// would look like one without a status.
func Unusable(kind schema.GroupKind, tree map[string]any) string {
	metadata, is := tree["metadata"].(map[string]any)
	if !is {
		return "its metadata is no object"
	}
	if why := wrongMetadata(metadata); why != "" {
		return why
	}
	if !IsJob(kind) && !isRelated(kind) {
		return ""
	}
	for _, part := range []string{"spec", "status"} {
		if why := wrongType(part, tree[part], objectType); why != "" {
			return why
		}
	}
	if !IsJob(kind) {
		return ""
	}
	for _, part := range []string{"spec", "status"} {
		if why := wrongFields(part, asFields(tree[part])); why != "" {
			return why
		}
	}
	if k, _ := jobKindOf(kind); k.layout != nil {
		if why := k.layout.wrongLayoutCounts(tree); why != "" {
			return why
		}
	}
	return wrongCounts("spec", tree["spec"], 0)
}

// UnusablePod returns why a pod that an API server sent cannot be used, "" where
// it can. None stores a pod without containers (ValidatePodSpec in
// pkg/apis/core/validation), and each gives a pod its phase with its creation
// (PrepareForCreate in pkg/registry/core/pod/strategy.go; both 1.36). Taken as it
// is, the rest of a pod would look like one that has nothing wrong. In a file such
// a rest is what a person pasted, and is used.
func UnusablePod(pod *corev1.Pod) string {
	switch {
	case len(pod.Spec.Containers) == 0:
		return "its spec has no containers"
	case pod.Status.Phase == "":
		return "its status has no phase"
	}
	return ""
}

// counts are the fields of job kinds that state how many ranks there are.
var counts = []string{"replicas", "minReplicas", "maxReplicas", "parallelism", "completions", "numNodes"}

// deepestCount is how deep such a field lies at most: RayJob's
// rayClusterSpec.workerGroupSpecs[0].replicas, JobSet's
// replicatedJobs[0].template.spec.parallelism.
const deepestCount = 5

// wrongCounts returns which count is no whole number from 0 on: it would be
// read as missing, and the job would have another number of ranks. Pods have
// no counts.
func wrongCounts(field string, value any, depth int) string {
	if depth > deepestCount {
		return ""
	}
	switch value := value.(type) {
	case []any:
		for i, entry := range value {
			if why := wrongCounts(fmt.Sprintf("%s[%d]", field, i), entry, depth+1); why != "" {
				return why
			}
		}
	case map[string]any:
		if value["containers"] != nil {
			return ""
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			at := field + "." + name
			if slices.Contains(counts, name) {
				if why := wrongCount(at, value[name]); why != "" {
					return why
				}
				continue
			}
			if why := wrongCounts(at, value[name], depth+1); why != "" {
				return why
			}
		}
	}
	return ""
}

func wrongCount(field string, value any) string {
	number, is := 0.0, true
	switch value := value.(type) {
	case nil:
	case int64:
		number = float64(value)
	case float64:
		number = value
	default:
		is = false
	}
	switch {
	case !is:
		return fmt.Sprintf("its %s is %s, not a number", field, typeWords(value))
	case number < 0 || number != math.Trunc(number):
		return fmt.Sprintf("its %s is %v, not a whole number from 0 on", field, value)
	}
	return ""
}

// wrongMetadata returns why metadata cannot be read. The converter does not
// name the wrong value; decoding it again from JSON does.
func wrongMetadata(metadata map[string]any) string {
	err := runtime.DefaultUnstructuredConverter.FromUnstructured(metadata, &metav1.ObjectMeta{})
	if err == nil {
		return ""
	}
	if text, marshalErr := json.Marshal(metadata); marshalErr == nil {
		if clearer := json.Unmarshal(text, &metav1.ObjectMeta{}); clearer != nil {
			err = clearer
		}
	}
	return "its metadata cannot be read: " + err.Error()
}

func isRelated(kind schema.GroupKind) bool {
	return slices.ContainsFunc(relatedKinds, func(k Kind) bool { return k.GroupKind == kind })
}

// fieldType is the required type of a field of an object.
type fieldType uint8

const (
	anyType     fieldType = iota
	objectType            // a map
	objectsType           // a list of maps
	byNameType            // a map of maps
)

// fieldTypes are the types of fields of spec and status that are the same in
// all job kinds with such a field.
var fieldTypes = map[string]map[string]fieldType{
	"spec": {
		"runPolicy": objectType, "template": objectType, "elasticPolicy": objectType, "trainer": objectType, "runtimeRef": objectType,
		"leaderWorkerTemplate": objectType, "rayClusterSpec": objectType, "headGroupSpec": objectType, "workerGroupSpecs": objectsType,
		"tasks": objectsType, "replicatedJobs": objectsType,
	},
	"status": {
		"conditions": objectsType, "replicaStatuses": byNameType, "taskStatusCount": byNameType, "replicatedJobsStatus": objectsType,
		"jobsStatus": objectsType, "rayClusterStatus": objectType,
	},
}

// wrongFields returns which field of spec or status has a wrong type.
func wrongFields(part string, of fields) string {
	for _, name := range slices.Sorted(maps.Keys(of)) {
		want := fieldTypes[part][name]
		if part == "spec" && strings.HasSuffix(name, "ReplicaSpecs") {
			want = byNameType
		}
		if why := wrongType(part+"."+name, of[name], want); why != "" {
			return why
		}
	}
	return ""
}

// wrongType reports that a value has another type, "" where it is of the type
// or missing.
func wrongType(field string, value any, want fieldType) string {
	if value == nil || want == anyType {
		return ""
	}
	object, isObject := value.(map[string]any)
	list, isList := value.([]any)
	switch {
	case want == objectsType && !isList:
		return fmt.Sprintf("its %s is %s, not a list", field, typeWords(value))
	case want == objectsType:
		for i, entry := range list {
			if why := wrongType(fmt.Sprintf("%s[%d]", field, i), entry, objectType); why != "" {
				return why
			}
		}
	case !isObject:
		return fmt.Sprintf("its %s is %s, not an object", field, typeWords(value))
	case want == byNameType:
		for _, name := range slices.Sorted(maps.Keys(object)) {
			if why := wrongType(field+"."+name, object[name], objectType); why != "" {
				return why
			}
		}
	}
	return ""
}

func typeWords(value any) string {
	switch value.(type) {
	case string:
		return "text"
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	case bool:
		return "true or false"
	}
	return "a number"
}
