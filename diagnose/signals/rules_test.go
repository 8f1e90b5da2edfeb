package signals

import (
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

type numbers = map[train.Quantity]float64

func TestAJobAtWorkIsSilent(t *testing.T) {
	l := newLab(t, 4).pass(40 * time.Minute).says()
	for i := range 4 {
		if got := lines(l.report.Node(nodeName(i))); got != "" {
			t.Errorf("node %d has %s", i, got)
		}
	}
	if sum := l.report.Sum(); sum.Held != 32 || sum.Idle != 0 || !sum.Newest[train.FromDCGM].Equal(l.now) {
		t.Errorf("the sum is %+v", sum)
	}
}

func TestIdle(t *testing.T) {
	rest := numbers{train.GPUUtilization: 0, train.GPUGraphics: 0, train.GPUSMActive: 0, train.GPUTensorActive: 0, train.GPUPower: 71, train.GPUSMClock: 345}
	l := newLab(t, 2).pass(20 * time.Minute).becomes(all(rest)).pass(9 * time.Minute).says()
	l.pass(2 * time.Minute).says("warning idle: 16 GPUs held, idle for 10m (2.8 GPU-hours)")
	l.pass(3 * time.Hour).says("warning idle: 16 GPUs held, idle for 3h10m (51 GPU-hours)") // beyond the history
	if s := l.report.GPU(train.GPUID(uuid(0, 3))); len(s) != 1 || s[0].Word != "idle" || s[0].Text != "held, idle for 3h10m" {
		t.Errorf("one GPU has %+v", s)
	}
	if got := l.report.Sum().Idle; got != 16 {
		t.Errorf("%d are idle", got)
	}
	l.becomes(func(int, int, *train.Values) {}).pass(time.Minute).says() // it works again

	l = newLab(t, 2)
	l.sliced = 3
	l.pass(20 * time.Minute).becomes(all(rest)).pass(11 * time.Minute).says("warning idle: 10 GPUs and 6 MIG slices held, idle for 10m (2.8 GPU-hours)")
	newLab(t, 2).becomes(all(rest)).pass(14 * time.Minute).says() // it has only begun
	power := numbers{train.GPUUtilization: 0, train.GPUPower: 500}
	newLab(t, 2).pass(20 * time.Minute).becomes(all(power)).pass(20 * time.Minute).says() // its utilization is wrong
	stopped := newLab(t, 1).pass(20 * time.Minute).becomes(all(rest)).pass(time.Minute)
	stopped.silent[0] = true
	stopped.pass(30 * time.Minute) // old numbers are not idle ones
	for _, s := range stopped.report.Job("llama") {
		if s.Kind == "idle" {
			t.Errorf("numbers that are old are idle: %s", s.Text)
		}
	}
}

func TestSlow(t *testing.T) {
	hot := one(2, 5, numbers{train.GPUPower: 401, train.GPUSMClock: 1155, train.GPUTensorActive: 0.29})
	l := newLab(t, 4).pass(20 * time.Minute).becomes(hot).pass(30 * time.Second).says() // one reading is not enough
	l.pass(2 * time.Minute).says("warning slow: rank 2 GPU 5 slow: 0.58 of the median SM clock (1155 of 1980 MHz) for 2m")
	if s := l.report.GPU(train.GPUID(uuid(2, 5))); len(s) != 1 || s[0].Word != "slow" || s[0].Cause != "slow-gpu" {
		t.Errorf("the GPU has %+v", s)
	}
	if got := lines(l.report.Node(nodeName(2))); got != "warning slow: GPU 5 slow: 0.58 of the median SM clock (1155 of 1980 MHz) for 2m" {
		t.Errorf("its node has %s", got)
	}
	rank := func(r, _ int, v *train.Values) {
		if r == 3 {
			apply(v, numbers{train.GPUPower: 400, train.GPUUtilization: 60})
		}
	}
	newLab(t, 4).pass(20 * time.Minute).becomes(rank).pass(10 * time.Minute).
		says("warning slow: rank 3 slow: 0.61 of the median use for 9m30s")

	nearly := one(2, 5, numbers{train.GPUPower: 540, train.GPUSMClock: 1700})
	newLab(t, 4).pass(20 * time.Minute).becomes(nearly).pass(10 * time.Minute).says() // 0.83 is no straggler
	half := func(r, _ int, v *train.Values) {
		if r < 2 {
			apply(v, numbers{train.GPUPower: 350, train.GPUTensorActive: 0.2})
		}
	}
	newLab(t, 4).pass(20 * time.Minute).becomes(half).pass(10 * time.Minute).says() // they do different work
	newLab(t, 4).becomes(hot).pass(4 * time.Minute).says()                          // they have only begun
}

func TestSpinning(t *testing.T) {
	spin := numbers{train.GPUUtilization: 100, train.GPUTensorActive: 0, train.GPUSMActive: 0.15, train.GPUPower: 290}
	l := newLab(t, 2).pass(20 * time.Minute).becomes(all(spin)).pass(2 * time.Minute).says()
	l.pass(2 * time.Minute).says("warning spinning: 16 GPUs spin at 290 W each (648 W at work) for 3m30s")
	if s := l.report.GPU(train.GPUID(uuid(1, 1))); len(s) == 0 || s[0].Word != "spinning" {
		t.Errorf("one GPU has %+v", s)
	}
	still := func(r, g int, v *train.Values) {
		apply(v, spin)
		if r == 1 && g == 2 {
			apply(v, numbers{train.GPUUtilization: 0, train.GPUPower: 110, train.GPUGraphics: 0, train.GPUSMActive: 0})
		}
	}
	l = newLab(t, 2).pass(20 * time.Minute).becomes(still).pass(15 * time.Minute)
	l.says("warning spinning: 15 GPUs spin at 290 W each (649 W at work) for 14m; rank 1 GPU 2 stands still")
	if s := l.report.GPU(train.GPUID(uuid(1, 2))); len(s) == 0 || s[0].Word != "stands still" {
		t.Errorf("the GPU that stands still has %+v", s)
	}

	fp32 := numbers{train.GPUTensorActive: 0, train.GPUPower: 300, train.GPUUtilization: 100}
	newLab(t, 2).becomes(all(fp32)).pass(40 * time.Minute).says() // it works like this
	moves := numbers{train.GPUUtilization: 100, train.GPUTensorActive: 0, train.GPUPower: 290, train.GPUNVLinkSent: 3e9}
	newLab(t, 2).pass(20 * time.Minute).becomes(all(moves)).pass(10 * time.Minute).says() // data moves
	dead := numbers{train.GPUGraphics: 0, train.GPUSMActive: 0, train.GPUTensorActive: 0}
	newLab(t, 2).pass(20 * time.Minute).becomes(all(dead)).pass(10 * time.Minute). // the counters are wrong
											says("info profiling: rank 0 GPU 0 profiling counters read 0 at 640 W: start its exporter again, or end the profiler that holds them, and 15 more GPUs")
}

func TestXid(t *testing.T) {
	xid := func(code float64) func(int, int, *train.Values) { return one(1, 4, numbers{train.GPUXid: code}) }
	newLab(t, 2).pass(20 * time.Minute).becomes(xid(48)).pass(10 * time.Minute).
		says("error xid: rank 1 GPU 4 Xid 48: double-bit ECC error, 9m30s ago")
	newLab(t, 2).pass(20 * time.Minute).becomes(xid(31)).pass(time.Minute).
		says("warning xid: rank 1 GPU 4 Xid 31: memory page fault, 30s ago")
	newLab(t, 2).pass(20 * time.Minute).becomes(xid(45)).pass(time.Minute).
		says("info xid: rank 1 GPU 4 Xid 45: cleanup after a killed process, 30s ago")
	newLab(t, 2).becomes(xid(48)).pass(10 * time.Minute). // it was there when the pod began
								says("info xid: rank 1 GPU 4 Xid 48: double-bit ECC error, before this pod began")
	newLab(t, 2).becomes(xid(43)).pass(10 * time.Minute).says()
	if x := train.XidOf(999); x.Meaning == "" || x.Severity() != train.SeverityWarning {
		t.Errorf("an unknown code is %+v", x)
	}
}

func TestErrorsOfMemoryAndLinks(t *testing.T) {
	f := func(set numbers, want ...string) {
		t.Helper()
		newLab(t, 2).pass(20 * time.Minute).becomes(one(0, 7, set)).pass(10 * time.Minute).says(want...)
	}
	f(numbers{train.GPUECCUncorrected: 2}, "error ecc: rank 0 GPU 7 2 uncorrectable memory errors, the last 9m30s ago")
	f(numbers{train.GPUECCCorrected: 20_000})
	f(numbers{train.GPURemapFailed: 1}, "error remap: rank 0 GPU 7 a bad row of its memory could not be replaced: the board has to go")
	f(numbers{train.GPURemapPending: 1}, "warning remap: rank 0 GPU 7 a bad row of its memory waits to be replaced: reset the GPU")
	f(numbers{train.GPUHealthy: 0}, "error unhealthy: rank 0 GPU 7 its vendor's health check fails")
	f(numbers{train.GPUHealthy: 1})
	f(numbers{train.GPURowsRemapped: 3}) // the counter was never observed at 0
	f(numbers{train.GPUPCIeReplays: 9})  // some are normal

	l := newLab(t, 2).becomes(one(0, 7, numbers{train.GPUNVLinkErrors: 5})).pass(20 * time.Minute).says()
	l.becomes(one(0, 7, numbers{train.GPUNVLinkErrors: 12})).pass(time.Minute).
		says("warning nvlink: rank 0 GPU 7 7 NVLink errors, the last 30s ago")
	n := 0.0
	newLab(t, 2).becomes(func(r, g int, v *train.Values) {
		if r == 0 && g == 7 {
			n += 20
			v.Set(train.GPUPCIeReplays, n)
		}
	}).pass(20 * time.Minute).says("warning pcie: rank 0 GPU 7 PCIe sends 40 packets a minute again")
}

func TestHotAndThrottled(t *testing.T) {
	f := func(set numbers, d time.Duration, want ...string) {
		t.Helper()
		newLab(t, 2).pass(20 * time.Minute).becomes(one(0, 7, set)).pass(d).says(want...)
	}
	f(numbers{train.GPUTemperature: 96}, time.Minute, "warning hot: rank 0 GPU 7 hot for 30s: its chip has 96 °C, too hot from 95 °C on")
	f(numbers{train.GPUTemperature: 88}, 20*time.Minute) // within limits for an H100
	f(numbers{train.GPUMemoryTemp: 97}, time.Minute, "warning hot: rank 0 GPU 7 hot for 30s: its memory has 97 °C, too hot from 95 °C on")
	f(numbers{train.GPUMemoryTemp: 95}, time.Minute, "warning hot: rank 0 GPU 7 hot for 30s: its memory has 95 °C, too hot from 95 °C on")
	f(numbers{train.GPUMemoryTemp: 94}, time.Minute)
	f(numbers{train.GPUThrottle: 64}, 4*time.Minute)
	f(numbers{train.GPUThrottle: 64 + 4}, 6*time.Minute, "warning throttled: rank 0 GPU 7 throttled by hw_thermal (1980 MHz) for 5m30s")
	f(numbers{train.GPUThrottle: 4, train.GPUSMClock: 1700}, 20*time.Minute) // a power cap at full load
	f(numbers{train.GPUThrottle: 4 + 1}, 20*time.Minute)

	seconds := 0.0
	newLab(t, 2).becomes(func(r, g int, v *train.Values) {
		if r == 0 && g == 7 {
			seconds += 6
			v.Set(train.GPUHeatThrottled, seconds)
		}
	}).pass(10 * time.Minute).says("warning throttled: rank 0 GPU 7 throttled by heat, 20 % of the time (1980 MHz) for 7m")
	newLab(t, 2).becomes(all(numbers{train.GPUHeatThrottled: 900})).pass(10 * time.Minute).says() // of old
	capped := numbers{train.GPUThrottle: 4, train.GPUSMClock: 900, train.GPUPower: 300}
	newLab(t, 1).pass(20 * time.Minute).becomes(all(capped)).pass(10 * time.Minute).
		says("warning throttled: rank 0 GPU 0 throttled by a power cap, at 45 % of its highest clock (900 MHz) for 9m30s, and 7 more GPUs")
}

func TestMissingAndStale(t *testing.T) {
	l := newLab(t, 2).pass(20 * time.Minute).becomes(one(1, 3, numbers{train.GPUXid: 79})).pass(30 * time.Second)
	l.change = func(rank, gpu int, _ *train.Values) bool { return rank != 1 || gpu != 3 }
	l.pass(5 * time.Minute)
	l.says("error missing: rank 1 GPU 3 missing for 5m, after Xid 79 (fell off the bus)")
	if s := l.report.GPU(train.GPUID(uuid(1, 3))); len(s) != 1 || s[0].Word != "missing" {
		t.Errorf("the GPU has %+v", s)
	}

	l = newLab(t, 2).pass(20 * time.Minute)
	l.silent[1] = true
	l.pass(time.Minute).says()
	l.pass(2 * time.Minute).says("info stale: no numbers of 8 of 16 GPUs for 3m")
	l.silent[1] = false
	l.pass(time.Minute).says()

	fewer := newLab(t, 2)
	fewer.change = func(rank, gpu int, _ *train.Values) bool { return rank != 1 || gpu != 3 }
	fewer.pass(time.Minute).says()
	fewer.pass(5 * time.Minute).says("warning missing: gpu-0001: 1 of its 8 GPUs are not measured")
}

func TestFullAndLow(t *testing.T) {
	newLab(t, 2).becomes(one(1, 0, numbers{train.GPUMemoryUsed: 80_900})).pass(10 * time.Minute).
		says("info full: rank 1 GPU 0 memory nearly full: 79 GiB of 79.6 GiB")
	newLab(t, 2).becomes(all(numbers{train.GPUMemoryUsed: 76_000})).pass(10 * time.Minute).says()
	low := numbers{train.GPUUtilization: 21, train.GPUPower: 250, train.GPUTensorActive: 0.05, train.GPUSMActive: 0.55}
	newLab(t, 2).becomes(all(low)).pass(10 * time.Minute).says()
	newLab(t, 2).becomes(all(low)).pass(30 * time.Minute).says("warning low: GPUs used 21 % on average for 25m")
	part := numbers{train.GPUSMActive: 0.3}
	newLab(t, 2).becomes(all(part)).pass(30 * time.Minute).says("info low: SM activity 0.30 on average: its kernels use a part of each GPU")
}

func TestStarved(t *testing.T) {
	teeth := 0
	saw := func(r, g int, v *train.Values) {
		if r == 0 && g == 0 {
			teeth++
		}
		if teeth%4 == 0 {
			apply(v, numbers{train.GPUUtilization: 12, train.GPUPower: 180, train.GPUTensorActive: 0.02})
		}
	}
	newLab(t, 2).becomes(saw).pass(40 * time.Minute).says() // evaluation, checkpoints: unknown
	l := newLab(t, 2).becomes(saw)
	l.use(train.Usage{Node: nodeName(0)}, train.UsedCPU, 94)
	l.pass(40 * time.Minute).says("warning starved: GPUs starve: use rises and falls, 94 of 96 CPUs of gpu-0000 are busy for 40m")
	load := numbers{train.GPUSMActive: 0.12, train.GPUPCIeReceived: 4.2e9, train.GPUUtilization: 60, train.GPUPower: 200}
	newLab(t, 2).pass(20 * time.Minute).becomes(all(load)).pass(10 * time.Minute).
		says("warning starved: GPUs starve: 4.2 GB/s come over PCIe and SM activity stays below 0.30 for 9m30s")
}

func TestCPUThrottled(t *testing.T) {
	l := newLab(t, 2)
	l.use(train.Usage{Namespace: "llm", Pod: podName(1), Container: "pytorch"}, train.UsedCPUThrottled, 0.41)
	l.pass(10 * time.Minute).says()
	l.pass(10 * time.Minute).says("info cpu-throttled: rank 1: CPU throttled in 41 % of the time for 19m")
	l = newLab(t, 2)
	l.use(train.Usage{Namespace: "llm", Pod: podName(1), Container: "pytorch"}, train.UsedCPUThrottled, 0.2)
	l.pass(30 * time.Minute).says()
}

// A fault of a board is a fault of each slice of it that a pod holds: exporters
// report it without the pods.
func TestABoardUnderHeldSlices(t *testing.T) {
	l := newLab(t, 2)
	l.silent[0], l.silent[1] = true, true
	readings := func(xid float64) {
		var board, slice train.Values
		board.Set(train.GPUXid, xid)
		slice.Set(train.GPUGraphics, 0.6)
		on := train.GPU{Node: nodeName(1), Index: "3", UUID: uuid(1, 3), Model: "NVIDIA H100 80GB HBM3"}
		held := on
		held.MIG, held.Namespace, held.Pod = train.MIG{Profile: "1g.10gb", Instance: "7"}, "llm", podName(1)
		l.Apply(store.Measured{Source: "exporter/" + nodeName(1), Node: nodeName(1), Every: every, Readings: []train.GPUReading{
			{GPU: on, Values: board, Source: train.FromDCGM, At: l.now}, {GPU: held, Values: slice, Source: train.FromDCGM, At: l.now},
		}})
	}
	readings(0)
	l.pass(every).says()
	readings(79)
	l.pass(every)
	found := l.report.Job("llama")
	if len(found) != 1 || found[0].Kind != "xid" || found[0].Rank != 1 || found[0].Cause != "gpu-fell-off-bus" {
		t.Errorf("the job has %+v, want the Xid of the board of rank 1", found)
	}
	if board := l.report.GPU(train.GPUID(uuid(1, 3))); len(board) != 1 {
		t.Errorf("the board has %+v", board)
	}
}
