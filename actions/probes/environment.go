package probes

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
)

func rankEnvironment() Probe {
	return Probe{
		ID: "rank-env", Title: "environment of the rank",
		About:    "The variables that tell a rank who it is and where the others are (PET_, MASTER_, WORLD_SIZE, RANK, NCCL_); what ought to be the same everywhere is compared, secrets are masked.",
		Commands: func(*store.Snapshot, actions.Target) [][]string { return [][]string{{"env"}} },
		Read:     readEnvironment,
	}
}

var (
	// aboutRanks matches the variables that launchers, operators and collectives read.
	aboutRanks = regexp.MustCompile(`^(PET_|MASTER_|WORLD_SIZE$|LOCAL_WORLD_SIZE$|NNODES$|NPROC|RANK$|LOCAL_RANK$|GROUP_RANK$|NODE_RANK$|NCCL_|RCCL_|TORCH_|GLOO_|UCX_|FI_|OMPI_|I_MPI_|K_MPI_|` +
		`CUDA_|NVIDIA_VISIBLE_DEVICES$|HIP_VISIBLE|ROCR_VISIBLE|HABANA_VISIBLE|NEURON_|JAX_|COORDINATOR_|NUM_PROCESSES$|PROCESS_ID$|TF_CONFIG$|` +
		`PADDLE_|DMLC_|WORKER_ADDRS$|WORKER_PORT$|JOB_COMPLETION_INDEX$|JOBSET_|REPLICATED_JOB|VC_|VK_|LWS_|RAY_|OMP_NUM_THREADS$|PYTORCH_|SLURM_)`)
	// ownOfRank matches those of them that differ from rank to rank.
	ownOfRank = regexp.MustCompile(`(^|_)(RANK|INDEX|PROCESS_ID|TASK_ID|TRAINER_ID|NODEID|PROCID|LOCALID|JOB_IDX|CURRENT_ENDPOINT|NODE_IP)$|^TF_CONFIG$|VISIBLE_DEVICES$|^RAY_(IP|NODE|CLOUD|POD)|^K_MPI_JOB_ROLE$|^RAY_NODE_TYPE_NAME$`)
	variable  = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)=(.*)$`)
)

func readEnvironment(a actions.Answer) Result {
	if r, is := silent(a); is {
		return r
	}
	found := map[string]string{}
	any := false
	for line := range lines(a.Stdout) {
		parts := variable.FindStringSubmatch(line)
		any = any || parts != nil
		if parts == nil || !aboutRanks.MatchString(parts[1]) {
			continue // a continuation of a value, or not about ranks
		}
		value := redact.Mask(parts[2])
		if redact.Secret(parts[1], value) {
			value = redact.Masked
		}
		found[parts[1]] = value
	}
	if !any {
		return unread(a)
	}
	r := Result{State: Neutral, Line: sketch(found)}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		r.Detail = append(r.Detail, name+"="+found[name])
		if !ownOfRank.MatchString(name) {
			r.Key += name + "=" + found[name] + "\n"
		}
	}
	if len(found) == 0 {
		r.Key = "nothing"
	}
	if why := impossible(found); why != "" {
		r.State, r.Line = Bad, why
	}
	return r
}

// sketch names the most important variables.
func sketch(found map[string]string) string {
	if len(found) == 0 {
		return "no variable about ranks is set"
	}
	var parts []string
	for _, name := range []string{"RANK", "PET_NODE_RANK", "PROCESS_ID", "JOB_COMPLETION_INDEX", "WORLD_SIZE", "PET_NNODES", "MASTER_ADDR", "PET_MASTER_ADDR", "PET_RDZV_ENDPOINT", "MASTER_PORT"} {
		if value, set := found[name]; set {
			parts = append(parts, name+"="+value)
		}
	}
	nccl := 0
	for name := range found {
		if strings.HasPrefix(name, "NCCL_") {
			nccl++
		}
	}
	if nccl > 0 {
		parts = append(parts, termtext.Count(nccl, "NCCL setting"))
	}
	if len(parts) == 0 {
		return termtext.Count(len(found), "variable") + " about ranks"
	}
	return strings.Join(parts, " ")
}

// impossible returns a contradiction: a rank has to be below the number of ranks.
func impossible(found map[string]string) string {
	rank, err := strconv.Atoi(found["RANK"])
	if err != nil {
		return ""
	}
	world, err := strconv.Atoi(found["WORLD_SIZE"])
	if err != nil || rank >= 0 && rank < world {
		return ""
	}
	return fmt.Sprintf("RANK=%d is no rank of WORLD_SIZE=%d: ranks count from 0", rank, world)
}
