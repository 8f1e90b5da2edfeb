package kinds

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/train"
)

// Roles of Ray that the spec does not name.
const (
	rayHead         = "head"
	raySubmitter    = "submitter"
	rayRedisCleanup = "redis-cleanup"
)

// readRayJob reads a RayJob (ray-project/kuberay ray-operator/apis/ray/v1).
// The RayCluster that it created has the current sizes: an autoscaler changes
// the cluster and not the RayJob (kuberay #4190).
func readRayJob(f *Family) *specAndStatus {
	top := fieldsOf(f.Top)
	spec, status := top.in("spec"), top.in("status")
	cluster := rayClusterOf(f, status.text("rayClusterName"))
	clusterSpec := spec.in("rayClusterSpec")
	if own := cluster.in("spec"); own != nil {
		clusterSpec = own
	}
	a := &specAndStatus{
		position:       rayPosition,
		operatorStatus: rayJobWord(spec, status),
		suspended:      spec.flag("suspend") || raySuspended(status.text("jobDeploymentStatus")),
		untouched:      len(status) == 0,
		restarts:       status.count("failed", 0),
		started:        status.when("startTime"),
		finished:       status.when("endTime"),
	}
	clusterStatus := cluster.in("status")
	if clusterStatus == nil {
		clusterStatus = status.in("rayClusterStatus")
	}
	a.unstarted = f.Top != nil && a.operatorStatus.phase == ""
	rayGroups(a, clusterSpec, clusterStatus)
	if a.operatorStatus.phase == train.Failed && a.restarts > 0 {
		a.restarts-- // the last failure was not retried
	}
	return a
}

func rayClusterOf(f *Family, name string) fields {
	isCluster := func(o *unstructured.Unstructured) bool {
		return o.GroupVersionKind().GroupKind() == rayClusterKind && (name == "" || o.GetName() == name)
	}
	if cluster := newest(f, isCluster); cluster != nil {
		return fieldsOf(cluster)
	}
	if f.Find == nil || name == "" {
		return nil
	}
	// with spec.clusterSelector the cluster is not owned
	cluster, _ := f.Find(rayClusterKind, f.Ref.Namespace, name)
	return fieldsOf(cluster)
}

// rayJobWord joins Ray's own status (jobStatus) with KubeRay's
// (jobDeploymentStatus).
func rayJobWord(spec, status fields) operatorStatus {
	job, deployment := status.text("jobStatus"), status.text("jobDeploymentStatus")
	w := operatorStatus{reason: status.text("reason"), message: status.text("message"), at: status.when("endTime")}
	switch deployment {
	case "Failed", "ValidationFailed":
		w.phase = train.Failed
	case "Complete":
		w.phase = train.Failed
		if job == "SUCCEEDED" || job == "" {
			w.phase = train.Succeeded
		}
	case "Retrying":
		w.phase = train.Restarting
	case "Running":
		w.phase = rayRunning(job, status.count("failed", 0), spec.count("backoffLimit", 0))
	case "Initializing", "Waiting", "Scheduled", "Suspending", "Suspended":
		// jobStatus may be that of the attempt before
	default: // KubeRay reports nothing, or a status of another release: only Ray's status is left
		w.phase = rayRunning(job, 0, 0)
	}
	if w.phase == "" && w.message == "" && deployment != "" {
		w.message = "Ray has not started the job yet (deployment status " + deployment + ")"
	}
	return w
}

// rayRunning returns the phase for deployment status Running, which lags
// behind Ray's own status.
func rayRunning(job string, failed, limit int) train.Phase {
	switch job {
	case "RUNNING":
		return train.Running
	case "SUCCEEDED":
		return train.Succeeded
	case "STOPPED":
		return train.Failed
	case "FAILED":
		if failed >= limit {
			return train.Failed
		}
		return train.Restarting
	}
	return ""
}

func raySuspended(deployment string) bool {
	return deployment == "Suspended" || deployment == "Suspending"
}

// readRayCluster reads a RayCluster. Its state stays "ready" once it was, so
// the pods decide (kuberay #2188).
func readRayCluster(f *Family) *specAndStatus {
	top := fieldsOf(f.Top)
	spec, status := top.in("spec"), top.in("status")
	a := &specAndStatus{
		position:  rayPosition,
		suspended: spec.flag("suspend"),
		untouched: len(status) == 0,
		general:   true,
	}
	if c, known := conditionOf(status, "RayClusterSuspended"); status.text("state") == "suspended" && (!known || c.holds) {
		a.suspended = true // the state outlasts the suspension
	}
	if c, suspended := holding(status, "RayClusterSuspended", "RayClusterSuspending"); suspended {
		a.suspended, a.operatorStatus = true, operatorStatusOf("", c)
	}
	switch status.text("state") {
	case "failed":
		a.operatorStatus = operatorStatus{phase: train.Failed, message: status.text("reason")}
	case "ready":
		a.operatorStatus = operatorStatus{phase: train.Running}
	default:
		if c, failing := holding(status, "ReplicaFailure"); failing {
			a.operatorStatus = operatorStatusOf("", c)
		}
	}
	if c, provisioned := holding(status, "RayClusterProvisioned"); provisioned {
		a.started = c.at
		if status.text("state") == "" {
			a.operatorStatus = operatorStatusOf(train.Running, c)
		}
	}
	rayGroups(a, spec, status)
	return a
}

// rayGroups adds head and worker groups; wanted pods are replicas times hosts.
func rayGroups(a *specAndStatus, spec, status fields) {
	a.roles = append(a.roles,
		role{name: raySubmitter, aside: true, container: "ray-job-submitter", assumed: true},
		role{name: rayRedisCleanup, aside: true, assumed: true})
	if spec == nil {
		return
	}
	headReady := 0
	if _, ready := holding(status, "HeadPodReady"); ready || status.text("state") == "ready" {
		headReady = 1
	}
	readyWorkers := status.count("readyWorkerReplicas", status.count("availableWorkerReplicas", 0))
	a.alive = readyWorkers
	a.roles = append(a.roles, role{
		name: rayHead, wanted: 1, ready: headReady, assumed: true,
		template: spec.in("headGroupSpec", "template"), container: "ray-head",
	})
	least, most := 1, 1
	for _, group := range spec.items("workerGroupSpecs") {
		hosts := group.count("numOfHosts", 1)
		low, high := group.count("minReplicas", 0), group.count("maxReplicas", maxCount)
		wanted := times(min(max(group.count("replicas", 0), low), max(high, low)), hosts)
		if group.flag("suspend") {
			wanted = 0
		}
		least, most = least+times(low, hosts), most+times(max(high, low), hosts)
		ready := min(readyWorkers, wanted)
		readyWorkers -= ready
		a.roles = append(a.roles, role{
			name: group.text("groupName"), wanted: wanted, ready: ready, assumed: true,
			template: group.in("template"), container: "ray-worker",
		})
	}
	if spec.flag("enableInTreeAutoscaling") {
		a.elastic = &train.Elastic{Min: least, Max: clamp(int64(most))}
	}
}

// rayPosition returns a pod's group; the pods of a group have no numbers, except
// on several hosts.
func rayPosition(pod *corev1.Pod) rankPosition {
	switch pod.Labels["ray.io/node-type"] {
	case "head":
		return rankPosition{role: rayHead, index: -1}
	case "worker":
		return rankPosition{role: pod.Labels["ray.io/group"], index: -1}
	case "":
		return rankPosition{role: raySubmitter, index: -1}
	}
	return rankPosition{role: pod.Labels["ray.io/node-type"], index: -1}
}
