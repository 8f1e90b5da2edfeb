package kube

import (
	"strings"

	"github.com/traintop/traintop/sources/redact"
)

// readableEnvironment are prefixes of variable names whose literal values show
// how ranks find each other and what they run on. Any other value may be a
// secret and is dropped at once; the name stays.
//
// PET_: torchrun's own defaults; TF_CONFIG: tf-operator; DMLC_: XGBoost's
// rabit; VC_, VK_: Volcano's svc and env plug-ins; LWS_: LeaderWorkerSet;
// OMPI_, PMI, I_MPI_, HYDRA_, MPI_: the MPIs that mpi-operator starts.
var readableEnvironment = []string{
	"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "NODE_RANK", "GROUP_RANK", "NNODES", "NPROC_PER_NODE",
	"MASTER_", "PET_", "TORCH", "PYTORCH_", "TF_CONFIG", "TPU_", "DMLC_", "PADDLE_", "TRAINER_",
	"JAX_", "XLA_", "COORDINATOR_", "PROCESS_ID", "NUM_PROCESSES",
	"JOB_COMPLETION_INDEX", "JOBSET_", "LWS_", "VC_", "VK_", "RAY_",
	"OMPI_", "PMI", "I_MPI_", "HYDRA_", "MPI_", "HOROVOD_", "SLURM_", "DEEPSPEED_", "ACCELERATE_",
	"NCCL_", "RCCL_", "HCCL_", "GLOO_", "UCX_", "FI_", "SHARP_",
	"CUDA_", "NVIDIA_", "HIP_", "ROCR_", "HSA_", "HABANA_", "NEURON_", "ASCEND_", "ZE_",
	"OMP_", "PYTHONUNBUFFERED", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE",
}

// variableName is the verdict on a name: whether its values are readable, and
// whether they may still be secret.
type variableName struct{ readable, suspicious bool }

func judge(name string) variableName {
	for _, beginning := range readableEnvironment {
		if strings.HasPrefix(name, beginning) {
			return variableName{readable: true, suspicious: redact.Suspicious(name)}
		}
	}
	return variableName{suspicious: redact.Suspicious(name)}
}

// environmentValue returns the part of a variable's literal value to keep. It
// judges each name once, since a thousand pods have the same ones. A secret value
// is remembered for the logs.
func (s *shared) environmentValue(name, value string) string {
	verdict, known := s.variables.get(name)
	if !known {
		verdict = judge(name)
		s.variables.put(strings.Clone(name), verdict)
	}
	if verdict.suspicious {
		s.secrets.Declare(name, value)
	}
	if !verdict.readable || (verdict.suspicious && redact.Secret(name, value)) {
		return ""
	}
	return value
}
