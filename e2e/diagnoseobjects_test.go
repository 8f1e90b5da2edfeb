package e2e

import (
	"context"
	"errors"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/train"
)

// objectProvocations show in objects before an event reports them, or where no
// event ever does: quota that is counted, names of missing objects, ports that
// two pods want.
func objectProvocations() []provocation {
	missing := func(name, field, class string, cause train.Cause, evidence, healed string) provocation {
		return provocation{
			name: name, nodes: 1, cause: cause, evidence: []string{evidence, field}, says: []string{class, "does not exist"},
			make: func(p *place) error {
				return p.apply(batchJob{pod: onPool + field + ": " + class + ","}.String())
			},
			heal: func(p *place) error { return both(p.apply(healed), p.retry) },
		}
	}
	meeting := batchJob{pod: "hostNetwork: true,", container: `env: [{name: MASTER_PORT, value: "29500"}],`}
	return []provocation{
		{
			name: "quota-counted", kind: "PyTorchJob", nodes: 1, cause: "resource-quota-exceeded", mild: true,
			evidence: []string{"asked 4 + used 4 > limit 6 of requests.nvidia.com/gpu", "spec.pytorchReplicaSpecs.Worker.template.spec"}, says: []string{"team", "kubectl describe"},
			make: func(p *place) error {
				held := holder(batchJob{container: asksGPUs(4)})
				if err := p.afterQuota("{apiVersion: v1, kind: ResourceQuota, metadata: {name: team}, spec: {hard: {requests.nvidia.com/gpu: 6}}}", held); err != nil {
					return err
				}
				return both(p.eventually("the holder is counted", p.quotaCounts), func() error { return p.plays().ApplyOwned(p.t.Context(), oneWorker) })
			},
			heal: func(p *place) error {
				return both(p.endJob("holder"), func() error {
					return p.eventually("the pod may be made", func(ctx context.Context) error { return p.plays().ApplyOwned(ctx, oneWorker+oneWorkersPod) })
				})
			},
		},
		{
			name: "webhook-nobody", kind: "PyTorchJob", nodes: 1, cause: "admission-webhook-down", mild: true,
			evidence: []string{"webhooks[policy.example.com].failurePolicy", "does not exist"}, says: []string{"the Service diag-webhook-nobody/policy does not exist", "The webhook is broken, not the job"},
			make: func(p *place) error {
				return both(p.apply(p.hook("{service: {name: policy, namespace: "+p.namespace()+"}}")), func() error { return p.plays().ApplyOwned(p.t.Context(), oneWorker+taken) })
			},
			heal: func(p *place) error {
				if err := p.remove("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", p.namespace()); err != nil {
					return err
				}
				return p.eventually("the pod may be made", func(ctx context.Context) error {
					return p.plays().ApplyOwned(ctx, oneWorker+taken+strings.ReplaceAll(oneWorkersPod, "quota-counted", p.name))
				})
			},
		},
		missing("no-runtime-class", "runtimeClassName", "diag-nvidia", "runtime-class-missing", `RuntimeClass "diag-nvidia" not found`,
			"{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: diag-nvidia}, handler: nvidia}"),
		missing("no-priority", "priorityClassName", "diag-gold", "admission-webhook-denied", "no PriorityClass with name diag-gold was found",
			"{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: diag-gold}, value: 10}"),
		{
			name: "cohort", nodes: 1, cause: "kueue-not-admitted", evidence: []string{"flavor h100 has 1 available", "cohort diag-cohort", "at most 2"}, says: []string{"no flavor can ever give more than 2", "Ask for less"},
			make: func(p *place) error { return p.plays().ApplyOwned(p.t.Context(), cohortOfTwo(1)+cohortJob("true", "")) },
			heal: func(p *place) error {
				return p.plays().ApplyOwned(p.t.Context(), cohortOfTwo(2)+cohortJob("false", admitted))
			},
		},
		{
			name: "same-port", nodes: 1, cause: "port-in-use", evidence: []string{"spec.hostNetwork", "MASTER_PORT=29500", "on the same node since before"}, says: []string{"Port 29500 of node diag-same-port-0", "another MASTER_PORT"},
			make: func(p *place) error {
				return both(p.apply(holder(meeting).String()), func() error {
					return both(p.eventually("the first has the port for a second", p.holderBegan), func() error {
						fails := meeting
						fails.pod, fails.job, fails.annotations = onPool+fails.pod, "backoffLimit: 0,", `e2e/exit: "1"`
						return p.apply(fails.String())
					})
				})
			},
			heal: func(p *place) error {
				return both(p.endJob("holder"), func() error {
					again := meeting
					again.pod = onPool + again.pod
					return p.replaceJob(again.String())
				})
			},
		},
	}
}

func (p *place) plays() operator.Operator {
	return operator.Operator{Cluster: cluster, Namespace: p.namespace()}
}

// quotaCounts holds once the quota has counted a pod.
func (p *place) quotaCounts(ctx context.Context) error {
	quota, err := cluster.Clients().CoreV1().ResourceQuotas(p.namespace()).Get(ctx, "team", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if used := quota.Status.Used["requests.nvidia.com/gpu"]; used.Value() != 4 {
		return fmt.Errorf("%s are used", used.String())
	}
	return nil
}

// holderBegan holds once the holder runs since a second that is over: times
// of pods are whole seconds.
func (p *place) holderBegan(ctx context.Context) error {
	pods, err := cluster.Clients().CoreV1().Pods(p.namespace()).List(ctx, metav1.ListOptions{LabelSelector: "batch.kubernetes.io/job-name=holder"})
	if err != nil {
		return err
	}
	if len(pods.Items) == 0 || pods.Items[0].Status.Phase != corev1.PodRunning {
		return errors.New("it does not run")
	}
	if second := metav1.Now().Rfc3339Copy(); !pods.Items[0].Status.StartTime.Before(&second) {
		return errors.New("it runs since this very second")
	}
	return nil
}

// oneWorker is a PyTorchJob of which no pod is there, oneWorkersPod its pod.
const (
	oneWorker = `
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: train}
spec:
  pytorchReplicaSpecs:
    Worker: {replicas: 1, restartPolicy: Never, template: {spec: {containers: [{name: pytorch, image: registry.example/pytorch:2.8, resources: {limits: {nvidia.com/gpu: 4}}}]}}}
`
	// taken is the status of a job that its operator has seen.
	taken = `status: {conditions: [{type: Created, status: "True", reason: PyTorchJobCreated, message: PyTorchJob train is created., lastTransitionTime: "2026-01-01T00:00:00Z"}]}
`
	oneWorkersPod = `---
apiVersion: v1
kind: Pod
metadata:
  name: train-worker-0
  annotations: {e2e/owner: PyTorchJob/train}
  labels: {training.kubeflow.org/job-name: train, training.kubeflow.org/operator-name: pytorchjob-controller, training.kubeflow.org/replica-type: worker, training.kubeflow.org/replica-index: "0"}
spec: {nodeSelector: {e2e/pool: quota-counted}, tolerations: [{key: e2e/pool, operator: Exists}], restartPolicy: Never, containers: [{name: pytorch, image: registry.example/pytorch:2.8, resources: {limits: {nvidia.com/gpu: 4}}}]}
`
)

// cohortOfTwo are two ClusterQueues of a cohort; the second lends what it has.
func cohortOfTwo(lends int) string {
	queue := `---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: %s}
spec: {cohortName: diag-cohort, resourceGroups: [{coveredResources: [nvidia.com/gpu], flavors: [{name: h100, resources: [{name: nvidia.com/gpu, nominalQuota: "%d"}]}]}]}
status: {conditions: [{type: Active, status: "True", reason: Ready, message: Can admit new workloads, lastTransitionTime: "2026-01-01T00:00:00Z"}], flavorsReservation: [{name: h100, resources: [{name: nvidia.com/gpu, total: "%d"}]}]}
`
	return fmt.Sprintf(queue, "diag-asks", 1, 1) + fmt.Sprintf(queue, "diag-lends", lends, 0) + `---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: team}
spec: {clusterQueue: diag-asks}
`
}

// cohortJob is a Job of three pods with a GPU each, and its Workload.
func cohortJob(suspended, conditions string) string {
	job := batchJob{labels: "kueue.x-k8s.io/queue-name: team", pods: 3, job: "suspend: " + suspended + ",", pod: "nodeSelector: {e2e/pool: cohort}, tolerations: [{key: e2e/pool, operator: Exists}],", container: asksGPUs(1)}
	return "---" + job.String() + fmt.Sprintf(`---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: job-train-4f2c1, annotations: {e2e/owner: Job/train}}
spec: {active: true, queueName: team, podSets: [{name: main, count: 3, template: {spec: {restartPolicy: Never, containers: [{name: pytorch, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]}}}]}
status: {conditions: [%s]}
`, conditions)
}
