package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// gpuCluster is a cluster of nodes with eight GPUs each, all held by one pod,
// 64 pods to a job, with an exporter on each node.
type gpuCluster struct {
	store *Store
	now   time.Time
	nodes int
	every time.Duration
}

const everyNode = 15 * time.Second

func newGPUCluster(nodes int) *gpuCluster {
	c := &gpuCluster{now: instant, nodes: nodes, every: everyNode}
	c.store = New(func() time.Time { return c.now })
	var jobs, pods, all []kinds.Object
	for i := range nodes {
		if i%64 == 0 {
			jobs = append(jobs, pyTorchJob("ml", fmt.Sprintf("job-%03d", i/64), fmt.Sprintf("uid-%03d", i/64), 64))
		}
		job := pyTorchJob("ml", fmt.Sprintf("job-%03d", i/64), fmt.Sprintf("uid-%03d", i/64), 64)
		pods = append(pods, worker(job, i%64, nodeName(i)))
		all = append(all, gpuNode(nodeName(i), 8))
	}
	c.store.Apply(Listed{Kind: kinds.NodeKind, Objects: all}, Listed{Kind: kinds.PodKind, Objects: pods}, Listed{Kind: pyTorchKind, Objects: jobs}, live("kube"))
	return c
}

func nodeName(i int) string { return fmt.Sprintf("n%04d", i) }

// readings returns what the exporter of a node measures at an instant.
func (c *gpuCluster) readings(node int) []train.GPUReading {
	all := make([]train.GPUReading, 8)
	for gpu := range all {
		r := &all[gpu]
		r.At, r.GPU = c.now, train.GPU{
			Node: nodeName(node), Index: fmt.Sprint(gpu), UUID: fmt.Sprintf("GPU-%08x-%04d", node+1, gpu), Model: "NVIDIA H100 80GB HBM3",
			Namespace: "ml", Pod: fmt.Sprintf("job-%03d-worker-%d", node/64, node%64), Container: "pytorch",
		}
		wave := float64(c.now.Unix()/15%20 + int64(gpu))
		for q, value := range map[train.Quantity]float64{
			train.GPUUtilization: 97 - wave, train.GPUMemoryUsed: 71_000 + wave, train.GPUMemoryTotal: 81_559, train.GPUTemperature: 60 + wave,
			train.GPUPower: 600 + wave, train.GPUPowerLimit: 700, train.GPUSMClock: 1980, train.GPUTensorActive: 0.42, train.GPUXid: 0, train.GPUECCUncorrected: 0,
		} {
			r.Values.Set(q, value)
		}
	}
	return all
}

// scrape applies the current readings of a node's exporter.
func (c *gpuCluster) scrape(node int) { c.store.Apply(c.word(node)) }

func (c *gpuCluster) word(node int) Measured {
	return Measured{Source: fmt.Sprintf("exporter/dcgm-%d", node), Node: nodeName(node), Readings: c.readings(node), Every: c.every}
}

func (c *gpuCluster) scrapeAll() *Snapshot {
	for node := range c.nodes {
		c.scrape(node)
	}
	return c.store.Snapshot()
}

// prometheus applies the readings of all nodes in one event.
func (c *gpuCluster) prometheus() *Snapshot {
	var all []train.GPUReading
	for node := range c.nodes {
		all = append(all, c.readings(node)...)
	}
	c.store.Apply(Measured{Source: "prometheus", Readings: all, Every: everyNode})
	return c.store.Snapshot()
}

// The exporter of one of 1,024 nodes is read, and a snapshot is taken, with all
// GPUs in a list. Budget: 1 ms.
func BenchmarkOneNodeMeasured(b *testing.B) {
	for _, what := range []string{"snapshot", "AllGPUs", "GPUStates"} {
		b.Run(what, func(b *testing.B) {
			c := newGPUCluster(1024)
			c.every = time.Hour
			c.scrapeAll().AllGPUs()
			words := make([]Measured, 64)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if i%len(words) == 0 {
					b.StopTimer()
					c.now = c.now.Add(everyNode)
					for n := range words {
						words[n] = c.word(n)
					}
					b.StartTimer()
				}
				c.store.Apply(words[i%len(words)])
				s := c.store.Snapshot()
				switch {
				case what == "AllGPUs" && len(s.AllGPUs()) != 8192, what == "GPUStates" && len(s.GPUStates()) != 8192:
					b.Fatal(len(s.AllGPUs()))
				}
			}
		})
	}
}

// One response of Prometheus covers 8,192 GPUs.
func BenchmarkAllNodesMeasured(b *testing.B) {
	c := newGPUCluster(1024)
	c.prometheus()
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		c.now = c.now.Add(everyNode)
		var all []train.GPUReading
		for node := range c.nodes {
			all = append(all, c.readings(node)...)
		}
		b.StartTimer()
		c.store.Apply(Measured{Source: "prometheus", Readings: all, Every: everyNode})
		c.store.Snapshot()
	}
}

// One pod of 1,024 that hold measured GPUs changes.
func BenchmarkOnePodOfMeasuredGPUs(b *testing.B) {
	c := newGPUCluster(1024)
	c.scrapeAll().AllGPUs()
	pod := c.store.Snapshot().Pod("ml", "job-003-worker-5")
	b.ReportAllocs()
	for b.Loop() {
		c.store.Apply(setPod(pod))
		if got := len(c.store.Snapshot().AllGPUs()); got != 8192 {
			b.Fatal(got)
		}
	}
}

// A job of 512 GPUs after the exporter of one of its nodes was read.
func BenchmarkJobGPUs(b *testing.B) {
	c := newGPUCluster(64)
	for range 240 {
		c.now = c.now.Add(everyNode)
		c.scrapeAll()
	}
	mean, lowest := make([]float32, 30), make([]float32, 30)
	for _, what := range []string{"summary", "spark", "spark/again", "buckets"} {
		b.Run(what, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if what != "spark/again" {
					b.StopTimer()
					if i%64 == 0 {
						c.now = c.now.Add(everyNode)
					}
					c.scrape(i % 64)
					c.store.Snapshot()
					b.StartTimer()
				}
				s := c.store.last
				job := s.JobOf(kinds.PodKind, "ml", "job-000-worker-5")
				from := c.now.Truncate(time.Minute).Add(-29 * time.Minute)
				switch what {
				case "summary":
					if sum := s.JobGPUs(job); sum == nil || sum.Measured != 512 {
						b.Fatal(sum)
					}
				case "buckets":
					s.GPUBuckets("GPU-00000001-0000", train.GPUPower, from, time.Minute, mean)
				default:
					s.JobSpark(job, train.GPUUtilization, mean, lowest, from, time.Minute)
				}
			}
		})
	}
}
