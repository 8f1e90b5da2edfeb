package generate

import (
	"crypto/sha256"
	"fmt"
	"time"
)

func hash(parts ...any) string { return fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, parts...))) }

// podEvents adds what the scheduler and the kubelet (1.36) said about a pod.
func (c *cluster) podEvents(p *pod) {
	of := about{apiVersion: "v1", kind: "Pod", namespace: p.namespace, name: p.name, uid: p.uid}
	inside := of
	inside.field = fmt.Sprintf("spec.containers{%s}", p.container)
	kubelet := func(kind, reason, message string, first, last time.Duration, count int) {
		c.eventOn(inside, "kubelet", p.node, kind, reason, message, first, last, count)
	}
	if p.node == "" {
		if p.scheduler == "" {
			// Tried again when something changes, and at least every five minutes.
			last := min(p.age, 3*time.Minute)
			c.schedulerEvent(of, "Warning", "FailedScheduling", c.unschedulable(p), p.age-time.Second, last, 1+int(p.age/(5*time.Minute)))
		} else {
			c.event(of, p.scheduler, "Warning", "FailedScheduling", c.volcanoReason(p), p.age-time.Second, 20*time.Second, 1+int(p.age/time.Second/60))
		}
		return
	}
	c.schedulerEvent(of, "Normal", "Scheduled", fmt.Sprintf("Successfully assigned %s/%s to %s", p.namespace, p.name, p.node), p.age, p.age, 1)
	switch p.state.word {
	case cannotPull:
		tries := 1 + int(p.age/(5*time.Minute))
		kubelet("Normal", "Pulling", fmt.Sprintf("Pulling image %q", p.image), p.age-4*time.Second, 4*time.Minute, tries)
		kubelet("Warning", "Failed", fmt.Sprintf("Failed to pull image %q: %s", p.image, p.state.message), p.age-6*time.Second, 4*time.Minute, tries)
		kubelet("Warning", "Failed", "Error: ErrImagePull", p.age-6*time.Second, 4*time.Minute, tries)
		kubelet("Normal", "BackOff", fmt.Sprintf("Back-off pulling image %q", p.image), p.age-7*time.Second, 12*time.Second, tries*18)
		kubelet("Warning", "Failed", "Error: ImagePullBackOff", p.age-7*time.Second, 12*time.Second, tries*18)
	case isCreated:
		kubelet("Normal", "Pulling", fmt.Sprintf("Pulling image %q", p.image), p.age-4*time.Second, p.age-4*time.Second, 1)
	default:
		started := p.age - 8*time.Second
		last := started
		if p.state.word == crashes {
			last = p.state.since + 95*time.Second
		}
		times := p.state.restarts + 1
		kubelet("Normal", "Pulled", fmt.Sprintf("Container image %q already present on machine and can be accessed by the pod", p.image), started, last, times)
		kubelet("Normal", "Created", "Container created", started, last, times)
		kubelet("Normal", "Started", "Container started", started, last, times)
	}
	if p.state.word == crashes {
		kubelet("Warning", "BackOff", fmt.Sprintf("Back-off restarting failed container %s in pod %s_%s(%s)", p.container, p.name, p.namespace, p.uid),
			p.age-2*time.Minute, 8*time.Second, p.state.restarts*11)
	}
	if p.state.word == isLost {
		c.event(of, "node-controller", "Warning", "NodeNotReady", "Node is not ready", p.state.since, p.state.since, 1)
		c.event(of, "taint-eviction-controller", "Normal", "TaintManagerEviction", "Marking for deletion Pod "+p.namespace+"/"+p.name, p.state.since-5*time.Second, p.state.since-5*time.Second, 1)
	}
}
