package logfindings_test

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// Descriptions of jobs count pods that failed: github.com/kubeflow/trainer/issues/881,
// kubernetes/kubernetes/issues/96630, pieterlange/kube-backup/issues/71. A job that
// succeeded after all, or whose pods run, is none of trouble.
func TestDescribedJobsCountFailedPods(t *testing.T) {
	for text, title := range map[string]string{
		"Status:\n  Conditions:\n    Reason:                TFJobRunning\n    Status:                True\n    Type:                  Running\n  Tf Replica Statuses:\n    PS:\n      Failed:  1\n    Worker:\n      Active:  2\n": "1 of the pods of role PS failed",
		"status:\n  replicaStatuses:\n    Master:\n      active: 1\n    Worker:\n      active: 1\n      failed: 2\n  startTime: t\n":                                                                                               "2 of the pods of role Worker failed",
		"Parallelism:    1\nCompletions:    4\nPods Statuses:  0 Running / 2 Succeeded / 3 Failed\n":                                                                                                                               "3 of the pods of the job failed, and none runs",
		"Completions:    1\nPods Statuses:    0 Active (0 Ready) / 0 Succeeded / 7 Failed\n":                                                                                                                                       "7 of the pods of the job failed, and none runs",
		"Completions:    4\nPods Statuses:  0 Running / 4 Succeeded / 3 Failed\n":                                                                                                                                                  "",
		"Completions:    1\nPods Statuses:    1 Active (1 Ready) / 0 Succeeded / 2 Failed\n":                                                                                                                                       "",
		"Pods Statuses:  0 Running / 2 Succeeded / 3 Failed\n":                                                                                                                                                                     "",
		"status:\n  conditions:\n  - status: \"True\"\n    type: Succeeded\n  replicaStatuses:\n    Worker:\n      failed: 1\n      succeeded: 1\n":                                                                                "",
		"status:\n  failed: 1\n  succeeded: 1\n":                                                                                                                                                                                   "",
		"  Replica Statuses:\n    Worker:\n      Active:  2\nEvents:\n  Worker:\n    Failed:  1\n":                                                                                                                                 "",
	} {
		found := diagnosed(text)
		switch {
		case title == "" && len(found) > 0:
			t.Errorf("%q: got %+v", text, found)
		case title != "" && (len(found) != 1 || found[0].Title != title || found[0].Cause != "application-error" || found[0].Confidence != train.Possible):
			t.Errorf("%q: got %+v", text, found)
		}
	}
}

// A node that was not ready and is again, as its events show, is well:
// github.com/Azure/acs-engine/issues/4236.
func TestANodeThatIsReadyAgainIsWell(t *testing.T) {
	const lost = "  Normal  NodeNotReady             23m                kubelet, vmss0     Node vmss0 status is now: NodeNotReady\n"
	for text, severity := range map[string]train.Severity{
		lost: train.SeverityError,
		lost + "  Normal  NodeReady                22m                kubelet, vmss0     Node vmss0 status is now: NodeReady\n": train.SeverityInfo,
		lost + "  Normal  NodeReady                22m                kubelet, vmss1     Node vmss1 status is now: NodeReady\n": train.SeverityError,
		lost + "  Normal  NodeReady                40m                kubelet, vmss0     Node vmss0 status is now: NodeReady\n": train.SeverityError,
	} {
		if found := diagnosed(text); len(found) != 1 || found[0].Cause != "node-not-ready" || found[0].Severity != severity {
			t.Errorf("%q: got %+v", text, found)
		}
	}
}

// An event that reports recovery is about its own object: a job that got its pods later, or
// has completed, has room in the quota, and a pod whose deletion was cancelled has its node
// (events of kube-controller-manager's job and taint eviction controllers).
func TestEventsHealTheirOwnObject(t *testing.T) {
	const (
		quota = "12m  Warning  FailedCreate  job/sweep  Error creating: pods \"sweep-0-x7k2p\" is forbidden: exceeded quota: q, requested: requests.nvidia.com/gpu=8, used: requests.nvidia.com/gpu=8, limited: requests.nvidia.com/gpu=8\n"
		node  = "12m  Warning  NodeNotReady  pod/bert-0  Node is not ready\n"
		name  = "Name:  sweep\nEvents:\n"
		inJob = "  Warning  FailedCreate  12m  job-controller  Error creating: pods \"sweep-0-x7k2p\" is forbidden: exceeded quota: q, requested: pods=1, used: pods=8, limited: pods=8\n"
	)
	for text, severity := range map[string]train.Severity{
		quota: train.SeverityError,
		quota + "5m  Normal  SuccessfulCreate  job/sweep  Created pod: sweep-0-9zk4m\n":            train.SeverityInfo,
		quota + "5m  Normal  SuccessfulCreate  job.batch/sweep  Created pod: sweep-0-9zk4m\n":      train.SeverityInfo,
		quota + "5m  Normal  SuccessfulCreate  job/other  Created pod: other-0-9zk4m\n":            train.SeverityError,
		quota + "12m  Normal  SuccessfulCreate  job/sweep  Created pod: sweep-1-9zk4m\n":           train.SeverityError, // the quota had room for one
		quota + "20m  Normal  SuccessfulCreate  job/sweep  Created pod: sweep-1-9zk4m\n":           train.SeverityError,
		quota + "5m  Normal  SuccessfulCreatePod  pytorchjob/sweep  Created pod: sweep-master-0\n": train.SeverityError,
		quota + "5m  Normal  SuccessfulCreateService  job/sweep  Created service: sweep-0\n":       train.SeverityError,
		quota + "1m  Normal  Completed  job/sweep  Job completed\n":                                train.SeverityInfo,
		quota + "1m  Normal  Completed  job/other  Job completed\n":                                train.SeverityError,
		name + inJob: train.SeverityError,
		name + inJob + "1m  Normal  Completed  job/sweep  Job completed\n":                            train.SeverityInfo,
		name + inJob + "  Normal  SuccessfulCreate  5m  job-controller  Created pod: sweep-0-9zk4m\n": train.SeverityInfo,
		node: train.SeverityError,
		node + "10m  Normal  TaintManagerEviction  pod/bert-0  Cancelling deletion of Pod ml/bert-0\n": train.SeverityInfo,
		node + "10m  Normal  TaintManagerEviction  pod/bert-1  Cancelling deletion of Pod ml/bert-1\n": train.SeverityError,
		node + "11m  Normal  NodeReady  node/gpu-3  Node gpu-3 status is now: NodeReady\n":             train.SeverityError, // perhaps another node
	} {
		if found := diagnosed(text); len(found) != 1 || found[0].Severity != severity {
			t.Errorf("%q: want %s, got %+v", text, severity, found)
		}
	}
}

// A condition Failed is reported for an object of any kind:
// github.com/kubeflow/katib/issues/848. One that is no longer true, and an object that
// came to a good end, are none of trouble.
func TestAFailedConditionOfAnyKindIsReported(t *testing.T) {
	const running = "kind: Trial\nstatus:\n  conditions:\n  - lastTransitionTime: 2019-10-02T14:24:36Z\n    message: Trial is running\n    reason: TrialRunning\n    status: \"False\"\n    type: Running\n"
	for text, title := range map[string]string{
		running + "  - lastTransitionTime: 2019-10-02T14:24:36Z\n    message: Trial has failed\n    reason: TrialFailed\n    status: \"True\"\n    type: Failed\n":                                            "An object has the condition Failed, TrialFailed: Trial has failed",
		"Status:\n  Conditions:\n    Last Transition Time:  t\n    Message:               given up\n    Reason:                Stopped\n    Status:                True\n    Type:                  Failed\n": "An object has the condition Failed, Stopped: given up",
		running: "",
		running + "  - message: Trial has failed\n    reason: TrialFailed\n    status: \"False\"\n    type: Failed\n":                                         "",
		running + "  - message: m\n    reason: Tried\n    status: \"True\"\n    type: Failed\n  - message: well\n    status: \"True\"\n    type: Succeeded\n": "",
		"status:\n  conditions:\n  - status: \"True\"\nmore text\n    type: Failed\n":                                                                         "",
	} {
		found := diagnosed(text)
		switch {
		case title == "" && len(found) > 0:
			t.Errorf("%q: got %+v", text, found)
		case title != "" && (len(found) != 1 || found[0].Title != title || found[0].Confidence != train.Possible):
			t.Errorf("%q: got %+v", text, found)
		}
	}
}

// A device plugin that failed first, and registered at a later try, is well.
// github.com/NVIDIA/k8s-device-plugin/issues/679
func TestAPluginThatRegistersLaterIsWell(t *testing.T) {
	failed := "E0423 06:04:56.558122      39 main.go:301] Failed to start plugin: error waiting for MPS daemon: exit status 1\n"
	registered := "I0423 06:05:27.558122      39 server.go:147] Registered device plugin for 'nvidia.com/gpu' with Kubelet\n"
	for text, want := range map[string]train.Severity{failed: train.SeverityError, registered + failed: train.SeverityError, failed + registered: train.SeverityInfo} {
		if found := diagnosed(text); len(found) != 1 || found[0].Cause != "device-plugin-missing" || found[0].Severity != want {
			t.Errorf("%s: %+v, want %s", text, found, want)
		}
	}
}
