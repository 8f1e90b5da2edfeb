package main

import (
	"context"
	"fmt"
	"time"

	"github.com/traintop/traintop/e2e/crds"
	"github.com/traintop/traintop/e2e/exporters"
)

const (
	nodeCount = 12
	// leadIn is how long the jobs of the beginning have run when it begins.
	leadIn = 100 * time.Second
	// lostNode is where all ranks of conformer-asr begin.
	lostNode = "gpu-11"
)

// setUp makes the nodes and the jobs that are there before the beginning.
func (s *stage) setUp(ctx context.Context) error {
	if _, err := s.cluster.ApplyObjects(ctx, crds.Objects(crds.All()...)...); err != nil {
		return err
	}
	for _, namespace := range []string{"foundation", "research", "speech", "vision", exporters.Namespace} {
		if err := s.cluster.CreateNamespace(ctx, namespace); err != nil {
			return err
		}
	}
	if err := s.cluster.CreateNodes(ctx, "gpu", nodeCount, gpusOfNode); err != nil {
		return err
	}
	if err := s.measure(ctx); err != nil {
		return err
	}
	s.startWatching(ctx)
	if err := s.seat(ctx); err != nil {
		return err
	}
	for _, j := range []*job{vit, clip, tts, sweep} {
		if err := s.submit(ctx, j); err != nil {
			return err
		}
	}
	if err := s.fillQueue(ctx); err != nil {
		return err
	}
	for _, j := range []*job{llama, mixtral, vit, clip, tts, sweep} {
		life, err := j.life()
		if err == nil {
			err = s.runs(ctx, j, life.Ranks)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *stage) startWatching(ctx context.Context) {
	ctx, s.cancel = context.WithCancel(ctx)
	s.running.Go(func() { s.watch(ctx) })
}

// measure puts an exporter on every node.
func (s *stage) measure(ctx context.Context) error {
	for i := range nodeCount {
		b := &boards{node: nodeName(i)}
		s.boards[b.node] = b
		exporter, err := exporters.Install(ctx, s.cluster, b.node, func() string { return s.page(b) })
		if err != nil {
			return err
		}
		s.exporters[b.node] = exporter
	}
	return nil
}

func nodeName(i int) string { return fmt.Sprintf("gpu-%d", i) }

// seat assigns the nodes to their pools, and starts the jobs that need certain
// nodes before others could use them.
func (s *stage) seat(ctx context.Context) error {
	for _, step := range []struct {
		pool        string
		first, last int
		jobs        []*job
		pods        int // of all of them
	}{
		{largePool, 0, 1, []*job{notebook}, 2},
		{largePool, 2, 7, []*job{llama, mixtral}, 0},
		{smallPool, 11, 11, []*job{conformer}, 8},
		{smallPool, 8, 10, nil, 0},
	} {
		for i := step.first; i <= step.last; i++ {
			if err := s.apply(ctx, fmt.Sprintf("{apiVersion: v1, kind: Node, metadata: {name: %s, labels: {pool: %s}}}", nodeName(i), step.pool)); err != nil {
				return err
			}
		}
		for _, j := range step.jobs {
			if err := s.submit(ctx, j); err != nil {
				return err
			}
			if err := s.runs(ctx, j, step.pods); err != nil {
				return err
			}
		}
	}
	return nil
}

// fillQueue has one job run in the queue and two wait in it.
func (s *stage) fillQueue(ctx context.Context) error {
	if err := s.queue(ctx, 2, 1, 4); err != nil {
		return err
	}
	if err := s.workload(ctx, sweep, admitted); err != nil {
		return err
	}
	for _, waits := range []struct {
		job     *job
		missing int
	}{{reward, 2}, {dpo, 3}} {
		if err := s.enqueue(ctx, waits.job); err != nil {
			return err
		}
		if err := s.workload(ctx, waits.job, waiting(waits.missing)); err != nil {
			return err
		}
		sleep(ctx, 2*time.Second) // older Workloads come first, and Kubernetes counts seconds
	}
	return nil
}
