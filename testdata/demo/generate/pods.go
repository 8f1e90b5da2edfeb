package generate

import (
	"fmt"
	"slices"
	"time"
)

// pod is one pod of the story.
type pod struct {
	namespace, name, generated string // generated is the prefix that the API server completed
	owner                      owner
	labels, annotations        map[string]string
	image, container           string
	command                    []any
	env                        []any
	asks                       map[string]string // requests and limits of the container
	restart                    string
	scheduler                  string // "" for the default one
	finalizers                 []any
	init                       object // an init container that has ended well, nil without
	claim, missingClaim        string // a volume, present or not
	node                       string // "" while it waits
	state                      state
	age                        time.Duration
	uid                        string
	rendered                   bool
}

// state is how a pod stands.
type state struct {
	word     word
	since    time.Duration // how long ago the container started, ended, or began to wait
	exit     int
	reason   string // of an end
	message  string // of a wait
	restarts int
}

type word int

const (
	runs word = iota
	waitsForNode
	ended       // exit and reason say how
	crashes     // between two restarts in place
	cannotPull  // message is the registry's answer
	isCreated   // the kubelet is still at it
	isLost      // its node fell silent
	waitsForVol // Volcano has not let the gang start
)

func (c *cluster) pod(p pod) *pod {
	if p.generated != "" {
		p.name = p.generated + suffix(5, p.namespace, p.generated, p.labels)
	}
	p.uid = uid("Pod", p.namespace, p.name, p.age)
	if p.node != "" && p.state.word != ended {
		c.named(p.node).place(&p)
	}
	c.pods = append(c.pods, &p)
	return &p
}

// renderPods adds the pods once all of them have their place, since why one
// waits depends on all others.
func (c *cluster) renderPods() {
	for _, p := range c.pods {
		o := c.render(p)
		c.objects = append(c.objects, o)
		c.stamp(o)
		c.podEvents(p)
	}
}

func (c *cluster) render(p *pod) object {
	m := meta(p.namespace, p.name, p.age)
	m["uid"], m["labels"], m["ownerReferences"] = p.uid, labels(p.labels), p.owner.refs()
	if len(p.annotations) > 0 {
		m["annotations"] = labels(p.annotations)
	}
	if p.generated != "" {
		m["generateName"] = p.generated
	}
	if p.finalizers != nil {
		m["finalizers"] = p.finalizers
	}
	return object{"apiVersion": "v1", "kind": "Pod", "metadata": m, "spec": p.spec(), "status": c.podStatus(p)}
}

func (p *pod) spec() object {
	container := p.template()
	container["imagePullPolicy"] = "IfNotPresent"
	container["terminationMessagePath"], container["terminationMessagePolicy"] = "/dev/termination-log", "File"
	if len(p.env) > 0 {
		container["env"] = p.env
	}
	spec := object{
		"containers": []any{container}, "restartPolicy": p.restart, "dnsPolicy": "ClusterFirst",
		"enableServiceLinks": true, "preemptionPolicy": "PreemptLowerPriority", "priority": int64(0),
		"schedulerName": "default-scheduler", "securityContext": object{},
		"serviceAccount": "default", "serviceAccountName": "default", "terminationGracePeriodSeconds": int64(30),
		"tolerations": []any{
			object{"effect": "NoExecute", "key": "node.kubernetes.io/not-ready", "operator": "Exists", "tolerationSeconds": int64(300)},
			object{"effect": "NoExecute", "key": "node.kubernetes.io/unreachable", "operator": "Exists", "tolerationSeconds": int64(300)},
		},
	}
	if p.scheduler != "" {
		spec["schedulerName"] = p.scheduler
	}
	if p.init != nil {
		spec["initContainers"] = []any{p.init}
	}
	if p.node != "" {
		spec["nodeName"] = p.node
	}
	if claim := p.claim + p.missingClaim; claim != "" {
		spec["volumes"] = []any{object{"name": "data", "persistentVolumeClaim": object{"claimName": claim}}}
		container["volumeMounts"] = []any{object{"name": "data", "mountPath": "/data"}}
	}
	return spec
}

// template is the container as a job's pod template states it.
func (p *pod) template() object {
	return object{
		"name": p.container, "image": p.image, "command": p.command,
		"resources": object{"limits": labels(p.asks), "requests": labels(p.asks)},
	}
}

func (c *cluster) podStatus(p *pod) object {
	status := object{"phase": p.phase(), "qosClass": "Guaranteed", "conditions": c.podConditions(p)}
	if p.node == "" {
		return status
	}
	n := c.named(p.node)
	status["startTime"], status["hostIP"], status["hostIPs"] = ago(p.age), n.ip(), []any{object{"ip": n.ip()}}
	if p.state.word != cannotPull && p.state.word != isCreated {
		ip := n.nextPodIP()
		status["podIP"], status["podIPs"] = ip, []any{object{"ip": ip}}
	}
	status["containerStatuses"] = []any{p.containerStatus()}
	if p.init != nil {
		status["initContainerStatuses"] = []any{object{
			"name": p.init["name"], "image": p.init["image"], "imageID": imageID(p.init["image"]), "containerID": containerID(p.uid, "init"),
			"ready": p.state.word != isCreated, "started": false, "restartCount": int64(0), "lastState": object{},
			"state": object{"terminated": object{
				"containerID": containerID(p.uid, "init"), "exitCode": int64(0), "reason": "Completed",
				"startedAt": ago(p.age - 2*time.Second), "finishedAt": ago(p.age - 4*time.Second),
			}},
		}}
	}
	return status
}

func (p *pod) phase() string {
	switch {
	case p.state.word == ended && p.state.exit == 0:
		return "Succeeded"
	case p.state.word == ended:
		return "Failed"
	case slices.Contains([]word{waitsForNode, waitsForVol, cannotPull, isCreated}, p.state.word):
		return "Pending"
	}
	return "Running"
}

func (c *cluster) podConditions(p *pod) []any {
	if p.node == "" {
		scheduled := condition("PodScheduled", "False", "Unschedulable", c.unplaced(p), p.age)
		return []any{scheduled}
	}
	up := func(kind string, age time.Duration) any { return condition(kind, "True", "", "", age) }
	list := []any{up("PodReadyToStartContainers", p.age-2*time.Second), up("Initialized", p.age-4*time.Second)}
	for _, kind := range []string{"Ready", "ContainersReady"} {
		switch p.state.word {
		case runs:
			list = append(list, up(kind, p.state.since))
		case ended:
			reason := "PodFailed"
			if p.state.exit == 0 {
				reason = "PodCompleted"
			}
			list = append(list, condition(kind, "False", reason, "", p.state.since))
		case isLost:
			if kind == "Ready" {
				list = append(list, condition(kind, "False", "", "", p.state.since)) // the node controller's doing
			} else {
				list = append(list, up(kind, p.age))
			}
		default:
			message := fmt.Sprintf("containers with unready status: [%s]", p.container)
			list = append(list, condition(kind, "False", "ContainersNotReady", message, p.state.since))
		}
	}
	return append(list, up("PodScheduled", p.age))
}

func (c *cluster) unplaced(p *pod) string {
	if p.scheduler == "volcano" {
		return c.volcanoReason(p)
	}
	return c.unschedulable(p)
}

func (p *pod) containerStatus() object {
	id := containerID(p.uid, p.state.restarts)
	status := object{
		"name": p.container, "image": p.image, "imageID": imageID(p.image), "containerID": id,
		"ready": p.state.word == runs || p.state.word == isLost, "started": p.state.word == runs || p.state.word == isLost,
		"restartCount": int64(p.state.restarts), "lastState": object{},
	}
	waiting := func(reason, message string) object {
		w := object{"reason": reason}
		if message != "" {
			w["message"] = message
		}
		return object{"waiting": w}
	}
	terminated := func(id string, started, finished time.Duration) object {
		return object{"terminated": object{
			"containerID": id, "exitCode": int64(p.state.exit), "reason": p.state.reason,
			"startedAt": ago(started), "finishedAt": ago(finished),
		}}
	}
	switch p.state.word {
	case runs, isLost:
		started := p.state.since
		if p.state.word == isLost {
			started = p.age - 20*time.Second
		}
		status["state"] = object{"running": object{"startedAt": ago(started)}}
		if p.state.restarts > 0 {
			status["lastState"] = terminated(containerID(p.uid, p.state.restarts-1), p.age, started+20*time.Second)
		}
	case ended:
		status["state"] = terminated(id, p.age-10*time.Second, p.state.since)
	case crashes:
		status["lastState"] = terminated(id, p.state.since+95*time.Second, p.state.since)
		status["state"] = waiting("CrashLoopBackOff", fmt.Sprintf("back-off 5m0s restarting failed container=%s pod=%s_%s(%s)", p.container, p.name, p.namespace, p.uid))
	case cannotPull:
		delete(status, "containerID")
		status["imageID"], status["state"] = "", waiting("ImagePullBackOff", fmt.Sprintf("Back-off pulling image %q: ErrImagePull: %s", p.image, p.state.message))
	case isCreated:
		delete(status, "containerID")
		status["imageID"], status["state"] = "", waiting("ContainerCreating", "")
	}
	return status
}

func containerID(parts ...any) string { return "containerd://" + hash(parts...) }

func imageID(image any) string { return "sha256:" + hash("image", image) }
