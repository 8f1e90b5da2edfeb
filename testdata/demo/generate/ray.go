package generate

import (
	"fmt"
	"time"
)

// rayJob is a RayJob whose cluster has one group of workers.
type rayJob struct {
	namespace, name, group, entrypoint string
	headAsks, asks                     map[string]string
	head                               placed
	workers                            []placed
	age                                time.Duration
	gpus                               int // of one worker
}

const rayImage = "rayproject/ray:2.46.0"

func (c *cluster) rayJob(j rayJob) {
	own := owner{"ray.io/v1", "RayJob", j.name, uid("RayJob", j.namespace, j.name)}
	clusterName := j.name + "-raycluster-" + suffix(5, j.name)
	clusterSpec := j.clusterSpec()
	m := meta(j.namespace, j.name, j.age)
	m["uid"], m["finalizers"] = own.uid, []any{"ray.io/rayjob-finalizer"}
	c.add(object{
		"apiVersion": own.apiVersion, "kind": own.kind, "metadata": m,
		"spec": object{
			"backoffLimit": int64(0), "entrypoint": j.entrypoint, "rayClusterSpec": clusterSpec,
			"submissionMode": "K8sJobMode", "ttlSecondsAfterFinished": int64(0),
		},
		"status": object{
			"failed": int64(0), "succeeded": int64(0), "jobDeploymentStatus": "Initializing", "jobId": j.name + "-" + suffix(5, j.name, "id"),
			"rayClusterName": clusterName, "startTime": ago(j.age),
			"rayClusterStatus": object{"desiredCPU": "0", "desiredGPU": "0", "desiredMemory": "0", "desiredTPU": "0", "head": object{}},
		},
	})
	set := owner{"ray.io/v1", "RayCluster", clusterName, uid("RayCluster", j.namespace, clusterName)}
	headPod := c.rayPod(j, set, "head", "headgroup", clusterName+"-head-", j.head)
	ready := 0
	for _, at := range j.workers {
		c.rayPod(j, set, "worker", j.group, clusterName+"-"+j.group+"-worker-", at)
		if at.state.word == runs {
			ready++
		}
	}
	cm := meta(j.namespace, clusterName, j.age-time.Second)
	cm["uid"], cm["ownerReferences"] = set.uid, own.refs()
	cm["labels"] = object{"ray.io/originated-from-cr-name": j.name, "ray.io/originated-from-crd": "RayJob"}
	c.add(object{
		"apiVersion": set.apiVersion, "kind": set.kind, "metadata": cm, "spec": clusterSpec,
		"status": object{
			"availableWorkerReplicas": int64(ready), "readyWorkerReplicas": int64(ready), "desiredWorkerReplicas": int64(len(j.workers)),
			"minWorkerReplicas": int64(1), "maxWorkerReplicas": int64(len(j.workers)), "desiredGPU": fmt.Sprint(j.gpus * len(j.workers)),
			"desiredTPU": "0", "lastUpdateTime": ago(j.age - 20*time.Second), "observedGeneration": int64(1),
			"conditions": []any{
				condition("HeadPodReady", "True", "HeadPodRunningAndReady", "", j.age-20*time.Second),
				condition("RayClusterProvisioned", "False", "RayClusterPodsProvisioning", "RayCluster Pods are being provisioned for first time", j.age-time.Second),
				condition("RayClusterSuspended", "False", "RayClusterSuspended", "", j.age-time.Second),
				condition("RayClusterSuspending", "False", "RayClusterSuspending", "", j.age-time.Second),
			},
			"head": object{"podName": headPod.name, "serviceName": clusterName + "-head-svc"},
		},
	})
	c.service(j.namespace, clusterName+"-head-svc", map[string]string{"ray.io/cluster": clusterName, "ray.io/node-type": "head"}, set, j.age)
	of := about{apiVersion: own.apiVersion, kind: own.kind, namespace: j.namespace, name: j.name, uid: own.uid}
	c.event(of, "rayjob-controller", "Normal", "CreatedRayCluster", fmt.Sprintf("Created RayCluster %s/%s", j.namespace, clusterName), j.age-time.Second, j.age-time.Second, 1)
}

func (j rayJob) clusterSpec() object {
	template := func(name, image string, asks map[string]string) object {
		container := (&pod{container: name, image: image, asks: asks}).template()
		delete(container, "command")
		return object{"metadata": object{}, "spec": object{"containers": []any{container}}}
	}
	return object{
		"rayVersion":    "2.46.0",
		"headGroupSpec": object{"rayStartParams": object{}, "template": template("ray-head", rayImage, j.headAsks)},
		"workerGroupSpecs": []any{object{
			"groupName": j.group, "replicas": int64(len(j.workers)), "minReplicas": int64(1), "maxReplicas": int64(len(j.workers)),
			"numOfHosts": int64(1), "rayStartParams": object{}, "scaleStrategy": object{}, "template": template("ray-worker", rayImage+"-gpu", j.asks),
		}},
	}
}

func (c *cluster) rayPod(j rayJob, set owner, kind, group, generated string, at placed) *pod {
	p := pod{
		namespace: j.namespace, generated: generated, owner: set, image: rayImage, container: "ray-" + kind, restart: "Always",
		labels: map[string]string{
			"app.kubernetes.io/created-by": "kuberay-operator", "app.kubernetes.io/name": "kuberay",
			"ray.io/cluster": set.name, "ray.io/group": group, "ray.io/identifier": set.name + "-" + kind,
			"ray.io/is-ray-node": "yes", "ray.io/node-type": kind,
		},
		command: []any{"/bin/bash", "-lc", "--"}, asks: j.headAsks, node: at.node, state: at.state, age: j.age - 2*time.Second,
	}
	if kind == "worker" {
		p.image, p.asks = rayImage+"-gpu", j.asks
	}
	p.generated, p.name = "", generated+suffix(5, generated, len(c.pods))
	created := c.pod(p)
	created.generated = generated
	return created
}
