package kinds

import "testing"

// Words about trouble in the status of a job are kept where no reader knows them.
func TestWordsOfAStatusThatNobodyKnows(t *testing.T) {
	const pytorch = "{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j}, spec: {pytorchReplicaSpecs: {Master: {}}}, status: {conditions: ["
	const volcano = "{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: j}, spec: {tasks: [{name: worker, replicas: 1}]}, status: {state: {phase: "
	for top, want := range map[string]string{
		pytorch + "{type: Created, status: 'True'}, {type: Degraded, status: 'True', reason: Broken, message: the storage is gone}]}}": "the condition Degraded holds: Broken: the storage is gone",
		pytorch + "{type: Ready, status: 'True', reason: StorageLost}]}}":                                                              "the condition Ready holds: StorageLost",
		pytorch + "{type: Degraded, status: 'False', reason: Broken}, {type: Created, status: 'True', message: no error}]}}":           "",
		pytorch + "{type: Running, status: 'True', reason: PyTorchJobRunning}]}}":                                                      "",
		pytorch + "{type: Failed, status: 'True', reason: PyTorchJobFailed}, {type: Degraded, status: 'True'}]}}":                      "",
		volcano + "NovelPhase}}}": `status.state.phase is "NovelPhase"`,
		volcano + "Pending}}}":    "",
		volcano + "Aborted}}}":    "",
		volcano + "Running}}}":    "",
	} {
		if got := Assemble(familyOf(t, top)).UnknownStatus; got != want {
			t.Errorf("%s: %q, want %q", top, got, want)
		}
	}
}
