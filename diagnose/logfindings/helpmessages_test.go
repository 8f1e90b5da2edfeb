package logfindings_test

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// TestHelpMessagesAreReadAsAWhole checks messages of Open MPI 5 and PRRTE 4
// (help-prte-rmaps-base.txt, help-plm-base.txt, help-hostfile.txt, help-mpi-runtime.txt and
// others), and rules of hyphens that are none.
func TestHelpMessagesAreReadAsAWhole(t *testing.T) {
	rule := strings.Repeat("-", 74)
	for text, want := range map[string]train.Cause{
		"mpirun has detected an attempt to run as root.\n\nRunning as root is *strongly* discouraged as any mistake (e.g., in\ndefining TMPDIR) or bug can result in catastrophic damage to the OS\nfile system, leaving your system in an unusable state.": "application-error",
		"The value of the MCA parameter \"plm_ssh_agent\" was set to a path\nthat could not be found:\n\n  plm_ssh_agent: ssh : rsh\n\nPlease either unset the parameter, or check that the path is correct":                                                "mpi-launcher-ssh-failure",
		"A request was made to bind a process, but at least one node does NOT\nsupport binding processes to cpus.\n\n  Node:  worker-1":                                                                                                                     "application-error",
		"At least one of the requested hosts is not included in the current\nallocation.\n\n   Missing requested host: worker-9":                                                                                                                            "application-error",
		"WARNING: A user-supplied value attempted to set a variable that is set\nin the override variable file (openmpi-mca-params-override.conf). The\nuser-supplied value was not set, the process goes on.":                                              "",
		"There was an error registering software performance counters (SPCs) as\nMPI_T performance variables. Your job will continue, but SPCs will be\ndisabled for MPI_T.":                                                                                "",
		"epoch 3 of 10, all is well\nnothing to see": "",
		"Open MPI requested a shared memory segment that was too small to do\nanything useful.  This is likely an error in Open MPI itself.": "shm-too-small",
		"PRTE was unable to open the hostfile:\n    /etc/mpi/hostfile\nCheck to make sure the path and filename are correct.":                "application-error",
	} {
		found := diagnosed("INFO start\n" + rule + "\n" + text + "\n" + rule + "\n")
		switch {
		case want == "" && len(found) > 0:
			t.Errorf("%q: got %+v", text, found)
		case want != "" && (len(found) == 0 || found[0].Cause != want):
			t.Errorf("%q: got %+v, want %s", text, found, want)
		}
	}
}
