package logfindings_test

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// TestPlainFailuresAreQuoted checks that a text which ends with a failure in words that
// nobody knows is quoted, as a possibility.
func TestPlainFailuresAreQuoted(t *testing.T) {
	for _, text := range []string{
		"[axolotl.scripts] [PID:8] printing prompters...\n Error invalid configuration argument at line 119 in file /src/csrc/ops.cu\n",     // axolotl-ai-cloud/axolotl#1527
		"[task 2025-01-21T17:12:18.382Z] [2025-01-21 17:10:38] Error: Curand error 203 - /src/tensors/rand.cpp:74: curandCreateGenerator\n", // mozilla/translations#1015
		"[2025-10-31 11:59:10,379 E 90 90] core_store.cc:513: Failed to register to the store: End of file id=01\n",                         // verl-project/verl#3972, shortened
		"[2023-09-25 15:53:27,994] [INFO] [RANK 0] Unable to load the state <path>, exiting. Specify --no-load-rng.\n",                      // THUDM/SwissArmyTransformer#137, shortened
		"time=\"2021-03-07T02:47:09Z\" level=debug msg=\"node xx-227 phase Running -> Failed\" namespace=argo\nwf: looked at\n",             // argoproj/argo-workflows#5321, shortened
		"status:\n  message: queue orbit is closed\n  phase: Failed\n  reason: OrbitRejected\n",
		"Stopping training due to an orbit that decays\n",
		"The replica worker-0 exited with a non-zero status of 1.\n",
		"booting the trainer\nthe orbit was rejected: has crashed twice\nsee above\n",
	} {
		found := diagnosed(text)
		if len(found) != 1 || found[0].Severity != train.SeverityInfo || found[0].Confidence != train.Possible || !strings.HasPrefix(found[0].Title, "Perhaps: ") {
			t.Errorf("%q: got %+v", text, found)
		}
	}
}

// TestBearableFailuresAreNotQuoted checks lines that name a failure which ends nothing, and
// failures in plain words that much follows.
func TestBearableFailuresAreNotQuoted(t *testing.T) {
	for _, text := range []string{
		"18/11/22 05:24:19 WARN util.NativeCodeLoader: Unable to load native-hadoop library for your platform... using builtin-java classes\n",
		"could not open the cache, falling back to memory\n",
		"orbit 3 cannot be opened, skipping it\n",
		"If the orbit is not found, build it first.\n",
		"summary: 12 passed, failed: 0, timeouts: 0\n",
		"raise ValueError(\"orbit not found\")\n",
		"Pods Statuses:  0 Running / 4 Succeeded / 3 Failed\n",
		"status:\n  failed: 1\n  phase: Failed\n",
		"missing ranks: set()\n",
		"Is the orbit not found?\n",
		"the orbit was not found\n" + strings.Repeat("preparing the data\n", 14),
		"step: 1 loss: 2.5\norbit not found\nstep: 2 loss: 2.25\nstep: 3 loss: 2.2\n",
	} {
		if found := diagnosed(text); len(found) > 0 {
			t.Errorf("%q: got %+v", text, found)
		}
	}
}

// TestMessageBelowItsException checks that the message of an exception may begin at the
// margin below it (nomic-ai/contrastors#60).
func TestMessageBelowItsException(t *testing.T) {
	found := diagnosed("gzip.py 507 read\nraise EOFError(\"Compressed file ended before the \"\nEOFError:\n\nCompressed file ended before the end-of-stream marker was reached\n")
	if len(found) != 1 || found[0].Cause != "python-exception" || !strings.Contains(found[0].Title, "Compressed file ended") {
		t.Errorf("got %+v", found)
	}
}
