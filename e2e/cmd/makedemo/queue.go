package main

import (
	"context"
	"fmt"
	"time"
)

// The queue of the research team: the visible part of Kueue 0.10.0, played.
const (
	queueName  = "research"
	queueQuota = 4 // GPUs
)

// Kueue's conditions of a job that does not wait.
const (
	admitted = "admitted"
	finished = "finished"
)

// waiting is why a Workload has no quota yet.
func waiting(missing int) string {
	return fmt.Sprintf("couldn't assign flavors to pod set worker: insufficient unused quota for nvidia.com/gpu in flavor h100, %d more needed", missing)
}

// queue writes the queue with so many jobs that wait in it and so many that
// have their quota.
func (s *stage) queue(ctx context.Context, pending, admitted, gpus int) error {
	return s.apply(ctx, fmt.Sprintf(`
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: %[1]s}
spec: {queueingStrategy: BestEffortFIFO, resourceGroups: [{coveredResources: [nvidia.com/gpu], flavors: [{name: h100, resources: [{name: nvidia.com/gpu, nominalQuota: %[2]d}]}]}]}
status:
  pendingWorkloads: %[3]d
  admittedWorkloads: %[4]d
  reservingWorkloads: %[4]d
  flavorsReservation: [{name: h100, resources: [{name: nvidia.com/gpu, total: %[5]d, borrowed: 0}]}]
  flavorsUsage: [{name: h100, resources: [{name: nvidia.com/gpu, total: %[5]d, borrowed: 0}]}]
  conditions: [{type: Active, status: "True", reason: Ready, message: Can admit new workloads}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: %[1]s, namespace: %[1]s}
spec: {clusterQueue: %[1]s}
status: {pendingWorkloads: %[3]d, admittedWorkloads: %[4]d, reservingWorkloads: %[4]d}
`, queueName, queueQuota, pending, admitted, gpus))
}

// conditionsOf are those of the Workload of a job that is admitted, finished,
// or waits.
func conditionsOf(says string) string {
	now := time.Now().UTC().Format(time.RFC3339)
	condition := func(kind, status, reason, message string) string {
		return fmt.Sprintf("{type: %s, status: %q, reason: %s, message: %q, lastTransitionTime: %q}", kind, status, reason, message, now)
	}
	if says != admitted && says != finished {
		return condition("QuotaReserved", "False", "Pending", says)
	}
	all := condition("QuotaReserved", "True", "QuotaReserved", "Quota reserved in ClusterQueue "+queueName) + ", " +
		condition("Admitted", "True", "Admitted", "The workload is admitted")
	if says == finished {
		all += ", " + condition("Finished", "True", "Succeeded", "Job finished successfully")
	}
	return all
}

// workload writes Kueue's status of a job: why it waits, admitted or finished.
func (s *stage) workload(ctx context.Context, j *job, says string) error {
	life, err := j.life()
	if err != nil {
		return err
	}
	owner, err := s.get(ctx, j, life.Object)
	if err != nil {
		return err
	}
	return s.apply(ctx, fmt.Sprintf(`
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata:
  name: %[1]s-4f2c1
  namespace: %[2]s
  ownerReferences: [{apiVersion: %[3]s, kind: %[4]s, name: %[1]s, uid: %[5]s, controller: true, blockOwnerDeletion: true}]
spec: {active: true, priority: 0, queueName: %[6]s, podSets: [{name: worker, count: %[7]d, template: {spec: {containers: [{name: train, image: %[8]q, resources: {requests: {nvidia.com/gpu: %[9]d}}}]}}}]}
status: {conditions: [%[10]s]}
`, j.name, j.namespace, owner.GetAPIVersion(), owner.GetKind(), owner.GetUID(), queueName, life.Ranks, j.image, j.gpus, conditionsOf(says)))
}
