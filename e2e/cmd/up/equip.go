package main

import (
	"context"
	_ "embed" // the script
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/traintop/traintop/e2e/controlplane"
)

//go:embed nvidia-smi.sh
var nvidiaSMI string

// bare is the rank of gpt-16 whose image has no nvidia-smi.
const bare = "gpt-16-worker-7"

// equip puts an nvidia-smi into the ranks of gpt-16, which reports the same
// board as the exporter of the node.
func equip(ctx context.Context, cluster *controlplane.ControlPlane) error {
	for _, node := range []string{"h100-0", "h100-1"} {
		all, err := boards(ctx, cluster, node, 8)
		if err != nil {
			return err
		}
		for _, gpu := range all {
			if gpu.Namespace != "ml" || !strings.HasPrefix(gpu.Pod, "gpt-16-") || gpu.Pod == bare {
				continue
			}
			line := fmt.Sprintf("%s 00000000:0%s:00.0 %.0f %.2f\n", gpu.UUID, gpu.Index, gpu.Values["DCGM_FI_DEV_GPU_UTIL"], gpu.Values["DCGM_FI_DEV_POWER_USAGE"])
			if err := equipPod(ctx, cluster, gpu.Pod, line); err != nil {
				return err
			}
		}
	}
	return nil
}

func equipPod(ctx context.Context, cluster *controlplane.ControlPlane, pod, gpu string) error {
	sandbox, err := cluster.Sandbox(ctx, "ml", pod)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(sandbox.Root, "gpu"), []byte(gpu), 0o644); err != nil {
		return fmt.Errorf("write what nvidia-smi tells in %s: %w", pod, err)
	}
	return sandbox.Program("nvidia-smi", nvidiaSMI)
}
