package generate

import (
	"fmt"
	"time"
)

// batchJob is a batch/v1 Job, alone or as a part of something else.
type batchJob struct {
	namespace, name    string
	owner              *owner
	container, image   string
	command            []any
	env                []any
	asks               map[string]string
	restart            string
	indexed            bool
	completions        int
	pods               []placed // by completion index
	extra, annotations map[string]string
	subdomain          string
	age                time.Duration
	suspended          bool
	completed          time.Duration
	jobLabels          map[string]string
}

func (c *cluster) batchJob(j batchJob) owner {
	own := owner{"batch/v1", "Job", j.name, uid("Job", j.namespace, j.name)}
	podLabels := merged(j.extra, map[string]string{
		"batch.kubernetes.io/controller-uid": own.uid, "batch.kubernetes.io/job-name": j.name, "controller-uid": own.uid, "job-name": j.name,
	})
	m := meta(j.namespace, j.name, j.age)
	m["uid"] = own.uid
	m["labels"] = labels(merged(j.extra, j.jobLabels))
	if len(j.extra) == 0 {
		m["labels"] = labels(merged(podLabels, j.jobLabels))
	}
	if j.owner != nil {
		m["ownerReferences"] = j.owner.refs()
	}
	if len(j.annotations) > 0 {
		m["annotations"] = labels(j.annotations)
	}
	mode := "NonIndexed"
	if j.indexed {
		mode = "Indexed"
	}
	template := (&pod{container: j.container, image: j.image, command: j.command, asks: j.asks}).template()
	if j.env != nil {
		template["env"] = j.env
	}
	podSpec := object{"containers": []any{template}, "restartPolicy": j.restart, "dnsPolicy": "ClusterFirst", "schedulerName": "default-scheduler", "securityContext": object{}, "terminationGracePeriodSeconds": int64(30)}
	if j.subdomain != "" {
		podSpec["subdomain"] = j.subdomain
	}
	c.add(object{
		"apiVersion": "batch/v1", "kind": "Job", "metadata": m,
		"spec": object{
			"backoffLimit": int64(6), "completionMode": mode, "completions": int64(j.completions), "parallelism": int64(j.completions),
			"manualSelector": false, "podReplacementPolicy": "TerminatingOrFailed", "suspend": j.suspended,
			"selector": object{"matchLabels": object{"batch.kubernetes.io/controller-uid": own.uid}},
			"template": object{"metadata": object{"labels": labels(podLabels), "annotations": labels(j.annotations)}, "spec": podSpec},
		},
		"status": j.status(),
	})
	for i, at := range j.pods {
		c.batchPod(j, own, podLabels, i, at)
	}
	return own
}

func (c *cluster) batchPod(j batchJob, own owner, podLabels map[string]string, index int, at placed) {
	p := pod{
		namespace: j.namespace, generated: j.name + "-", owner: own, labels: merged(podLabels), annotations: merged(j.annotations),
		image: j.image, container: j.container, command: j.command, env: j.env, asks: j.asks, restart: j.restart,
		node: at.node, state: at.state, age: at.age, finalizers: []any{"batch.kubernetes.io/job-tracking"},
	}
	if j.indexed {
		p.generated = fmt.Sprintf("%s-%d-", j.name, index)
		p.labels["batch.kubernetes.io/job-completion-index"] = fmt.Sprint(index)
		p.annotations["batch.kubernetes.io/job-completion-index"] = fmt.Sprint(index)
		p.env = append([]any{object{"name": "JOB_COMPLETION_INDEX", "valueFrom": object{"fieldRef": object{
			"apiVersion": "v1", "fieldPath": "metadata.labels['batch.kubernetes.io/job-completion-index']",
		}}}}, p.env...)
	}
	if p.age == 0 {
		p.age = j.age - time.Second
	}
	if at.state.word == ended {
		p.finalizers = nil
	}
	created := c.pod(p)
	of := about{apiVersion: "batch/v1", kind: "Job", namespace: j.namespace, name: j.name, uid: own.uid}
	c.event(of, "job-controller", "Normal", "SuccessfulCreate", "Created pod: "+created.name, p.age, p.age, 1)
}

func (j batchJob) status() object {
	status := object{"terminating": int64(0), "uncountedTerminatedPods": object{}, "ready": int64(0)}
	if j.suspended {
		cond := condition("Suspended", "True", "JobSuspended", "Job suspended", j.age)
		cond["lastProbeTime"] = cond["lastTransitionTime"]
		status["conditions"] = []any{cond}
		return status
	}
	status["startTime"] = ago(j.age)
	var active, ready, succeeded int64
	for _, at := range j.pods {
		switch at.state.word {
		case ended:
			succeeded++
		case runs:
			ready++
			active++
		default:
			active++
		}
	}
	status["ready"] = ready
	if active > 0 {
		status["active"] = active
	}
	if succeeded > 0 {
		status["succeeded"] = succeeded
	}
	if j.completed > 0 {
		status["completionTime"] = ago(j.completed)
		var conditions []any
		for _, kind := range []string{"SuccessCriteriaMet", "Complete"} {
			cond := condition(kind, "True", "CompletionsReached", "Reached expected number of succeeded pods", j.completed)
			cond["lastProbeTime"] = cond["lastTransitionTime"]
			conditions = append(conditions, cond)
		}
		status["conditions"] = conditions
	}
	return status
}
