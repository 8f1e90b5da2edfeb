package generate

import (
	"crypto/sha1"
	"fmt"
	"time"
)

// jobSet is a JobSet of one replicated job with one replica.
type jobSet struct {
	namespace, name, group string // group is the replicated job's name
	owner                  *owner
	container, image       string
	command                []any
	env                    []any
	asks                   map[string]string
	restart                string
	pods                   []placed
	age, begun             time.Duration // begun: the current attempt
	restarts, maxRestarts  int
	lastFailure            string // the event that explains the last restart
	jobLabels              map[string]string
}

func (c *cluster) jobSet(s jobSet) owner {
	if s.begun == 0 {
		s.begun = s.age
	}
	m := meta(s.namespace, s.name, s.age)
	if s.owner != nil {
		m["ownerReferences"] = s.owner.refs()
	}
	template := (&pod{container: s.container, image: s.image, command: s.command, asks: s.asks}).template()
	if s.env != nil {
		template["env"] = s.env
	}
	jobSpec := object{
		"completionMode": "Indexed", "completions": int64(len(s.pods)), "parallelism": int64(len(s.pods)),
		"template": object{"metadata": object{}, "spec": object{"containers": []any{template}, "restartPolicy": s.restart}},
	}
	spec := object{
		"network":        object{"enableDNSHostnames": true, "publishNotReadyAddresses": true},
		"startupPolicy":  object{"startupPolicyOrder": "AnyOrder"},
		"successPolicy":  object{"operator": "All"},
		"replicatedJobs": []any{object{"name": s.group, "groupName": "default", "replicas": int64(1), "template": object{"metadata": object{"labels": labels(s.jobLabels)}, "spec": jobSpec}}},
	}
	if s.maxRestarts > 0 {
		jobSpec["backoffLimit"] = int64(0)
		spec["failurePolicy"] = object{"maxRestarts": int64(s.maxRestarts), "restartStrategy": "Recreate"}
	}
	if s.owner != nil {
		spec["suspend"] = false
	}
	own := owner{"jobset.x-k8s.io/v1alpha2", "JobSet", s.name, uid("JobSet", s.namespace, s.name)}
	m["uid"] = own.uid
	status := object{"restarts": int64(s.restarts), "replicatedJobsStatus": s.counts()}
	if s.restarts > 0 {
		status["restartsCountTowardsMax"] = int64(s.restarts)
	}
	c.add(object{"apiVersion": own.apiVersion, "kind": own.kind, "metadata": m, "spec": spec, "status": status})
	marks := map[string]string{}
	key := fmt.Sprintf("%x", sha1.Sum([]byte(s.namespace+"/"+s.name+"-"+s.group+"-0")))
	for name, value := range map[string]string{
		"global-replicas": "1", "group-name": "default", "group-replicas": "1", "job-global-index": "0", "job-group-index": "0",
		"job-index": "0", "job-key": key, "jobset-name": s.name, "jobset-uid": own.uid, "replicatedjob-name": s.group,
		"replicatedjob-replicas": "1", "restart-attempt": fmt.Sprint(s.restarts),
	} {
		marks["jobset.sigs.k8s.io/"+name] = value
	}
	c.batchJob(batchJob{
		namespace: s.namespace, name: s.name + "-" + s.group + "-0", owner: &own, container: s.container, image: s.image,
		command: s.command, env: s.env, asks: s.asks, restart: s.restart, indexed: true, completions: len(s.pods), pods: s.pods,
		extra: marks, annotations: marks, jobLabels: s.jobLabels, subdomain: s.name, age: s.begun,
	})
	c.service(s.namespace, s.name, map[string]string{"jobset.sigs.k8s.io/jobset-name": s.name}, own, s.age)
	if s.lastFailure != "" {
		of := about{apiVersion: own.apiVersion, kind: own.kind, namespace: s.namespace, name: s.name, uid: own.uid}
		c.event(of, "jobset", "Warning", "RestartJobSetFailurePolicyAction", s.lastFailure, s.begun+2*time.Second, s.begun+2*time.Second, 1)
	}
	return own
}

// counts are the JobSet's counters, which count child Jobs and not pods.
func (s jobSet) counts() []any {
	ready := int64(1)
	for _, at := range s.pods {
		if at.state.word != runs {
			ready = 0
		}
	}
	return []any{object{"name": s.group, "active": int64(1), "ready": ready, "failed": int64(0), "succeeded": int64(0), "suspended": int64(0)}}
}

// trainJob is a TrainJob of the runtime torch-distributed.
type trainJob struct {
	namespace, name, image string
	command                []any
	asks                   map[string]string
	perNode                int // processes
	pods                   []placed
	age                    time.Duration
	progress               object // status.trainerStatus
}

func (c *cluster) trainJob(t trainJob) {
	own := owner{"trainer.kubeflow.org/v1alpha1", "TrainJob", t.name, uid("TrainJob", t.namespace, t.name)}
	m := meta(t.namespace, t.name, t.age)
	m["uid"] = own.uid
	set := jobSet{
		namespace: t.namespace, name: t.name, group: "node", owner: &own, container: "node", image: t.image, command: t.command,
		asks: t.asks, restart: "OnFailure", pods: t.pods, age: t.age,
		jobLabels: map[string]string{"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"},
		env: []any{
			object{"name": "PET_NNODES", "value": fmt.Sprint(len(t.pods))},
			object{"name": "PET_NPROC_PER_NODE", "value": fmt.Sprint(t.perNode)},
			object{"name": "PET_NODE_RANK", "valueFrom": object{"fieldRef": object{
				"apiVersion": "v1", "fieldPath": "metadata.annotations['batch.kubernetes.io/job-completion-index']",
			}}},
			object{"name": "PET_MASTER_ADDR", "value": fmt.Sprintf("%s-node-0-0.%s", t.name, t.name)},
			object{"name": "PET_MASTER_PORT", "value": "29500"},
		},
	}
	status := object{"jobsStatus": set.counts()}
	if t.progress != nil {
		status["trainerStatus"] = t.progress
	}
	c.add(object{
		"apiVersion": own.apiVersion, "kind": own.kind, "metadata": m,
		"spec": object{
			"managedBy":  "trainer.kubeflow.org/trainjob-controller",
			"runtimeRef": object{"apiGroup": "trainer.kubeflow.org", "kind": "ClusterTrainingRuntime", "name": "torch-distributed"},
			"suspend":    false,
			"trainer": object{
				"image": t.image, "command": t.command, "numNodes": int64(len(t.pods)), "numProcPerNode": int64(t.perNode),
				"resourcesPerNode": object{"limits": labels(t.asks), "requests": labels(t.asks)},
			},
		},
		"status": status,
	})
	c.jobSet(set)
}

// torchRuntime adds the runtime that trainer 2.1 installs for torchrun.
func (c *cluster) torchRuntime(age time.Duration) {
	m := meta("", "torch-distributed", age)
	m["labels"] = object{"trainer.kubeflow.org/framework": "torch"}
	c.add(object{
		"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "ClusterTrainingRuntime", "metadata": m,
		"spec": object{
			"mlPolicy": object{"numNodes": int64(1), "torch": object{"numProcPerNode": "auto"}},
			"template": object{"spec": object{"replicatedJobs": []any{object{
				"name": "node", "groupName": "default", "replicas": int64(1),
				"template": object{
					"metadata": object{"labels": object{"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
					"spec": object{"template": object{"spec": object{"containers": []any{object{
						"name": "node", "image": "pytorch/pytorch:2.7.1-cuda12.8-cudnn9-runtime",
					}}}}},
				},
			}}}},
		},
	})
}
