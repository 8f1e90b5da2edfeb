package generate

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

// object is one Kubernetes object, or a part of one.
type object = map[string]any

// now is the instant at which the demo cluster was dumped.
var now = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

// ago is a moment before the dump, in the API's notation.
func ago(d time.Duration) string { return stamp(now.Add(-d)) }

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// days and hours read better in the story than multiples of time.Hour.
const (
	hours = time.Hour
	days  = 24 * time.Hour
)

// cluster is what has been put together so far.
type cluster struct {
	nodes   []*node
	pods    []*pod
	objects []object
	later   []func() // what needs all pods in their places
	version int      // last resourceVersion given out
}

// add keeps an object, giving it what the API server would: a UID and a
// resourceVersion. It returns the UID.
func (c *cluster) add(o object) string {
	c.objects = append(c.objects, o)
	return c.stamp(o)
}

func (c *cluster) stamp(o object) string {
	meta := o["metadata"].(object)
	c.version += 7
	meta["resourceVersion"] = strconv.Itoa(48210000 + c.version)
	if meta["uid"] == nil {
		meta["uid"] = uid(o["kind"], meta["namespace"], meta["name"])
	}
	return meta["uid"].(string)
}

// uid is a UUID that stays the same from run to run.
func uid(parts ...any) string {
	sum := sha256.Sum256(fmt.Append(nil, parts...))
	sum[6], sum[8] = sum[6]&0x0f|0x40, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// suffix is the random end that the API server gives to a generated name.
func suffix(n int, parts ...any) string {
	const alphabet = "bcdfghjklmnpqrstvwxz2456789" // k8s.io/apimachinery util/rand
	sum := sha256.Sum256(fmt.Append([]byte("suffix"), parts...))
	out := make([]byte, n)
	for i := range out {
		out[i] = alphabet[int(sum[i])%len(alphabet)]
	}
	return string(out)
}

// owner is a controller reference.
type owner struct{ apiVersion, kind, name, uid string }

func (o owner) refs() []any {
	return []any{object{
		"apiVersion": o.apiVersion, "kind": o.kind, "name": o.name, "uid": o.uid,
		"controller": true, "blockOwnerDeletion": true,
	}}
}

func meta(namespace, name string, age time.Duration) object {
	m := object{"name": name, "creationTimestamp": ago(age), "generation": int64(1)}
	if namespace != "" {
		m["namespace"] = namespace
	}
	return m
}

func labels(of map[string]string) object {
	out := object{}
	for name, value := range of {
		out[name] = value
	}
	return out
}

func merged(of ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range of {
		maps.Copy(out, m)
	}
	return out
}

// condition is one of status.conditions; reason and message may be "".
func condition(kind, status, reason, message string, age time.Duration) object {
	c := object{"type": kind, "status": status, "lastTransitionTime": ago(age)}
	if reason != "" {
		c["reason"] = reason
	}
	if message != "" {
		c["message"] = message
	}
	return c
}

// files sorts the objects into the lists that are written: what belongs to no
// namespace in one, each namespace in one.
func (c *cluster) files() map[string][]object {
	for _, add := range c.later {
		add()
	}
	c.renderPods()
	for _, n := range c.nodes {
		c.add(n.render())
	}
	files := map[string][]object{}
	for _, o := range c.objects {
		file, _ := o["metadata"].(object)["namespace"].(string)
		if file == "" {
			file = "cluster"
		}
		files[file] = append(files[file], o)
	}
	for _, items := range files {
		slices.SortStableFunc(items, func(a, b object) int { return rank(a) - rank(b) })
	}
	return files
}

// rank orders a list: jobs and what belongs to them, pods, services, events.
func rank(o object) int {
	return slices.Index([]string{"Pod", "Service", "Event"}, o["kind"].(string))
}
