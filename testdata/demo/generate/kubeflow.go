package generate

import (
	"fmt"
	"strings"
	"time"
)

// kubeflowJob is a job of the training-operator (kubeflow.org/v1) or, as an
// MPIJob, of the mpi-operator.
type kubeflowJob struct {
	kind, namespace, name string
	field                 string // of spec, that holds the roles: "pytorchReplicaSpecs"
	container, image      string
	command               []any
	asks                  map[string]string
	roles                 []role
	age                   time.Duration
	queue                 string        // of Kueue
	elastic               object        // spec.elasticPolicy
	claim, missingClaim   string        // the volume that every pod mounts
	running               time.Duration // since when the operator says so, 0 for never
	failed                string        // the message of the condition Failed
	failedAt              time.Duration
	restarting            string // the message of the condition Restarting
	restartingAt          time.Duration
	succeededAt           time.Duration // 0 for not
	suspended             bool
	silent                bool // the operator has written no status
	refused               string
}

// role is one of a job's roles; wanted may exceed the pods there are.
type role struct {
	name, restart string
	wanted        int
	asks          map[string]string // the job's unless given
	pods          []placed
}

// placed is one pod of a role.
type placed struct {
	node  string
	state state
	age   time.Duration // the job's unless given
}

// on puts pods that run, one each, on nodes.
func on(since time.Duration, nodes ...string) []placed {
	var all []placed
	for _, node := range nodes {
		all = append(all, placed{node: node, state: state{word: runs, since: since}})
	}
	return all
}

// waiting are pods that no node takes.
func waiting(count int) []placed {
	var all []placed
	for range count {
		all = append(all, placed{state: state{word: waitsForNode}})
	}
	return all
}

// kubeflow adds the job, its pods, their services and the operator's events.
func (c *cluster) kubeflow(j kubeflowJob) owner {
	m := meta(j.namespace, j.name, j.age)
	if j.queue != "" {
		m["labels"] = object{"kueue.x-k8s.io/queue-name": j.queue}
	}
	specs := object{}
	for _, r := range j.roles {
		template := (&pod{container: j.container, image: j.image, command: j.command, asks: r.asksOr(j.asks)}).template()
		podSpec := object{"containers": []any{template}}
		if claim := j.claim + j.missingClaim; claim != "" {
			template["volumeMounts"] = []any{object{"name": "data", "mountPath": "/data"}}
			podSpec["volumes"] = []any{object{"name": "data", "persistentVolumeClaim": object{"claimName": claim}}}
		}
		specs[r.name] = object{
			"replicas": int64(r.wanted), "restartPolicy": r.restart,
			"template": object{"metadata": object{}, "spec": podSpec},
		}
	}
	spec := object{j.field: specs, "runPolicy": object{"suspend": j.suspended}}
	if j.elastic != nil {
		spec["elasticPolicy"], spec["nprocPerNode"] = j.elastic, "auto"
	}
	o := object{"apiVersion": "kubeflow.org/v1", "kind": j.kind, "metadata": m, "spec": spec}
	if !j.silent {
		o["status"] = j.status()
	}
	own := owner{"kubeflow.org/v1", j.kind, j.name, c.add(o)}
	rank := 0
	for _, r := range j.roles {
		for i, at := range r.pods {
			c.kubeflowPod(j, own, r, i, rank, at)
			rank++
		}
	}
	c.kubeflowEvents(j, own)
	return own
}

func (r role) asksOr(job map[string]string) map[string]string {
	if r.asks != nil {
		return r.asks
	}
	return job
}

func (j kubeflowJob) controller() string { return strings.ToLower(j.kind) + "-controller" }

func (j kubeflowJob) status() object {
	list := []any{}
	add := func(kind, status, reason, message string, age time.Duration) {
		cond := condition(kind, status, j.kind+reason, message, age)
		cond["lastUpdateTime"] = cond["lastTransitionTime"]
		list = append(list, cond)
	}
	title := j.kind + " " + j.name
	add("Created", "True", "Created", title+" is created.", j.age)
	if j.suspended {
		add("Suspended", "True", "Suspended", title+" is suspended.", j.age)
		return object{"conditions": list}
	}
	if j.queue != "" {
		add("Suspended", "False", "Resumed", title+" is resumed.", j.age-time.Second)
	}
	over := j.failed != "" || j.succeededAt > 0
	if j.running > 0 {
		status := "True"
		if over {
			status = "False"
		}
		if j.restarting == "" { // Restarting takes the place of Running
			add("Running", status, "Running", title+" is running.", j.running)
		}
	}
	if j.restarting != "" {
		add("Restarting", "True", "Restarting", j.restarting, j.restartingAt)
	}
	status := object{"startTime": ago(j.age)}
	if j.failed != "" {
		add("Failed", "True", "Failed", j.failed, j.failedAt)
		status["completionTime"] = ago(j.failedAt)
	}
	if j.succeededAt > 0 {
		add("Succeeded", "True", "Succeeded", fmt.Sprintf("%s %s/%s successfully completed.", j.kind, j.namespace, j.name), j.succeededAt)
		status["completionTime"] = ago(j.succeededAt)
	}
	status["conditions"], status["replicaStatuses"] = list, j.replicaStatuses()
	return status
}

func (j kubeflowJob) replicaStatuses() object {
	all := object{}
	for _, r := range j.roles {
		counts := map[string]int64{}
		for _, at := range r.pods {
			switch {
			case at.state.word == ended && at.state.exit == 0, j.succeededAt > 0:
				counts["succeeded"]++
			case at.state.word == ended:
				counts["failed"]++
			case at.state.word == runs, at.state.word == crashes, at.state.word == isLost:
				counts["active"]++
			}
		}
		one := object{}
		for name, count := range counts {
			one[name] = count
		}
		if counts["active"] > 0 {
			one["selector"] = fmt.Sprintf("training.kubeflow.org/job-name=%s,training.kubeflow.org/operator-name=%s,training.kubeflow.org/replica-type=%s",
				j.name, j.controller(), strings.ToLower(r.name))
		}
		all[r.name] = one
	}
	return all
}

func (c *cluster) kubeflowPod(j kubeflowJob, own owner, r role, index, rank int, at placed) {
	lower := strings.ToLower(r.name)
	p := pod{
		namespace: j.namespace, name: fmt.Sprintf("%s-%s-%d", j.name, lower, index), owner: own,
		labels: map[string]string{
			"training.kubeflow.org/job-name": j.name, "training.kubeflow.org/operator-name": j.controller(),
			"training.kubeflow.org/replica-index": fmt.Sprint(index), "training.kubeflow.org/replica-type": lower,
		},
		image: j.image, container: j.container, command: j.command, asks: r.asksOr(j.asks), restart: r.restart,
		claim: j.claim, missingClaim: j.missingClaim, node: at.node, state: at.state, age: at.age,
		env: j.env(r, index, rank),
	}
	if lower == "master" || lower == "chief" {
		p.labels["training.kubeflow.org/job-role"] = "master"
	}
	if r.restart == "ExitCode" {
		p.restart = "Never" // the operator replaces the pod instead
	}
	if p.age == 0 {
		p.age = j.age - time.Second
	}
	if j.kind == "PyTorchJob" && lower == "worker" && j.elastic == nil {
		p.init = object{
			"name": "init-pytorch", "image": "alpine:3.10", "imagePullPolicy": "IfNotPresent",
			"command": []any{"sh", "-c", fmt.Sprintf("err=1;for i in $(seq 100); do if nslookup %s-master-0; then err=0 && break; fi;echo waiting for master; sleep 2; done; exit $err", j.name)},
			"resources": object{
				"limits": object{"cpu": "100m", "memory": "20Mi"}, "requests": object{"cpu": "50m", "memory": "10Mi"},
			},
			"terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
		}
	}
	c.pod(p)
	c.service(j.namespace, p.name, p.labels, own, p.age)
}

// env is what the training-operator puts into the containers.
func (j kubeflowJob) env(r role, index, rank int) []any {
	total := 0
	for _, r := range j.roles {
		total += r.wanted
	}
	pairs := [][2]string{}
	switch {
	case j.kind == "PyTorchJob" && j.elastic != nil:
		pairs = [][2]string{
			{"PYTHONUNBUFFERED", "1"}, {"PET_NPROC_PER_NODE", "auto"}, {"PET_RDZV_BACKEND", "c10d"},
			{"PET_RDZV_ENDPOINT", j.name + "-worker-0:23456"}, {"PET_MAX_RESTARTS", fmt.Sprint(j.elastic["maxRestarts"])},
			{"PET_NNODES", fmt.Sprintf("%v:%v", j.elastic["minReplicas"], j.elastic["maxReplicas"])},
		}
	case j.kind == "PyTorchJob":
		master := j.name + "-master-0"
		pairs = [][2]string{
			{"PYTHONUNBUFFERED", "1"}, {"MASTER_PORT", "23456"}, {"PET_MASTER_PORT", "23456"},
			{"MASTER_ADDR", master}, {"PET_MASTER_ADDR", master}, {"WORLD_SIZE", fmt.Sprint(total)},
			{"RANK", fmt.Sprint(rank)}, {"PET_NODE_RANK", fmt.Sprint(rank)}, {"PET_NPROC_PER_NODE", "auto"}, {"PET_NNODES", fmt.Sprint(total)},
		}
	case j.kind == "XGBoostJob":
		pairs = [][2]string{
			{"MASTER_PORT", "9999"}, {"MASTER_ADDR", j.name + "-master-0"}, {"WORLD_SIZE", fmt.Sprint(total)}, {"RANK", fmt.Sprint(rank)},
		}
	case j.kind == "JAXJob":
		pairs = [][2]string{
			{"PYTHONUNBUFFERED", "1"}, {"COORDINATOR_PORT", "6666"}, {"COORDINATOR_ADDRESS", j.name + "-worker-0"},
			{"NUM_PROCESSES", fmt.Sprint(total)}, {"PROCESS_ID", fmt.Sprint(index)},
		}
	case j.kind == "TFJob":
		pairs = [][2]string{{"TF_CONFIG", j.tfConfig(r, index)}}
	}
	var env []any
	for _, pair := range pairs {
		env = append(env, object{"name": pair[0], "value": pair[1]})
	}
	return env
}

func (j kubeflowJob) tfConfig(own role, index int) string {
	var cluster []string
	for _, r := range j.roles {
		var hosts []string
		for i := range r.wanted {
			hosts = append(hosts, fmt.Sprintf(`"%s-%s-%d.%s.svc:2222"`, j.name, strings.ToLower(r.name), i, j.namespace))
		}
		cluster = append(cluster, fmt.Sprintf("%q:[%s]", strings.ToLower(r.name), strings.Join(hosts, ",")))
	}
	return fmt.Sprintf(`{"cluster":{%s},"task":{"type":%q,"index":%d},"environment":"cloud"}`,
		strings.Join(cluster, ","), strings.ToLower(own.name), index)
}

// service adds the headless service by which the others find a pod or a job.
func (c *cluster) service(namespace, name string, selector map[string]string, own owner, age time.Duration) {
	m := meta(namespace, name, age)
	delete(m, "generation")
	m["ownerReferences"] = own.refs()
	c.add(object{
		"apiVersion": "v1", "kind": "Service", "metadata": m,
		"spec":   object{"type": "ClusterIP", "clusterIP": "None", "clusterIPs": []any{"None"}, "selector": labels(selector)},
		"status": object{"loadBalancer": object{}},
	})
}

func (c *cluster) kubeflowEvents(j kubeflowJob, own owner) {
	of := about{apiVersion: own.apiVersion, kind: own.kind, namespace: j.namespace, name: j.name, uid: own.uid}
	from := j.controller()
	for _, r := range j.roles {
		for i, at := range r.pods {
			name := fmt.Sprintf("%s-%s-%d", j.name, strings.ToLower(r.name), i)
			age := at.age
			if age == 0 {
				age = j.age - time.Second
			}
			c.event(of, from, "Normal", "SuccessfulCreatePod", "Created pod: "+name, age, age, 1)
			if at.state.word == ended {
				c.event(of, from, "Normal", "ExitedWithCode", fmt.Sprintf("Pod: %s.%s exited with code %d", j.namespace, name, at.state.exit), at.state.since, at.state.since, 1)
			}
		}
	}
	if j.failed != "" {
		c.event(of, from, "Normal", j.kind+"Failed", j.failed, j.failedAt, j.failedAt, 1)
	}
	if j.restarting != "" {
		c.event(of, from, "Warning", j.kind+"Restarting", j.restarting, j.restartingAt, j.restartingAt, 1)
	}
	if j.refused != "" {
		c.event(of, from, "Warning", "FailedCreatePod", j.refused, j.age-2*time.Second, 40*time.Second, 21)
	}
}
