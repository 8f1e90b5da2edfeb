package generate

import (
	"fmt"
	"time"
)

// volcanoJob is a Volcano Job of one task whose gang does not fit.
type volcanoJob struct {
	namespace, name, queue, image string
	command                       []any
	asks                          map[string]string
	replicas, gpus                int
	age                           time.Duration
}

func (c *cluster) volcanoJob(j volcanoJob) {
	own := owner{"batch.volcano.sh/v1alpha1", "Job", j.name, uid("vcjob", j.namespace, j.name)}
	m := meta(j.namespace, j.name, j.age)
	m["uid"] = own.uid
	n := int64(j.replicas)
	template := (&pod{container: "main", image: j.image, command: j.command, asks: j.asks}).template()
	c.add(object{
		"apiVersion": own.apiVersion, "kind": own.kind, "metadata": m,
		"spec": object{
			"maxRetry": int64(3), "minAvailable": n, "queue": j.queue, "schedulerName": "volcano",
			"plugins": object{"env": []any{}, "svc": []any{}},
			"tasks": []any{object{
				"name": "worker", "replicas": n, "minAvailable": n, "maxRetry": int64(3),
				"template": object{"metadata": object{}, "spec": object{"containers": []any{template}, "restartPolicy": "Never"}},
			}},
		},
		"status": object{
			"conditions":   []any{object{"status": "Pending", "lastTransitionTime": ago(j.age)}},
			"minAvailable": n, "pending": n, "state": object{"phase": "Pending", "lastTransitionTime": ago(j.age - time.Second)},
			"taskStatusCount":     object{"worker": object{"phase": object{"Pending": n}}},
			"controlledResources": object{"plugin-env": "env", "plugin-svc": "svc"},
		},
	})
	group := j.name + "-" + own.uid
	var first *pod
	for i := range j.replicas {
		index := fmt.Sprint(i)
		p := c.pod(pod{
			namespace: j.namespace, name: fmt.Sprintf("%s-worker-%d", j.name, i), owner: own, image: j.image, container: "main", command: j.command,
			labels: map[string]string{
				"volcano.sh/job-name": j.name, "volcano.sh/job-namespace": j.namespace, "volcano.sh/queue-name": j.queue,
				"volcano.sh/task-index": index, "volcano.sh/task-spec": "worker",
			},
			annotations: map[string]string{
				"scheduling.k8s.io/group-name": group, "volcano.sh/job-name": j.name, "volcano.sh/job-retry-count": "0", "volcano.sh/job-version": "0",
				"volcano.sh/queue-name": j.queue, "volcano.sh/task-index": index, "volcano.sh/task-spec": "worker", "volcano.sh/template-uid": j.name + "-worker",
			},
			env:  []any{object{"name": "VK_TASK_INDEX", "value": index}, object{"name": "VC_TASK_INDEX", "value": index}},
			asks: j.asks, restart: "Never", scheduler: "volcano", state: state{word: waitsForVol}, age: j.age - 2*time.Second,
		})
		if first == nil {
			first = p
		}
	}
	c.later = append(c.later, func() { c.volcanoGroup(j, own, group, first) })
}

// volcanoGroup adds the PodGroup, whose reason needs all pods in their places.
func (c *cluster) volcanoGroup(j volcanoJob, own owner, group string, first *pod) {
	n := int64(j.replicas)
	m := meta(j.namespace, group, j.age-time.Second)
	m["ownerReferences"] = own.refs()
	why := fmt.Sprintf("%d/%d tasks in gang unschedulable: pod group is not ready, %d Pending, %d minAvailable; Pending: %d Unschedulable. Origin reason is %s: %s",
		n, n, n, n, n, first.name, c.volcanoReason(first))
	blocked := condition("Unschedulable", "True", "NotEnoughResources", why, j.age-2*time.Second)
	blocked["transitionID"] = uid("transition", group)
	groupUID := c.add(object{
		"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "PodGroup", "metadata": m,
		"spec": object{
			"minMember": n, "queue": j.queue, "minTaskMember": object{"worker": n},
			"minResources": object{"pods": fmt.Sprint(n), "count/pods": fmt.Sprint(n), "nvidia.com/gpu": fmt.Sprint(j.gpus * j.replicas), "requests.nvidia.com/gpu": fmt.Sprint(j.gpus * j.replicas)},
		},
		"status": object{"phase": "Inqueue", "conditions": []any{blocked}},
	})
	times := int(j.age / time.Second / 2)
	c.event(about{apiVersion: "scheduling.volcano.sh/v1beta1", kind: "PodGroup", namespace: j.namespace, name: group, uid: groupUID},
		"volcano", "Warning", "Unschedulable", why, j.age-2*time.Second, time.Second, times)
	c.event(about{apiVersion: own.apiVersion, kind: own.kind, namespace: j.namespace, name: j.name, uid: own.uid},
		"vc-controller-manager", "Warning", "PodGroupPending", fmt.Sprintf("PodGroup %s:%s unschedule,reason: %s", j.namespace, j.name, why), j.age-2*time.Second, time.Second, times)
}

// volcanoQueue adds a queue of Volcano's scheduler.
func (c *cluster) volcanoQueue(name string, age time.Duration) {
	c.add(object{
		"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "metadata": meta("", name, age),
		"spec":   object{"guarantee": object{}, "reclaimable": true, "weight": int64(1)},
		"status": object{"allocated": object{"cpu": "0", "memory": "0"}, "inqueue": int64(1), "reservation": object{}, "state": "Open"},
	})
}
