package e2e

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/e2e/controlplane"
)

// otherTests are run against other releases of Kubernetes: what traintop lists,
// watches, streams, records, explains and changes.
var otherTests = []string{
	"TestEveryKindThroughItsLife", "TestRankStates", "TestLogsOfLives", "TestCurvesOfAJob", "TestCausesProvokedAndHealed", "TestSchedulerMessageIsTheReason",
	"TestARealJobIsSuspendedAndResumed", "TestJobsAreDeletedWithEachPropagation", "TestDefinitionInstalledWhileRunning", "TestAnyResourceOnAScreen",
	"TestARecordedLifeIsAsItWasSeen", "TestUserOfOneNamespace", "TestExecInContainer", "TestAPortIsForwarded", "TestServerKilledAndRestarted",
	"TestWaitMissesNoFastJob", "TestWatchSendsOneNoticeForALostNode",
}

// TestSlowOtherKubernetes runs them against one release after the other, each on a
// control plane of its own, which a run of this test program starts.
func TestSlowOtherKubernetes(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a control plane of each release, and builds what is not built yet")
	}
	program, err := os.Executable()
	must(t, err)
	for _, release := range controlplane.OtherKubernetes {
		t.Run(release, func(t *testing.T) {
			run := exec.CommandContext(t.Context(), program, "-test.short", "-test.v", "-test.timeout=30m", "-test.run=^("+strings.Join(otherTests, "|")+")$")
			run.Env = append(os.Environ(), kubernetesVariable+"="+release)
			run.Cancel, run.WaitDelay = func() error { return run.Process.Signal(os.Interrupt) }, time.Minute
			said, err := run.CombinedOutput()
			if err != nil {
				t.Fatalf("against Kubernetes %s: %v\n%s", release, err, said)
			}
			for _, name := range otherTests {
				if !strings.Contains(string(said), "--- PASS: "+name+" ") {
					t.Errorf("%s did not run against Kubernetes %s", name, release)
				}
			}
		})
	}
}
