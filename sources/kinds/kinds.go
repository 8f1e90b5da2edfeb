package kinds

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

// jobKinds are the kinds that make rows, in the order of the documentation.
var jobKinds []Kind = []Kind{}

// relatedKinds make no rows; they tell about jobs: queues, gangs, runtimes.
var relatedKinds []Kind = []Kind{}

var leaderWorkerSetKind = schema.GroupKind{Group: "leaderworkerset.x-k8s.io", Kind: "LeaderWorkerSet"}

// Jobs lists the kinds that make rows.
func Jobs() []Kind { return jobKinds }

// Related lists the kinds that are read for what they tell about jobs.
func Related() []Kind { return relatedKinds }

// IsJob reports whether objects of this kind can be a row.
func IsJob(kind schema.GroupKind) bool { return false }

// Assemble turns a family into the job that it is.
func Assemble(f *Family) *train.Job { return nil }

func podGroupName(pod *corev1.Pod) string { return "" }
