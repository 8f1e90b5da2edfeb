package rule

import (
	"time"

	"github.com/traintop/traintop/train"
)

func VerifyOf(stage train.Stage) string {
	switch stage {
	case train.StageAdmission:
		return "The job gets its pods, and this finding goes."
	case train.StageSchedule:
		return "The pods get a node (an event Scheduled), and this finding goes."
	case train.StageVolumes:
		return "The pods leave ContainerCreating, and this finding goes."
	case train.StageImage:
		return "An event Pulled follows, and the containers start."
	case train.StageStart:
		return "The containers start (an event Started) and stay up."
	case train.StageRendezvous:
		return "All ranks get past initialisation and make their first step."
	}
	return "The rank stays up and makes steps."
}

// StartGrace is how long a pod may fail to start before that is an error: the
// kubelet retries within seconds, and caches of a new node fill meanwhile.
const StartGrace = 30 * time.Second

// PendingGrace is how long a gang may wait for its members before that is an error.
const PendingGrace = time.Minute
