package prometheus

import (
	"cmp"
	"context"
	"fmt"
	"net/netip"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// foreign finds the machines of readings that this cluster is known not to have.
// A machine is ours as well where a pod of this cluster holds one of its GPUs.
func foreign(ours Inventory, has func(string) bool, gpus []train.GPU) map[string]bool {
	strange := map[string]bool{}
	for i := range gpus {
		machine := machineOf(&gpus[i])
		if _, isAddress := netip.ParseAddr(machine); machine == "" || isAddress == nil {
			continue // exporters that know no name may be anywhere
		}
		known, judged := strange[machine]
		switch {
		case !judged:
			strange[machine] = !has(machine) && nodeOf(ours, machine) == "" && !ours.HasPod(gpus[i].Namespace, gpus[i].Pod)
		case known && ours.HasPod(gpus[i].Namespace, gpus[i].Pod):
			strange[machine] = false
		}
	}
	return strange
}

func machineOf(g *train.GPU) string { return cmp.Or(g.Node, g.Host) }

// dropForeign leaves out the GPUs of machines that this cluster does not have,
// and notes how many: a server may hold another cluster, or several without a
// label that distinguishes them. The first round waits for the list of nodes.
func (r *session) dropForeign(ctx context.Context, readings []train.GPUReading) []train.GPUReading {
	r.foreign, r.foreignMachines = "", nil
	if r.source.options.Inventory == nil {
		return readings
	}
	gpus := make([]train.GPU, len(readings))
	for i := range readings {
		gpus[i] = readings[i].GPU
	}
	ours := r.source.options.Inventory()
	has, pending := ours.Machines()
	for waited := time.Duration(0); pending && r.rounds == 0 && waited < inventoryWait && len(gpus) > 0 && ctx.Err() == nil; waited += inventoryStep {
		sleep(ctx, inventoryStep)
		ours = r.source.options.Inventory()
		has, pending = ours.Machines()
	}
	if has == nil {
		return readings
	}
	r.foreignMachines = foreign(ours, has, gpus)
	kept, example, machines := readings[:0], "", map[string]bool{}
	for i := range readings {
		machine := machineOf(&readings[i].GPU)
		if !r.foreignMachines[machine] {
			kept = append(kept, readings[i])
			continue
		}
		machines[machine] = true
		if example == "" || machine < example {
			example = machine
		}
	}
	if left := len(readings) - len(kept); left > 0 {
		r.foreign = fmt.Sprintf("left out: %s on %s that this cluster does not have, such as %s, so the server holds series of another cluster; set match under prometheus in the configuration, such as cluster=\"NAME\" (docs/configuration.md)",
			termtext.Count(left, "GPU"), termtext.Count(len(machines), "machine"), oneLine(example))
	}
	return kept
}
