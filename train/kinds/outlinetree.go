package kinds

import (
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// outlineDrops are fields that are dropped wherever they occur: what users
// wrote, its texts, and what only the kubelet needs.
var outlineDrops = map[string]bool{
	"env": true, "envFrom": true, "args": true, "command": true, "entrypoint": true, "image": true, "message": true,
	"managedFields": true, "nodeSelector": true, "matchLabels": true, "affinity": true, "tolerations": true,
	"volumes": true, "volumeMounts": true, "volumeClaimTemplates": true, "securityContext": true, "lifecycle": true,
	"livenessProbe": true, "readinessProbe": true, "startupProbe": true, "runtimeEnvYAML": true,
	"plugins": true, "parameters": true, "ports": true, "selector": true, "options": true, "rayStartParams": true,
	"data": true, "stringData": true, "binaryData": true,
}

// outlineTexts are fields whose text is kept: identity, reason for waiting,
// and state. Of all other fields only numbers, quantities and times are kept.
var outlineTexts = map[string]bool{
	"apiVersion": true, "kind": true, "name": true, "namespace": true, "uid": true, "type": true, "status": true, "reason": true,
	"phase": true, "state": true, "nodeName": true, "restartPolicy": true, "cleanPodPolicy": true, "completionMode": true,
	"completedIndexes": true, "failedIndexes": true, "jobStatus": true, "jobDeploymentStatus": true, "rayClusterName": true, "groupName": true,
	"queue": true, "queueName": true, "clusterQueue": true, "localQueue": true, "priorityClassName": true, "priorityClass": true,
	"schedulerName": true, "flavor": true, "resource": true, "deviceClassName": true, "pool": true, "device": true, "driver": true, "request": true,
	"jobsetName": true, "podSetName": true, "managedBy": true,
}

// outlineMeta are the kept fields of an object's metadata.
var outlineMeta = []string{"namespace", "name", "uid", "creationTimestamp", "deletionTimestamp", "generation", "ownerReferences"}

// outlineOwned maps a resource to the name of its provider: a flavour of
// Kueue.
const outlineOwned = "flavors"

func outlineTree(o *unstructured.Unstructured) *unstructured.Unstructured {
	kept := map[string]any{"metadata": outlineMetadata(o.Object["metadata"])}
	for key, value := range o.Object {
		if key == "metadata" {
			continue
		}
		if left, stays := outlined(key, value); stays {
			kept[key] = left
		}
	}
	left := &unstructured.Unstructured{Object: kept}
	left.SetAnnotations(markedOutline(left.GetAnnotations()))
	return left
}

// outlineMetadata is also used for a template within an object.
func outlineMetadata(of any) map[string]any {
	all, _ := of.(map[string]any)
	kept := map[string]any{}
	for _, key := range outlineMeta {
		if value, has := all[key]; has {
			kept[key] = value
		}
	}
	for _, key := range []string{"labels", "annotations"} {
		telling := map[string]any{}
		words, _ := all[key].(map[string]any)
		for word, value := range words {
			if identifies(word) {
				telling[word] = value
			}
		}
		if len(telling) > 0 {
			kept[key] = telling
		}
	}
	return kept
}

// outlined returns the kept part of the field key of an object, and whether
// any is kept.
func outlined(key string, value any) (any, bool) {
	switch value := value.(type) {
	case map[string]any:
		if key == "metadata" {
			return outlineMetadata(value), true
		}
		if outlineDrops[key] || key == "labels" || key == "annotations" {
			return nil, false
		}
		kept := make(map[string]any, len(value))
		for name, field := range value {
			below := name
			if key == outlineOwned {
				below = "flavor"
			}
			if left, stays := outlined(below, field); stays {
				kept[name] = left
			}
		}
		return kept, true
	case []any:
		if outlineDrops[key] {
			return nil, false
		}
		kept := make([]any, 0, len(value))
		for _, element := range value {
			if left, stays := outlined(key, element); stays {
				kept = append(kept, left)
			}
		}
		return kept, true
	case string:
		return value, !outlineDrops[key] && (outlineTexts[key] || isQuantity(value) || isTime(value))
	}
	return value, !outlineDrops[key]
}

func isQuantity(text string) bool {
	_, err := resource.ParseQuantity(text)
	return err == nil
}

func isTime(text string) bool {
	_, err := time.Parse(time.RFC3339Nano, text)
	return err == nil
}
