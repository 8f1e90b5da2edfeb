package faults

import (
	"strings"
	"sync"
)

// otherJob is the name of the failed job in another cluster.
const otherJob = "whisper-xl"

// anotherCluster is one with other jobs, which accepts the same credentials.
var anotherCluster = sync.OnceValue(func() *cluster {
	other, err := recordedCluster()
	if err != nil {
		panic(err) // it is embedded, and was read before
	}
	for collection, items := range other.objects {
		for _, item := range items {
			name := metadata(item)
			name["name"] = strings.ReplaceAll(field(item, "name"), failedJob, otherJob)
			name["uid"] = "other-" + field(item, "uid")
			delete(name, "ownerReferences")
		}
		other.objects[collection] = items
	}
	return other
})
