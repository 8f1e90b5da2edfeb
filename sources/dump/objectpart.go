package dump

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	// structureLine is a line of an object in YAML or JSON: a field, an item
	// of a list, a bracket. It captures indentation and field.
	structureLine = regexp.MustCompile(`^([ \t]*)(?:- +)*(?:["']?([A-Za-z][\w./-]*)["']?[ \t]*:(?:[ \t]|$)|- |[\[\]{}][\[\]{}, ]*$)`)
	// objectField are fields of Kubernetes objects that do not occur in the
	// settings of a training script (k8s.io/api core/v1 and meta/v1).
	objectField = regexp.MustCompile(`^(?:apiVersion|kind|metadata|spec|status|conditions|phase|lastTransitionTime|lastProbeTime|lastHeartbeatTime|containers|initContainers|containerStatuses|initContainerStatuses|containerID|imageID|imagePullPolicy|imagePullSecrets|lastState|restartCount|restartPolicy|creationTimestamp|resourceVersion|ownerReferences|involvedObject|firstTimestamp|lastTimestamp|nodeName|nodeSelector|tolerations|tolerationSeconds|volumeMounts|mountPath|volumes|valueFrom|secretKeyRef|configMapKeyRef|claimName|podIPs?|hostIPs?|qosClass|serviceAccountName|schedulerName|terminationGracePeriodSeconds|terminationMessagePath|securityContext|replicaStatuses|allocatable|capacity|nodeInfo|replicas|resources|limits|requests|image|nvidia\.com/gpu)$`)
)

// partFields is how many different fields of objects, and partShare which
// percentage of the lines, make a text a part of an object.
const (
	partFields = 2
	partShare  = 80
)

// partOfObject returns the outermost fields of a text that is a part of an
// object without its head, nil for any other text.
func partOfObject(head []byte) []string {
	seen := map[string]bool{}
	lines, structure, least := 0, 0, -1
	var outer []string
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		if blank(line) {
			continue
		}
		lines++
		found := structureLine.FindSubmatch(line)
		if found == nil {
			continue
		}
		structure++
		field := string(found[2])
		if field == "" {
			continue
		}
		if depth := len(found[1]); least < 0 || depth < least {
			least, outer = depth, nil
		}
		if len(found[1]) == least && !slices.Contains(outer, field) {
			outer = append(outer, field)
		}
		if objectField.MatchString(field) {
			seen[field] = true
		}
	}
	if len(seen) < partFields || structure*100 < lines*partShare {
		return nil
	}
	return outer
}

// shownFields limits how many fields a message names.
const shownFields = 3

const brokenObject = "looks like an object, and is neither valid JSON nor valid YAML (neither has // comments, nor two objects without a mark between them); save the output of kubectl get -o yaml again"

// unreadPart returns a message for a text that is a part of an object, "" for
// any other.
func unreadPart(head []byte) string {
	fields := partOfObject(head)
	if fields == nil {
		return ""
	}
	if len(fields) > shownFields {
		fields = append(slices.Clone(fields[:shownFields]), "...")
	}
	if slices.Contains(fields, "apiVersion") && slices.Contains(fields, "kind") {
		return brokenObject
	}
	return fmt.Sprintf("looks like a part of an object (%s) that cannot be read as one: which object it is and how it stands is not in it; give the whole object, as kubectl get -o yaml prints it", strings.Join(fields, ", "))
}
