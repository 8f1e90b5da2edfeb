package probes

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

func said(text string) actions.Answer { return actions.Answer{Stdout: []byte(text)} }

// reads compares the state, line and key of a result with the expected ones.
func reads(t *testing.T, r Result, state State, line string) {
	t.Helper()
	if r.State != state || !strings.Contains(r.Line, line) {
		t.Errorf("%s %q, want %s %q", r.State, r.Line, state, line)
	}
}

func TestShm(t *testing.T) {
	// kubectl exec of containers of containerd, as kubeblocks #6014 and moby #33491 show them, with df -Pk
	const head = "Filesystem     1024-blocks  Used Available Capacity Mounted on\n"
	reads(t, readShm(said(head+"shm                  65536     0     65536       0% /dev/shm\n")), Bad, "64 MiB, 0 % used: the preset")
	reads(t, readShm(said(head+"tmpfs            132120576    40 132120536       1% /dev/shm\n")), Good, "126 GiB, 1 % used")
	reads(t, readShm(said(head+"tmpfs             16777216 16000000  777216      96% /dev/shm\n")), Bad, "96 % used: nearly full")
	reads(t, readShm(said(head+"overlay          479000000 1 478000000 1% /\n")), Bad, "nothing is mounted at /dev/shm")
	reads(t, readShm(actions.Answer{Exit: 1, Stderr: []byte("df: /dev/shm: No such file or directory")}), Unclear, "exit code 1: df: /dev/shm: No such file or directory")
}

func TestDisk(t *testing.T) {
	// coreutils 9.1 and busybox 1.36 with -Pk and -Pi; the NFS line as coreutils prints it
	const coreutils = `Filesystem            1024-blocks       Used  Available Capacity Mounted on
overlay                 479079112  134217728  320432640      30% /
tmpfs                       65536          0      65536       0% /dev
/dev/sda2               479079112  134217728  320432640      30% /etc/hosts
10.0.0.5:/export/ckpt 21474836480 21260088115  214748365     100% /checkpoints
tmpfs                    66060288          0   66060288       0% /proc/acpi
`
	reads(t, readDisk(said(coreutils+"inodes\nFilesystem              Inodes IUsed IFree IUse% Mounted on\noverlay 30531584 1 30531583 1% /\n")),
		Bad, "/checkpoints is 100 % full (205 GiB free of 20 TiB)")
	const busybox = `Filesystem           1024-blocks    Used Available Capacity Mounted on
overlay              123617280  54630144  62600192  47% /
/dev/sdb             103080888   1033200  96788424   1% /data
shm                      65536         0     65536   0% /dev/shm
`
	r := readDisk(said(busybox))
	reads(t, r, Good, "3 mounts, the fullest / with 47 % of 118 GiB")
	if r.Key != "/ /data /dev/shm" {
		t.Errorf("key %q", r.Key)
	}
	reads(t, readDisk(said(busybox+"inodes\nFilesystem              Inodes     Used Available Capacity Mounted on\n/dev/sdb               6553600  6553600         0 100% /data\n")), Bad, "/data has 100 % of its inodes used")
	reads(t, readDisk(actions.Answer{Exit: -1, Failure: &actions.Failure{Kind: actions.TooLate, Text: "no end after 30 s"}}), Bad, "a mount hangs")
	reads(t, readDisk(said("")), Unclear, "nothing that can be read")
}

func TestLimits(t *testing.T) {
	// coreos/bugs #1069: a container's /proc/PID/limits, Linux 4.1; trimmed
	const container = `Limit                     Soft Limit           Hard Limit           Units
Max cpu time              unlimited            unlimited            seconds
Max stack size            8388608              unlimited            bytes
Max processes             unlimited            unlimited            processes
Max open files            65536                65536                files
Max locked memory         unlimited            unlimited            bytes
`
	reads(t, readLimits(said(container)), Good, "open files 65536, locked memory unlimited, processes unlimited, stack 8 MiB")
	reads(t, readLimits(said(strings.Replace(container, "65536                65536  ", "1024                 524288 ", 1))), Bad, "only 1024 open files")
	locked := strings.Replace(container, "locked memory         unlimited            unlimited ", "locked memory         65536                65536     ", 1)
	reads(t, readLimits(said(locked)), Good, "locked memory 64 KiB")
	reads(t, readLimits(said(locked+"rdma /dev/infiniband/uverbs0\n")), Bad, "RDMA registers more")
	reads(t, readLimits(said("cat: can't open '/proc/1/limits'")), Unclear, "nothing that can be read: cat: can't open")
}

func TestInfiniband(t *testing.T) {
	// /sys/class/infiniband as mlx5 of Linux 5.15 fills it
	const active = "port|mlx5_0|1|4: ACTIVE|5: LinkUp|400 Gb/sec (4X NDR)|InfiniBand\n"
	r := readInfiniband(said(active + strings.Replace(active, "mlx5_0", "mlx5_1", 1) + "device|/dev/infiniband/uverbs0\nend\n"))
	reads(t, r, Good, "2 of 2 ports active (2 x 400 Gb/sec (4X NDR) InfiniBand)")
	down := readInfiniband(said(active + "port|mlx5_1|1|1: DOWN|3: Disabled|10 Gb/sec (4X SDR)|InfiniBand\ndevice|/dev/infiniband/uverbs0\nend\n"))
	reads(t, down, Neutral, "1 of 2 ports active (1 x 400 Gb/sec (4X NDR) InfiniBand), down: mlx5_1/1")
	if !slices.Equal(Odd([]Result{r, r, down}), []int{2}) {
		t.Error("the rank with a port down is odd")
	}
	reads(t, readInfiniband(said("port|mlx5_1|1|1: DOWN|3: Disabled|10 Gb/sec (4X SDR)|InfiniBand\ndevice|x\nend\n")), Bad, "no port is active: mlx5_1/1")
	reads(t, readInfiniband(said(active+"end\n")), Neutral, "the container may open none of them")
	reads(t, readInfiniband(said("end\n")), Neutral, "NCCL uses TCP sockets")
	reads(t, readInfiniband(said("ibwarn: nothing")), Unclear, "nothing that can be read")
	// linux-rdma/rdma-core #847: ibstat of infiniband-diags, mlx4 with one port down
	const ibstat = `CA 'mlx4_0'
	CA type: MT4099
	Number of ports: 2
	Port 1:
		State: Down
		Physical state: Disabled
		Rate: 10
		Link layer: InfiniBand
	Port 2:
		State: Active
		Physical state: LinkUp
		Rate: 56
		Base lid: 3
		Link layer: InfiniBand
`
	reads(t, readInfiniband(said(ibstat)), Neutral, "1 of 2 ports active (1 x 56 Gb/sec InfiniBand), down: mlx4_0/1")
}

func TestCUDA(t *testing.T) {
	reads(t, readCUDA(said("noise of an import\n"+`{"python": "3.10.12", "torch": "2.4.0+cu124", "cuda": "12.4", "hip": null, "built": true, "available": true, "devices": 8, "warnings": []}`)), Good, "8 GPUs, torch 2.4.0+cu124, CUDA 12.4")
	// the warning as torch 2.1 prints it where the driver is too old
	reads(t, readCUDA(said(`{"python": "3.10.12", "torch": "2.1.0", "cuda": "12.1", "built": true, "available": false, "devices": 0, "warnings": ["CUDA initialization: The NVIDIA driver on your system is too old (found version 11040)."]}`)), Bad, "torch 2.1.0 (CUDA 12.1) sees no GPU: CUDA initialization: The NVIDIA driver on your system is too old")
	reads(t, readCUDA(said(`{"python": "3.12.1", "missing": "ModuleNotFoundError: No module named 'torch'"}`)), Unclear, "Python 3.12.1 cannot import torch: ModuleNotFoundError")
	reads(t, readCUDA(said(`{"python": "3.12.1", "torch": "2.4.0+cpu", "built": false}`)), Bad, "was built without CUDA")
	reads(t, readCUDA(actions.Answer{Exit: 137, Stderr: []byte("Killed")}), Unclear, "exit code 137: Killed")
}

func TestNCCL(t *testing.T) {
	r := readNCCL(said(`{"torch": "2.4.0", "nccl": "2.20.5"}`))
	reads(t, r, Neutral, "NCCL 2.20.5, torch 2.4.0")
	other := readNCCL(actions.Answer{Command: shell(ncclScript), Stdout: []byte("/usr/lib/x86_64-linux-gnu/libnccl.so.2\n/usr/lib/x86_64-linux-gnu/libnccl.so.2.21.5\n")})
	reads(t, other, Neutral, "NCCL 2.21.5")
	if !slices.Equal(Odd([]Result{r, other, r}), []int{1}) {
		t.Error("another version is odd")
	}
	reads(t, readNCCL(said(`{"torch": "2.4.0+cpu", "error": "AttributeError: module 'torch._C' has no attribute '_nccl_version'"}`)), Unclear, "PyTorch does not tell")
}

// Answers about the first rank's address, as Python 3.11 and busybox' nc write them.
func TestMaster(t *testing.T) {
	const up = "variable MASTER_ADDR\nhost bert-master-0\naddress 10.1.2.3\n"
	reads(t, readMaster(said(up)), Good, "bert-master-0 is 10.1.2.3")
	reads(t, readMaster(said(up+"port 23456\nconnected 3\n")), Good, "bert-master-0:23456 answers after 3 ms")
	reads(t, readMaster(said(up+"port 23456\nunconnected ConnectionRefusedError [Errno 111] Connection refused\n")), Bad, "nothing listens there")
	reads(t, readMaster(said(up+"port 23456\nunconnected TimeoutError timed out\n")), Bad, "no answer within 5 s")
	reads(t, readMaster(said(up+"port 23456\nunconnected \n")), Bad, "no answer within 5 s")
	reads(t, readMaster(said(up+"port 23456\nunconnected OSError [Errno 113] No route to host\n")), Bad, "no way there")
	reads(t, readMaster(said("variable MASTER_ADDR\nhost bert-master-0\nunresolved [Errno -2] Name or service not known\n")), Bad, "bert-master-0 does not resolve: [Errno -2] Name or service not known")
	reads(t, readMaster(actions.Answer{Exit: 127, Stderr: []byte("sh: getent: not found")}), Unclear, "not in the container: sh: getent: not found")
}

func TestEnvironmentIsMaskedAndCompared(t *testing.T) {
	// training-operator 1.8: worker 1 of a PyTorchJob, with secrets of a person
	const env = `PATH=/usr/bin
HF_TOKEN=hf_secret
NCCL_DEBUG=INFO
NCCL_SOCKET_IFNAME=eth0
RANK=1
WORLD_SIZE=2
PET_NNODES=2
PET_NODE_RANK=1
PET_RDZV_CONF=join_timeout=600,token=abc
MASTER_ADDR=bert-master-0
MASTER_PORT=23456
RAY_REDIS_PASSWORD=hunter2
FI_URL=https://me:hunter2@host/
PS1=a
second line
`
	r := readEnvironment(said(env))
	reads(t, r, Neutral, "RANK=1 PET_NODE_RANK=1 WORLD_SIZE=2 PET_NNODES=2 MASTER_ADDR=bert-master-0 MASTER_PORT=23456 2 NCCL settings")
	all := strings.Join(append(r.Detail, r.Key, r.Line), "\n")
	for _, secret := range []string{"hunter2", "hf_secret", "PATH"} {
		if strings.Contains(all, secret) {
			t.Errorf("%s is shown in\n%s", secret, all)
		}
	}
	rank0 := readEnvironment(said(strings.NewReplacer("RANK=1", "RANK=0").Replace(env)))
	other := readEnvironment(said(strings.NewReplacer("RANK=1", "RANK=0", "eth0", "eth1").Replace(env)))
	if odd := Odd([]Result{r, rank0, other}); !slices.Equal(odd, []int{2}) {
		t.Errorf("odd %v", odd)
	}
	reads(t, readEnvironment(said("RANK=2\nWORLD_SIZE=2\n")), Bad, "RANK=2 is no rank of WORLD_SIZE=2")
	reads(t, readEnvironment(said("HOME=/\n")), Neutral, "no variable about ranks is set")
}

// The stacks of py-spy are from BigScience's chronicles of tr11-176B.
func TestStacksNameTheOddRank(t *testing.T) {
	const broadcast = `@process|688510|S|futex_wait_queue|/usr/bin/python train.py --api-key hunter2
Process 688510: /usr/bin/python train.py --api-key hunter2
Python v3.8.12 (/usr/bin/python3.8)

Thread 688510 (active): "MainThread"
    broadcast (torch/distributed/distributed_c10d.py:1191)
    _bcast_pipe_scalar (deepspeed/runtime/pipe/engine.py:542)
    eval_batch (deepspeed/runtime/pipe/engine.py:455)
    evaluate (megatron/training.py:983)
Thread 0x7F2A (idle): "Thread-1"
    wait (threading.py:302)
@end
`
	waiting := readStacks(said(broadcast))
	reads(t, waiting, Neutral, "in broadcast (torch/distributed/distributed_c10d.py:1191)")
	if strings.Contains(strings.Join(waiting.Detail, "\n"), "hunter2") {
		t.Errorf("%v", waiting.Detail)
	}
	elsewhere := readStacks(said(strings.Replace(broadcast, "    broadcast (torch/distributed/distributed_c10d.py:1191)\n", "    recv (deepspeed/runtime/pipe/p2p.py:83)\n", 1)))
	if odd := Odd([]Result{waiting, waiting, elsewhere, waiting}); !slices.Equal(odd, []int{2}) {
		t.Errorf("odd %v of %q", odd, elsewhere.Line)
	}
	// torchrun's agent and a data loader's worker beside the trainer; frames of torch 2.4
	const agent = `@process|1|S|hrtimer_nanosleep|/usr/bin/python /usr/bin/torchrun train.py
Process 1: /usr/bin/python /usr/bin/torchrun train.py

Thread 1 (idle): "MainThread"
    _invoke_run (torch/distributed/elastic/agent/server/api.py:835)
@process|90|S|pipe_read|/usr/bin/python train.py
Process 90: /usr/bin/python train.py

Thread 90 (idle): "MainThread"
    poll (multiprocessing/connection.py:257)
    _worker_loop (torch/utils/data/_utils/worker.py:275)
`
	reads(t, readStacks(said(agent+broadcast)), Neutral, "in broadcast (torch/distributed/distributed_c10d.py:1191)")
	reads(t, readStacks(said("@process|7|D|nfs_wait_bit_killable|python train.py\n@no py-spy\n@end\n")), Bad, "process 7 waits for the kernel in nfs_wait_bit_killable (state D)")
	reads(t, readStacks(said("@process|7|S|0|python train.py\n@no py-spy\n@end\n")), Unclear, "pip install py-spy")
	reads(t, readStacks(said("@process|7|S|0|python train.py\nError: Permission Denied: Try running again with elevated permissions\n@end\n")), Unclear, "SYS_PTRACE")
	reads(t, readStacks(said("@end\n")), Unclear, "no Python runs")
}

func TestClocksAreComparedWithEachOther(t *testing.T) {
	began := time.Unix(1_763_632_800, 0)
	at := func(text string) Result {
		return readClock(actions.Answer{Stdout: []byte(text), Began: began, Took: 200 * time.Millisecond})
	}
	reads(t, at("1763632800.100000000\n"), Neutral, "+0.0 s against this machine, give or take 0.1 s")
	reads(t, at("1763632803.%N\n"), Neutral, "+3.4 s against this machine, give or take 0.6 s")
	reads(t, at("Thu Nov 20\n"), Unclear, "nothing that can be read")
	// all clocks differ by minutes from this machine's, and one from the others
	ranks := []Result{at("1763633000.1"), at("1763633000.3"), at("1763633007.2"), at("1763632999.9"), {State: Unclear}}
	if odd := Odd(ranks); !slices.Equal(odd, []int{2}) {
		t.Errorf("odd %v", odd)
	}
}

func TestOdd(t *testing.T) {
	keys := func(names ...string) (results []Result) {
		for _, name := range names {
			results = append(results, Result{State: Neutral, Key: name})
		}
		return results
	}
	check := func(results []Result, want ...int) {
		t.Helper()
		if got := Odd(results); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	check(keys("a", "a", "b"), 2)
	check(keys("a", "b"))
	check(keys("a", "a", "b", "b"))
	check(keys("a", "b", "c"))
	check(keys("", "", "b"))
	check(keys("a", "", "a", "b", ""), 3)
	check(nil)
	check([]Result{{State: Neutral, Key: "a"}, {State: Neutral, Key: "a"}, {State: Unclear, Key: "b"}})
}

func TestProcessesOfTheGPUs(t *testing.T) {
	text, err := os.ReadFile("../../sources/metrics/testdata/nvsmi-compute-apps-h100.csv")
	if err != nil {
		t.Fatal(err)
	}
	r := readProcesses(actions.Answer{Command: []string{"nvidia-smi"}, Stdout: text})
	reads(t, r, Neutral, "3 processes on 1 GPU, 19.3 GiB; 3 share one GPU")
	reads(t, readProcesses(actions.Answer{Command: []string{"nvidia-smi"}, Stdout: []byte("gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n")}), Neutral, "as usual inside a container")
}

func TestTheWriteTestKnowsTheCheckpoints(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "w"}}
	claim := func(name string, readOnly bool) corev1.Volume {
		return corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name, ReadOnly: readOnly}}}
	}
	pod.Spec.Volumes = []corev1.Volume{claim("data", false), claim("ckpt", false), claim("ro", true), {Name: "shm", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}}
	pod.Spec.Containers = []corev1.Container{{Name: "sidecar"}, {Name: "pytorch", VolumeMounts: []corev1.VolumeMount{
		{Name: "data", MountPath: "/data"}, {Name: "shm", MountPath: "/dev/shm"}, {Name: "ro", MountPath: "/ro"},
		{Name: "ckpt", MountPath: "/mnt/$(reboot)/checkpoints"}, {Name: "data", MountPath: "/data-ro", ReadOnly: true},
	}}}
	st := store.New(func() time.Time { return time.Time{} })
	st.Apply(store.Set{Kind: kinds.PodKind, Object: pod})
	at := actions.Target{Container: actions.Container{Namespace: "ml", Pod: "w", Name: "pytorch"}}
	got := writeTest().Commands(st.Snapshot(), at)
	if want := append([]string{"sh", "-c", writeScript, "sh"}, "/mnt/$(reboot)/checkpoints", "/data"); len(got) != 1 || !slices.Equal(got[0], want) {
		t.Errorf("%q", got)
	}
	at.Name = "sidecar"
	if got := writeTest().Commands(st.Snapshot(), at); got != nil {
		t.Errorf("a container without volumes: %q", got)
	}
}

func TestOwnProbes(t *testing.T) {
	p, err := Own{Name: "bandwidth", Command: []string{"/opt/check", "--all; rm"}, Harmless: true, Timeout: time.Minute}.Probe()
	if err != nil || p.Writes || p.Title != "bandwidth" || p.Timeout != time.Minute {
		t.Fatalf("%+v %v", p, err)
	}
	if got := p.Commands(nil, actions.Target{}); len(got) != 1 || !slices.Equal(got[0], []string{"/opt/check", "--all; rm"}) {
		t.Errorf("%q", got)
	}
	if p, _ := (Own{Name: "x", Command: []string{"y"}}).Probe(); !p.Writes {
		t.Error("what is not called harmless asks first")
	}
	reads(t, p.Read(said("\n42 GB/s\x1b[2J\n")), Neutral, "42 GB/s")
	reads(t, p.Read(actions.Answer{Exit: 3, Stderr: []byte("no link")}), Bad, "ended with exit code 3: no link")
	for want, own := range map[string]Own{
		"has to be of small letters":     {Name: "No Blanks", Command: []string{"x"}},
		"there is a probe of the name":   {Name: "shm", Command: []string{"x"}},
		"has no command":                 {Name: "x"},
		"has a timeout of 1h0m0s, which": {Name: "x", Command: []string{"x"}, Timeout: time.Hour},
	} {
		if _, err := own.Probe(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", own, err)
		}
	}
}
