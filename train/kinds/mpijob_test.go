package kinds

import (
	"os"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// TestMPIJobOfTheTrainingOperator reads one with its pods: workers are the ranks, and the
// launcher is one where its limits name a GPU.
func TestMPIJobOfTheTrainingOperator(t *testing.T) {
	text, err := os.ReadFile("testdata/objects/mpijob-v1-running.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const launcher = "containers: [{name: mpi, image: hvd, command: [mpirun]}]"
	asks := strings.Replace(string(text), launcher, "containers: [{name: mpi, image: hvd, resources: {limits: {nvidia.com/gpu: 8}}}]", 1)
	for name, c := range map[string]struct {
		text, ranks string
		gpus        int
	}{
		"a launcher alone": {string(text), "0 Worker-0 hvd-worker-0\n1 Worker-1 hvd-worker-1\n2 Launcher-0 hvd-launcher", 16},
		"one with GPUs":    {asks, "0 Launcher-0 hvd-launcher\n1 Worker-0 hvd-worker-0\n2 Worker-1 hvd-worker-1", 24},
		"one with GPUs of v2beta1": {strings.Replace(asks, "apiVersion: kubeflow.org/v1\n  kind: MPIJob\n  metadata", "apiVersion: kubeflow.org/v2beta1\n  kind: MPIJob\n  metadata", 1),
			"0 Worker-0 hvd-worker-0\n1 Worker-1 hvd-worker-1\n2 Launcher-0 hvd-launcher", 24},
	} {
		c2, err := parseCluster([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		jobs := c2.jobs()
		if len(jobs) != 1 || jobs[0].Phase != train.Running || jobs[0].GPUs != c.gpus || ranksOf(jobs[0]) != c.ranks {
			t.Errorf("%s: %s\n%s", name, rows(jobs), ranksOf(jobs[0]))
		}
	}
}
