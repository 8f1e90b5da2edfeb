package diagnose

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// A list that does not end may hold as many pods of one rank as it likes: the work
// grows with their number, and not with its square.
func TestManyPodsOfOneRank(t *testing.T) {
	diagnosed := func(pods int) time.Duration {
		c := newCluster(t)
		c.node("gpu-0", 8)
		c.job(1, runs)
		for i := range pods {
			c.worker(0, running("gpu-0", 5), func(p *corev1.Pod) { p.Name, p.UID = fmt.Sprintf("copy-%d", i), types.UID(fmt.Sprintf("copy-%d", i)) })
		}
		began := time.Now()
		report := Run(c.snapshot(), Options{}, nil)
		if len(report.Jobs()) == 0 {
			t.Error("there is no answer")
		}
		return time.Since(began)
	}
	diagnosed(100)
	for range 3 { // a machine with other work may be slow once
		few, many := diagnosed(2_000), diagnosed(32_000)
		t.Logf("2,000 pods took %s and 32,000 pods %s", few, many)
		if many <= 16*4*few+time.Second {
			return
		}
	}
	t.Error("16 times as many pods took more than 64 times as long")
}
