package generate

import (
	"fmt"
	"strings"
	"time"
)

const kueueVersion = "kueue.x-k8s.io/v1beta1"

// kueueJob is a job that goes through a queue of Kueue.
type kueueJob struct {
	owner     owner
	namespace string
	sets      []podSet
	priority  int
	age       time.Duration
	admitted  bool
}

// podSet is a part of a Workload: so many pods that ask for so much each.
type podSet struct {
	name      string
	count     int
	gpus      int // of one pod
	container object
}

// kueueQueue is a ClusterQueue with one flavor and the LocalQueue before it.
type kueueQueue struct {
	namespace, local, cluster, flavor string
	gpus                              int
	age                               time.Duration
	jobs                              []kueueJob
}

// kueue adds the queue and a Workload for each job. What keeps a waiting one
// out is worked out from what the admitted ones use.
func (c *cluster) kueue(q kueueQueue) {
	used, waits, runsNow := 0, 0, 0
	for _, j := range q.jobs {
		if j.admitted {
			runsNow++
			for _, s := range j.sets {
				used += s.count * s.gpus
			}
		} else {
			waits++
		}
	}
	for _, j := range q.jobs {
		c.workload(q, j, used)
	}
	c.add(object{"apiVersion": kueueVersion, "kind": "ResourceFlavor", "metadata": meta("", q.flavor, q.age),
		"spec": object{"nodeLabels": object{"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB"}}})
	usage := []any{object{"name": q.flavor, "resources": []any{object{"name": "nvidia.com/gpu", "total": fmt.Sprint(used)}}}}
	counts := func(o object, message string) object {
		active := condition("Active", "True", "Ready", message, q.age)
		active["observedGeneration"] = int64(1)
		o["conditions"], o["admittedWorkloads"], o["reservingWorkloads"], o["pendingWorkloads"] = []any{active}, int64(runsNow), int64(runsNow), int64(waits)
		return o
	}
	c.add(object{
		"apiVersion": kueueVersion, "kind": "ClusterQueue", "metadata": meta("", q.cluster, q.age),
		"spec": object{
			"namespaceSelector": object{}, "queueingStrategy": "BestEffortFIFO", "stopPolicy": "None",
			"flavorFungibility": object{"whenCanBorrow": "Borrow", "whenCanPreempt": "TryNextFlavor"},
			"preemption":        object{"borrowWithinCohort": object{"policy": "Never"}, "reclaimWithinCohort": "Never", "withinClusterQueue": "Never"},
			"resourceGroups": []any{object{
				"coveredResources": []any{"nvidia.com/gpu"},
				"flavors":          []any{object{"name": q.flavor, "resources": []any{object{"name": "nvidia.com/gpu", "nominalQuota": fmt.Sprint(q.gpus)}}}},
			}},
		},
		"status": counts(object{"flavorsUsage": usage, "flavorsReservation": usage}, "Can admit new workloads"),
	})
	c.add(object{
		"apiVersion": kueueVersion, "kind": "LocalQueue", "metadata": meta(q.namespace, q.local, q.age),
		"spec":   object{"clusterQueue": q.cluster, "stopPolicy": "None"},
		"status": counts(object{"flavorUsage": usage, "flavorsReservation": usage}, "Can submit new workloads to clusterQueue"),
	})
}

func (c *cluster) workload(q kueueQueue, j kueueJob, used int) {
	name := strings.ToLower(j.owner.kind) + "-" + j.owner.name + "-" + hash(j.owner.uid)[:5]
	m := meta(j.namespace, name, j.age)
	m["ownerReferences"], m["finalizers"] = j.owner.refs(), []any{"kueue.x-k8s.io/resource-in-use"}
	m["labels"] = object{"kueue.x-k8s.io/job-uid": j.owner.uid}
	var sets, assignments, requests []any
	for _, s := range j.sets {
		total := object{"nvidia.com/gpu": fmt.Sprint(s.count * s.gpus)}
		sets = append(sets, object{"name": s.name, "count": int64(s.count), "template": object{"metadata": object{}, "spec": object{"containers": []any{s.container}}}})
		assignments = append(assignments, object{"name": s.name, "count": int64(s.count), "flavors": object{"nvidia.com/gpu": q.flavor}, "resourceUsage": total})
		requests = append(requests, object{"name": s.name, "resources": total})
	}
	status := object{}
	note := func(kind, value, reason, message string, age time.Duration) object {
		cond := condition(kind, value, reason, message, age)
		cond["observedGeneration"] = int64(1)
		return cond
	}
	if j.admitted {
		status["admission"] = object{"clusterQueue": q.cluster, "podSetAssignments": assignments}
		status["conditions"] = []any{
			note("QuotaReserved", "True", "QuotaReserved", "Quota reserved in ClusterQueue "+q.cluster, j.age-time.Second),
			note("Admitted", "True", "Admitted", "The workload is admitted", j.age-time.Second),
		}
	} else {
		status["conditions"] = []any{note("QuotaReserved", "False", "Pending", q.shortage(j, used), j.age-time.Second)}
		status["resourceRequests"] = requests
	}
	workloadUID := c.add(object{
		"apiVersion": kueueVersion, "kind": "Workload", "metadata": m,
		"spec":   object{"active": true, "podSets": sets, "priority": int64(j.priority), "priorityClassSource": "", "queueName": q.local},
		"status": status,
	})
	job := about{apiVersion: j.owner.apiVersion, kind: j.owner.kind, namespace: j.namespace, name: j.owner.name, uid: j.owner.uid}
	c.event(job, "kubeflow.org/pytorchjob-kueue-controller", "Normal", "CreatedWorkload", fmt.Sprintf("Created Workload: %s/%s", j.namespace, name), j.age, j.age, 1)
	if !j.admitted {
		of := about{apiVersion: kueueVersion, kind: "Workload", namespace: j.namespace, name: name, uid: workloadUID}
		c.event(of, "kueue-admission", "Warning", "Pending", q.shortage(j, used), j.age-time.Second, 2*time.Minute, 1+int(j.age/(10*time.Minute)))
	}
}

// shortage is the sentence of Kueue 0.10: each pod set is tried with those
// before it counted as placed.
func (q kueueQueue) shortage(j kueueJob, used int) string {
	var parts []string
	for _, s := range j.sets {
		used += s.count * s.gpus
		if used > q.gpus {
			parts = append(parts, fmt.Sprintf("couldn't assign flavors to pod set %s: insufficient unused quota for nvidia.com/gpu in flavor %s, %d more needed", s.name, q.flavor, used-q.gpus))
		}
	}
	if len(parts) == 0 {
		panic("the story lets " + j.owner.name + " wait, but its quota is free")
	}
	return strings.Join(parts, "; ")
}
