// Package samples fills a control plane with a small cluster to look at: a
// dozen nodes and jobs of every kind in common states.
package samples

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/operator"
)

// jobs are objects that need no operator beyond what they state themselves.
//
//go:embed jobs.yaml
var jobs string

// sixteen is a job of sixteen ranks on two nodes of its own.
//
//go:embed sixteen.yaml
var sixteen string

// Create makes the nodes and jobs. Every kind of job runs in namespace "kinds";
// "ml" and "research" hold the jobs of jobs.yaml.
func Create(ctx context.Context, cluster *controlplane.ControlPlane) error {
	if err := cluster.CreateNodes(ctx, "gpu", 12, 8); err != nil {
		return err
	}
	for _, namespace := range []string{"kinds", "ml", "research"} {
		if err := cluster.CreateNamespace(ctx, namespace); err != nil {
			return err
		}
	}
	if err := brokenNodes(ctx, cluster); err != nil {
		return err
	}
	if err := everyKind(ctx, operator.Operator{Cluster: cluster, Namespace: "kinds"}); err != nil {
		return err
	}
	if err := cluster.CreateNodes(ctx, "h100", 2, 8); err != nil {
		return err
	}
	plays := operator.Operator{Cluster: cluster, Namespace: "ml"}
	if err := plays.ApplyOwned(ctx, sixteen); err != nil {
		return err
	}
	return plays.ApplyOwned(ctx, jobs)
}

func everyKind(ctx context.Context, plays operator.Operator) error {
	for _, kind := range operator.Kinds() {
		life, err := kind.Life(kind.SampleName())
		if err != nil {
			return err
		}
		if err := plays.Create(ctx, life); err != nil {
			return fmt.Errorf("make a sample %s: %w", kind.Kind, err)
		}
		if err := plays.Run(ctx, life); err != nil {
			return fmt.Errorf("run a sample %s: %w", kind.Kind, err)
		}
	}
	return nil
}

// brokenNodes leaves one node cordoned and tainted and one that stopped answering.
func brokenNodes(ctx context.Context, cluster *controlplane.ControlPlane) error {
	_, err := cluster.Apply(ctx, `
apiVersion: v1
kind: Node
metadata: {name: gpu-10}
spec: {unschedulable: true, taints: [{key: nvidia.com/gpu-health, value: xid-79, effect: NoSchedule}]}
---
apiVersion: v1
kind: Node
metadata: {name: gpu-11, annotations: {e2e/not-ready: ""}}
status:
  conditions: [{type: Ready, status: "False", reason: KubeletNotReady, message: "container runtime network not ready: cni plugin not initialized", lastHeartbeatTime: "2026-01-01T00:00:00Z", lastTransitionTime: "2026-01-01T00:00:00Z"}]
`)
	return err
}
