package e2e

import (
	"github.com/traintop/traintop/train"
)

const onPool = "POOL,"

// holder is another job that holds resources of a place's nodes.
func holder(job batchJob) batchJob {
	job.name, job.pod = "holder", onPool+job.pod
	return job
}

// scheduleProvocations leave pods without a node: the real scheduler reports
// why.
func scheduleProvocations() []provocation {
	endHolder := func(p *place) error { return p.endJob("holder") }
	crowd := func(name string, cause train.Cause, held, wanted batchJob, evidence, says string) provocation {
		wanted.pod = onPool + wanted.pod
		return provocation{
			name: name, nodes: 1, cause: cause, evidence: []string{evidence}, says: []string{says}, heal: endHolder,
			make: func(p *place) error {
				return both(p.apply(holder(held).String()), func() error {
					return both(p.running("holder"), func() error { return p.apply(wanted.String()) })
				})
			},
		}
	}
	return []provocation{
		{
			name: "never-fits", nodes: 1, cause: "insufficient-gpu", evidence: []string{"Insufficient nvidia.com/gpu", "nodes →"}, says: []string{"the largest node has 8", "can never fit", "at most 8"},
			make: func(p *place) error { return p.apply(batchJob{pod: onPool, container: asksGPUs(64)}.String()) },
			heal: func(p *place) error {
				return p.replaceJob(batchJob{pod: onPool, pods: 1, container: asksGPUs(8)}.String())
			},
		},
		crowd("fits-when", "insufficient-gpu", batchJob{container: asksGPUs(6)}, batchJob{container: asksGPUs(4)}, "diag-fits-when-0 2 of 8", "Wait for diag-fits-when/Job/holder to end: it holds 6 nvidia.com/gpu on diag-fits-when-0"),
		{
			name: "scattered", nodes: 2, cause: "insufficient-gpu", evidence: []string{"diag-scattered-0 3 of 8", "diag-scattered-1 3 of 8"}, says: []string{"6 nvidia.com/gpu are free, scattered over 2 nodes"},
			make: func(p *place) error {
				return both(p.apply(holder(batchJob{container: asksGPUs(5), pods: 2}).String()), func() error {
					return both(p.allRun("holder", 2), func() error { return p.apply(batchJob{pod: onPool, container: asksGPUs(6)}.String()) })
				})
			},
			heal: endHolder,
		},
		{
			name: "no-device", nodes: 1, cause: "device-plugin-missing", evidence: []string{"amd.com/gpu is offered by no node"}, says: []string{"No node offers amd.com/gpu", "device plugin"},
			make: func(p *place) error {
				return p.apply(batchJob{pod: onPool, container: asks("amd.com/gpu: 1")}.String())
			},
			heal: func(p *place) error {
				return p.patch("v1", "Node", p.node(0), "status: {capacity: {amd.com/gpu: 8}, allocatable: {amd.com/gpu: 8}}", "status")
			},
		},
		{
			name: "selector", nodes: 1, cause: "node-selector-mismatch", evidence: []string{"didn't match Pod's node affinity/selector"}, says: []string{"e2e/accelerator=b300"},
			make: func(p *place) error {
				return p.apply(batchJob{pod: tolerant + "nodeSelector: {e2e/accelerator: b300},"}.String())
			},
			heal: func(p *place) error {
				return p.patch("v1", "Node", p.node(0), "metadata: {labels: {e2e/accelerator: b300}}")
			},
		},
		{
			name: "taint", nodes: 1, cause: "untolerated-taint", evidence: []string{"untolerated taint"}, says: []string{"e2e/pool"},
			make: func(p *place) error {
				return p.apply(batchJob{pod: "nodeSelector: {e2e/pool: taint}, tolerations: [{key: e2e/other, operator: Exists}],"}.String())
			},
			heal: func(p *place) error {
				return p.patch("v1", "Node", p.node(0), "spec: {taints: [{key: e2e/other, effect: NoSchedule}]}")
			},
		},
		{
			name: "cordoned", nodes: 1, cause: "node-unschedulable", evidence: []string{"unschedulable"}, says: []string{"diag-cordoned-0", "kubectl uncordon diag-cordoned-0"},
			make: func(p *place) error {
				return both(p.patch("v1", "Node", p.node(0), "spec: {unschedulable: true}"), func() error { return p.apply(batchJob{pod: onPool}.String()) })
			},
			heal: func(p *place) error { return p.patch("v1", "Node", p.node(0), "spec: {unschedulable: null}") },
		},
		{
			name: "not-ready", nodes: 1, cause: "node-not-ready", evidence: []string{"diag-not-ready-0", "container runtime network not ready"}, says: []string{"not well", "kubectl describe node diag-not-ready-0"},
			make: func(p *place) error {
				return both(p.breakNode("False", "KubeletNotReady", "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin not initialized"), func() error {
					return both(p.eventually("the node is tainted", p.isTainted), func() error { return p.apply(batchJob{pod: onPool}.String()) })
				})
			},
			heal: (*place).repairNode,
		},
		crowd("cpu", "insufficient-cpu", batchJob{container: asks("cpu: 180")}, batchJob{container: asks("cpu: 32")}, "Insufficient cpu", "cpu"),
		crowd("memory", "insufficient-memory", batchJob{container: asks("memory: 1900Gi")}, batchJob{container: asks("memory: 512Gi")}, "Insufficient memory", "memory"),
		crowd("too-many", "too-many-pods", batchJob{}, batchJob{pods: 110}, "Too many pods", "pods"),
		crowd("host-port", "host-port-conflict", batchJob{container: "ports: [{containerPort: 29500, hostPort: 29500}],"}, batchJob{container: "ports: [{containerPort: 29500, hostPort: 29500}],"}, "didn't have free ports", "port"),
		{
			name: "neighbours", nodes: 1, cause: "pod-affinity-conflict", evidence: []string{"anti-affinity"}, says: []string{"neighbouring pods"},
			make: func(p *place) error {
				return p.apply(batchJob{pods: 2, pod: onPool + "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {batch.kubernetes.io/job-name: train}}}]}},"}.String())
			},
			heal: func(p *place) error { return p.addNode(1, 8) },
		},
		{
			name: "gate", nodes: 1, cause: "scheduling-gate", evidence: []string{"example.com/dataset-staged"}, says: []string{"example.com/dataset-staged"}, mild: true,
			make: func(p *place) error {
				return p.apply(batchJob{pod: onPool + "schedulingGates: [{name: example.com/dataset-staged}],"}.String())
			},
			heal: func(p *place) error {
				return both(p.eventually("the pod is there", p.hasPods), func() error { return p.patchPods("spec: {schedulingGates: null}") })
			},
		},
		{
			name: "preempted", nodes: 1, cause: "pod-preempted", evidence: []string{"Preempted"}, says: []string{"higher priority"},
			make: func(p *place) error {
				return both(p.apply(batchJob{pod: onPool, container: asksGPUs(8)}.String()), func() error {
					return both(p.running("train"), func() error {
						urgent := batchJob{name: "holder", pod: onPool + "priorityClassName: diag-urgent,", container: asksGPUs(8)}
						return p.apply("{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: diag-urgent}, value: 1000}", urgent.String())
					})
				})
			},
			heal: endHolder,
		},
	}
}

// tolerant is for pods that choose their nodes otherwise.
const tolerant = "tolerations: [{key: " + poolLabel + ", operator: Exists}],"
