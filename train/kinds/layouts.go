package kinds

import "k8s.io/apimachinery/pkg/runtime/schema"

// hyperPodLayout is that of SageMaker HyperPod's training operator
// (sagemaker-hyperpod-cli, hyperpod_pytorch_job_unified_config.py, 2026-06). Its
// roles are a list of replicaSpecs; an elastic job has a policy beside them.
var hyperPodLayout = Layout{
	GroupKind: schema.GroupKind{Group: "sagemaker.amazonaws.com", Kind: "HyperPodPyTorchJob"},
	Versions:  []string{"v1"},
	Roles:     []RoleLayout{{Each: Path{"spec", "replicaSpecs"}, Replicas: Path{"replicas"}, Template: Path{"template"}}},
	Suspend:   Path{"spec", "runPolicy", "suspend"},
	Started:   Path{"status", "startTime"},
	Finished:  Path{"status", "completionTime"},
	Least:     Path{"spec", "elasticPolicy", "minReplicas"},
	Most:      Path{"spec", "elasticPolicy", "maxReplicas"},
}

// dlroverLayout is that of DLRover's ElasticJob (dlrover
// go/elasticjob/api/v1alpha1, 2026-08). The operator writes status.phase, adds
// the pod of the job's master as a role of its own, and counts every pod that is
// made for a rank in replica-index; rank-index is that of the rank.
var dlroverLayout = Layout{
	GroupKind: schema.GroupKind{Group: "elastic.iml.github.io", Kind: "ElasticJob"},
	Versions:  []string{"v1alpha1"},
	Roles:     []RoleLayout{{Each: Path{"spec", "replicaSpecs"}, Replicas: Path{"replicas"}, Template: Path{"template"}}},
	Suspend:   Path{"spec", "suspend"},
	Phase:     Path{"status", "phase"},
	Started:   Path{"status", "startTime"},
	Finished:  Path{"status", "completionTime"},
	Pods: PodLayout{
		Labels: map[string]string{"elasticjob.dlrover/name": NamePlaceholder},
		Role:   "elasticjob.dlrover/replica-type", Index: "elasticjob.dlrover/rank-index",
		Aside: []string{"dlrover-master"}, Container: "main",
	},
}
