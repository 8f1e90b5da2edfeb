package probes

import (
	"fmt"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
)

func sharedMemory() Probe {
	return Probe{
		ID: "shm", Title: "/dev/shm",
		About:    "Size and use of the shared memory that data loaders and NCCL exchange data in; Kubernetes gives 64 MiB where nothing is mounted there.",
		Commands: func(*store.Snapshot, actions.Target) [][]string { return [][]string{{"df", "-Pk", "/dev/shm"}} },
		Read:     readShm,
	}
}

// shmPreset is the default size of container runtimes: 64 MiB (containerd, CRI-O);
// shmFull is the percentage of use at which the next batch may not fit (by feel).
const (
	shmPreset = 64 << 20
	shmFull   = 90
)

func readShm(a actions.Answer) Result {
	if r, is := silent(a); is {
		return r
	}
	mounts := readDF(a.Stdout)
	if len(mounts) == 0 {
		return unread(a)
	}
	m := mounts[0]
	r := Result{State: Good, Detail: detail(a), Key: termtext.Bytes(m.size)}
	r.Line = fmt.Sprintf("%s, %d %% used", termtext.Bytes(m.size), m.percent)
	switch {
	case m.path != "/dev/shm":
		r.State, r.Line, r.Key = Bad, "nothing is mounted at /dev/shm", "not mounted"
	case m.size <= shmPreset:
		r.State, r.Line = Bad, r.Line+": the preset; mount an emptyDir of medium Memory at /dev/shm"
	case m.percent >= shmFull:
		r.State, r.Line = Bad, r.Line+": nearly full"
	}
	return r
}
