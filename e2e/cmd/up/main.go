// Command up starts the control plane that the tests use and keeps it up, for
// looking at traintop by hand: every resource definition, a dozen GPU nodes,
// and sample jobs of different kinds in varied states, whose pods print logs and
// whose GPUs are measured.
//
//	go run ./cmd/up                        prints the kubeconfig's path, waits for ctrl-c
//	go run ./cmd/up -jobs 1000 -ranks 10   adds that many PyTorchJobs
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/crds"
	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/e2e/samples"
	"github.com/traintop/traintop/e2e/training"
)

func main() {
	jobs := flag.Int("jobs", 0, "how many PyTorchJobs to add to the samples")
	ranks := flag.Int("ranks", 10, "how many ranks each of them has")
	dir := flag.String("dir", "", "folder for state, logs and the kubeconfig, kept at the end (default a temporary one)")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := up(ctx, *dir, *jobs, *ranks); err != nil {
		fmt.Fprintln(os.Stderr, "up:", err)
		os.Exit(1)
	}
}

func up(ctx context.Context, dir string, jobs, ranks int) error {
	say := func(text string) { fmt.Fprintln(os.Stderr, text) }
	cluster, err := controlplane.Start(ctx, controlplane.Options{Dir: dir, Progress: say})
	if err != nil {
		return err
	}
	say("control plane is up; making nodes and jobs")
	if err := fill(ctx, cluster, jobs, ranks); err != nil {
		return errors.Join(err, cluster.Stop())
	}
	if err := measure(ctx, cluster); err != nil {
		say("no exporters of GPU metrics: " + err.Error())
	}
	if err := equip(ctx, cluster); err != nil {
		say("no nvidia-smi in the ranks: " + err.Error())
	}
	fmt.Println("export KUBECONFIG=" + cluster.Kubeconfig)
	say("the pods print what training jobs print; ml/gpt-16 has sixteen ranks, of which one crashes and comes back. ctrl-c ends it")
	err = training.Trainer{Cluster: cluster, Crashes: "ml/gpt-16-worker-6", After: 90 * time.Second}.Run(ctx)
	return errors.Join(err, cluster.Stop())
}

func fill(ctx context.Context, cluster *controlplane.ControlPlane, jobs, ranks int) error {
	if _, err := cluster.ApplyObjects(ctx, crds.Objects(crds.All()...)...); err != nil {
		return err
	}
	if err := samples.Create(ctx, cluster); err != nil {
		return err
	}
	if jobs == 0 {
		return nil
	}
	nodes := (jobs*ranks + 7) / 8
	if err := cluster.CreateNodes(ctx, "fleet", nodes, 8); err != nil {
		return err
	}
	return operator.Fleet{Namespace: "fleet", Jobs: jobs, RanksPerJob: ranks, NodePrefix: "fleet", Nodes: nodes}.Create(ctx, cluster)
}
