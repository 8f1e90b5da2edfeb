package signatures

import (
	"regexp"
	"strconv"

	"github.com/traintop/traintop/train"
)

// kernelTexts are lines of a kernel's log: the NVIDIA driver's Xids, network
// cards, storage clients. Training logs repeat some of them.
var kernelTexts = []row{
	{"kernel-disk-full", "no-space-left", InAnyText, []string{" with error 28"}, `(?:EXT4|XFS|BTRFS)[^\n]* with error 28\b`, own + 2, false, "Linux fs/ext4/inode.c: ENOSPC while it writes back what programs have written"},
	{"xid", "gpu-xid-error", InAnyText, []string{"NVRM: Xid (", "Xid (PCI:", "NVRM: GPU at PCI", "Xid error", "XID error", "Xid Critical Error", "XidCriticalError", "DCGM_FI_DEV_XID_ERRORS"}, `Xid \((?:PCI:)?([0-9a-fA-F:.]+)\)(?::| )? ?(\d+)(?:, ([^\n]*))?|(?:X[Ii][Dd](?: | Critical |Critical)[Ee]rrors?[^\d\n(]{0,20}|DCGM_FI_DEV_XID_ERRORS(?:\{[^}\n]*\})?[ =:]+)(\d+)`, exact, false, "NVIDIA driver nvidia.ko; seen in public issues; NVIDIA device plugin internal/rm/health.go"},
	{"sxid", "nvlink-error", InAnyText, []string{"SXid (PCI:", "SXid error"}, `SXid \(PCI:([0-9a-fA-F:.]+)\): (\d+), ?([^\n]*)`, exact + 2, false, "NVIDIA NVSwitch driver"},
	{"fabric-log", "nvlink-error", InAnyText, []string{"detected NVSwitch ", "in the multicast team ", "with any supported system topology"}, `detected NVSwitch (?:non-)?fatal error (\d+)[^\n]*|failed to find the GPU handle \d+ in the multicast team [^\n]*|NVSwitches don't match with any supported system topology`, exact + 1, false, "NVIDIA Fabric Manager's own log, as gpud's fabric-manager/log_matcher.go reads it"},
	{"rminit", "gpu-xid-error", InAnyText, []string{"RmInitAdapter failed", "rm_init_adapter failed", "GPU has fallen", "Failed to enable MSI", "NVRM: GPU 0000", "osInitNvMapping"}, `NVRM: GPU [0-9a-f:.]+: [^\n]*(?i:\bfail)[^\n]*|RmInitAdapter failed[^\n]*|rm_init_adapter failed|osInitNvMapping(?: failed, bailing out|: \*\*\* Cannot attach gpu)`, exact - 2, false, "NVIDIA driver"},
	{"gsp-timeout", "gpu-xid-error", InAnyText, []string{"GSP Timeout", "eartbeat timed out"}, `_kgsp\w+: [^\n]*(?:\bGSP Timeout\b|[Hh]eartbeat timed out)[^\n]*`, exact - 2, false, "NVIDIA driver, open kernel modules kernel_gsp.c: the GPU's own processor does not answer, mostly with Xid 119"},
	{"nvidia-probe", "no-gpu-visible", InAnyText, []string{"NVRM: No NVIDIA ", "NVRM: The NVIDIA probe routine was not called"}, `NVRM: No NVIDIA (?:graphics adapter|GPU|devices?)\S* (?:probed|found)[^\n]*|NVRM: The NVIDIA probe routine was not called for (\d+) device`, exact - 4, false, "NVIDIA driver nvidia.ko nv.c: another driver holds the devices, or there are none; seen in public issues"},
	{"driver-api", "cuda-driver-mismatch", InAnyText, []string{"NVRM: API mismatch: ", "NVRM: this kernel module has the version "}, `NVRM: API mismatch: [^\n]*|NVRM: this kernel module has the version (\S+)\.?`, own + 9, false, "NVIDIA driver nvidia.ko: libraries of another version than the module that is loaded; seen in public issues"},
	{"kernel-segfault", "segfault", InAnyText, []string{"segfault at ", "general protection fault"}, `(?:(\S+)\[(\d+)\]: )segfault at [^\n]*|segfault at \S+ r?ip [^\n]*|general protection fault[^\n]*|traps: (\S+)\[\d+\] (?:general protection|trap)`, own + 8, false, "Linux; seen in public issues"},
	{"amd-gpu-reset", "gpu-xid-error", InKernel | InLog, []string{"amdgpu: GPU reset", "amdgpu: ring ", "amdgpu 0000", "amdgpu_job_timedout", "fence wait loop timeout expired", "due to an unsuccessful queues preemption", "MES failed to response msg", "MES might be in unrecoverable state", "amdgpu: Failed to quiesce KFD"}, `fence wait loop timeout expired|cp might be in an unrecoverable state[^\n]*|MES (?:failed to response|might be in unrecoverable state)[^\n]*|Failed to quiesce KFD|amdgpu[^\n]*(?:GPU reset begin|ring \S+ timeout|GPU fault detected|RAS[^\n]*uncorrectable|fatal error)[^\n]*|amdgpu_job_timedout[^\n]* ring \S+ timeout[^\n]*`, exact - 2, false, "Linux amdgpu and amdkfd kfd_device_queue_manager.c, mes_v11_0.c"},
	{"intel-gpu-reset", "gpu-xid-error", InKernel | InLog, []string{"[drm] GT", "[drm] GPU HANG", "device coredump has been created", " as wedged"}, `\b(?:xe|i915) [0-9a-f:.]+: \[drm\][^\n]*(?:Engine reset: |GPU HANG: |device coredump has been created|declared device \S+ as wedged)[^\n]*`, exact - 2, false, "Linux drivers xe (xe_guc_submit.c, xe_devcoredump.c, xe_device.c) and i915 (i915_gpu_error.c): an engine that did not go on was reset"},
	{"habana-init", "gpu-xid-error", InKernel | InLog, []string{"Device is NOT usable", "habanalabs hl", "habanalabs accel"}, `Failed to initialize \S+?\. Device is NOT usable|habanalabs \S+: (?:failed to initialize the H/W|Failed to communicate with Device CPU[^\n]*|[Dd]evice heartbeat failed[^\n]*|Device CPU packet timeout[^\n]*)`, exact - 2, false, "Linux habanalabs device.c, firmware_if.c: an accelerator that does not start or does not answer"},
	{"amd-page-fault", "illegal-memory-access", InKernel | InLog, []string{"VM_L2_PROTECTION_FAULT_STATUS", "VM_CONTEXT1_PROTECTION_FAULT_", "] page fault (src_id:", "retry page fault (src_id:", "in page starting at address 0x", "sq_intr: error"}, `(?:VM_L2|VM_CONTEXT1)_PROTECTION_FAULT_(?:STATUS|ADDR)[^\n]*|amdgpu[^\n]* page fault \(src_id:[^\n]*|amdgpu[^\n]*in page starting at address 0x[0-9a-f]+ from[^\n]*|sq_intr: error,[^\n]* (?:err_)?type [12]\b[^\n]*`, own + 3, false, "Linux amdgpu gmc_v6_0.c to gmc_v12_0.c, amdkfd kfd_int_process_v9.c to v11.c (type 1 an instruction, 2 an address): a process touched an address that is not mapped, as NVIDIA's Xid 31; seen in public issues"},
	{"amd-ecc", "gpu-ecc-error", InKernel | InLog, []string{" uncorrectable hardware errors detected in ", "ncorrectable hardware error(ERREVENT_ATHUB", "sq_intr: error"}, `[Uu]ncorrectable hardware error\(ERREVENT_\w+\) detected|amdgpu[^\n]*[ }]([1-9]\d*) uncorrectable hardware errors detected in (?:total in )?(\S+)|sq_intr: error,[^\n]* (?:err_)?type [03]\b[^\n]*`, exact, false, "Linux amdgpu_ras.c, and amdkfd, where a wave read what cannot be corrected"},
	{"hung-task", "storage-hang", InAnyText, []string{"blocked for more than"}, `task (\S+?):(\d+) blocked for more than (\d+) seconds`, own + 10, false, "Linux kernel/hung_task.c"},
	{"hung-task-note", "storage-hang", InAnyText, []string{"/proc/sys/kernel/hung_task_timeout_secs"}, `echo 0 > /proc/sys/kernel/hung_task_timeout_secs" disables this message`, own + 1, false, "Linux kernel/hung_task.c: the line below the one that names the task"},
	{"nfs-not-responding", "storage-hang", InAnyText, []string{"not responding, still trying", "not responding, timed out", "Connection to ", "was evicted by", "LustreError: ", "@@@ Request sent has ", "ceph: mds"}, `@@@ Request sent has (?:timed out|failed due to network error)[^\n]*|nfs: server (\S+) not responding[^\n]*|Lustre(?:Error)?: [^\n]*(?:Connection to \S+[^\n]* was lost|was evicted by|not responding)[^\n]*|LustreError: [^\n]*(?:timeout|evicted)[^\n]*|LustreError: [^\n]*operation \S+ to node \S+ failed: rc = -(?:107|108|110)\b|ceph: mds\d+ hung`, own + 6, false, "Linux NFS client: seen in public issues; Ceph fs/ceph/mds_client.c; Lustre ptlrpc/client.c: seen in public issues"},
	{"ceph-unreachable", "failed-mount-timeout", InAnyText, []string{"libceph: mon", "libceph: connect", "libceph: auth ", "ceph: No mds server"}, `libceph: mon\d+ \S+ (?:socket closed|socket error|connect error)[^\n]*|libceph: connect \S+ error -\d+|libceph: auth (?:protocol|method) [^\n]*(?:failed|error)[^\n]*|ceph: No mds server is up or the cluster is laggy`, own - 10, false, "Linux net/ceph/messenger.c and fs/ceph/super.c; seen in public issues"},
	{"nfs-ok", "", InAnyText, []string{"nfs: server ", "libceph: mon"}, `nfs: server (\S+) OK|libceph: mon\d+ \S+ session established`, 0, false, "Linux NFS and Ceph clients: healed"},
	{"mlx-cable", "network-hw-degraded", InAnyText, []string{"Cable unplugged", "insufficient power on the PCIe slot", "Port module event", "Detected insufficient power", "Link down", "link_downed", "symbol_error", "port_xmit_discards", "High Temperature", "NIC Link is Down", "_counter\" increased during the run"}, `"(?:link_|symbol_|port_rcv_|local_link_)\w+" increased during the run[^\n]*|mlx[45]\S*[^\n]*(?:Cable unplugged|Cable error|[Ii]nsufficient power|Link down|High Temperature)[^\n]*|Detected insufficient power[^\n]*|[Ii]nsufficient power on the PCIe slot|Port module event\S*: module \d+, Cable (?:unplugged|error)[^\n]*|(?:link_downed|symbol_error)\w*[ =:]+[1-9]\d*|NIC Link is Down`, exact - 4, false, "Linux mlx5_core, InfiniBand counters"},
	{"mlx-health", "network-hw-degraded", InAnyText, []string{"mlx5_core", "mlx4_core", "NETDEV WATCHDOG: "}, `NETDEV WATCHDOG: [^\n]*transmit queue \d+ timed out[^\n]*|mlx[45]_core[^\n]*(?:TX timeout|health compromised|device's health|FW fatal|fatal error|poll_health[^\n]*|internal error|assert_var|timeout\. Will cause a leak)`, exact - 4, false, "Linux mlx5_core en_main.c and health.c, net/sched/sch_generic.c of any card"},
	{"smi-thermal", "thermal-throttle", InAnyText, []string{"Thermal Slowdown", "ThermalSlowdown Active", "_thermal_slowdown", `clock_event="hw_thermal"`, `clock_event="sw_thermal"`, "due to thermal violation"}, `(?:HW|SW) Thermal Slowdown *: Active\b|HW Thermal Slowdown \([^)]*\) is engaged|SW Thermal Slowdown is active|\.ThermalSlowdown Active|clock_event="[hs]w_thermal"[^\n]*\} [1-9]|[Dd]etected clocks? (?:throttl\w+|event) due to thermal violation[^\n]*`, own - 2, false, "nvidia-smi -q -d PERFORMANCE, Throttle Reasons to driver 530 and Event Reasons since; dcgm-exporter's DCGM_EXP_CLOCK_EVENTS_COUNT; dcgm_errors.h; gpud"},
	{"smi-brake", "power-cap", InAnyText, []string{"HW Power Brake Slowdown", "PowerBrakeSlowdown Active", `clock_event="hw_power_brake"`, `clock_event="power_brake"`, "due to power violation"}, `HW Power Brake Slowdown *: Active\b|HW Power Brake Slowdown \([^)]*\) is engaged|\.PowerBrakeSlowdown Active|clock_event="(?:hw_)?power_brake\w*"[^\n]*\} [1-9]|[Dd]etected clocks? (?:throttl\w+|event) due to power violation[^\n]*`, own - 2, false, "as above: the power supply asks for it"},
	{"smi-remapped", "gpu-ecc-error", InAnyText, []string{"   : Yes", "Remapping Failure Occurred"}, `^\s*Pending\s+: Yes\b|Remapping Failure Occurred\s*: Yes\b|Pending Page Blacklist\s*: Yes\b`, own - 2, false, "nvidia-smi -q, Remapped Rows and Retired Pages: a reset is due, or the rows are used up; no other Pending is Yes or No"},
	{"dcgm-ecc", "gpu-ecc-error", InAnyText, []string{"DCGM_FI_DEV_ROW_REMAP_", "DCGM_FI_DEV_ECC_DBE_VOL_", "DCGM_FI_DEV_RETIRED_PENDING"}, `DCGM_FI_DEV_(?:ROW_REMAP_(?:FAILURE|PENDING)|ECC_DBE_VOL_\w+|RETIRED_PENDING)(?:\{[^}\n]*\})?[ =:]+[1-9]\d*(?:\.0+)?\b`, own, false, "dcgm-exporter, dcgm_fields.h: what the driver counts since it was loaded, or what a reset has to mend"},
	{"smi-fabric", "nvlink-error", InAnyText, []string{": In Progress"}, `^\s*State\s+: In Progress\b`, general, false, "nvidia-smi -q, Fabric: the GPU waits for the fabric manager, and CUDA fails with 802"},
	{"smi-power-cap", "power-cap", InAnyText, []string{"SW Power Cap", "to not exceed currently set power limits"}, `SW Power Cap *: Active\b|Clocks have been optimized to not exceed currently set power limits`, own - 12, false, "as above: usual at full load, and a failure only where the clocks are low"},
	{"pcie-width", "pcie-degraded", InAnyText, []string{"(downgraded)"}, `LnkSta:\s+Speed [^\n]*Width x\d+ \(downgraded\)`, own - 4, false, "pciutils ls-caps.c, lspci -vv: fewer lanes than the device has"},
	{"pcie-speed", "pcie-degraded", InAnyText, []string{"(downgraded)"}, `LnkSta:\s+Speed [\d.]+GT/s \(downgraded\)`, own - 12, false, "as above: links that nothing is sent over run slower, so it is a hint"},
	{"aer", "gpu-xid-error", InKernel, []string{"AER: Uncorrected", "Uncorrected (Fatal)", "AER: Multiple Uncorrected", "AER: Uncorrectable", "Uncorrectable (Fatal)", "AER: Multiple Uncorrectable"}, `(?:AER: (?:Multiple )?Uncorrect(?:ed|able)[^\n]*(?:Fatal|error)[^\n]*|Uncorrect(?:ed|able) \(Fatal\))`, own - 10, false, "Linux PCIe AER"},
	{"gpu-lockup", "gpu-xid-error", InAnyText, []string{"Guilty Lockup"}, `(?:MTGPU|PVR_K):\(Error\): [^\n]*Guilty Lockup`, exact - 2, false, "Linux drivers of Moore Threads and Imagination: the process whose kernel stopped the GPU; those of others are innocent; seen in public issues"},
	{"disk-errors", "storage-hang", InKernel, []string{"EXT4-fs error", "XFS (dm-", "XFS (nvme", "I/O error, dev"}, `EXT4-fs error[^\n]*|XFS \(\S+\): [^\n]*(?:[Cc]orruption|log I/O error|metadata I/O error)[^\n]*|I/O error, dev (\S+)[^\n]*`, general, false, "Linux file systems and block devices: the disk or its network did not read or write"},
	{"memory-dump", "oom-killed", InAnyText, []string{"oom_reaper: reaped process", "invoked oom-killer", "oom-kill:constraint", "total-vm:", "OOMKilling", "mem_cgroup_out_of_memory", "oom_kill_process", "memory: usage "}, `(?:mem_cgroup_out_of_memory|oom_kill_process)(?:\.cold)?(?:\.\d+)?\+0x|\bmemory: usage \d+kB, limit \d{1,12}kB, failcnt \d+|oom_reaper: reaped process (\d+)|(\S+) invoked oom-killer|Killed process (\d+) \([^)]*\),? (?:UID \d+,? )?total-vm:|\bOOMKilling\b`, own + 5, false, "Linux mm/oom_kill.c and mm/memcontrol.c mem_cgroup_print_oom_meminfo: which limit, the next lines say; seen in public issues"},
}

// previousXid matches what the driver adds to Xid 45: the error after which it
// cleaned up (NVIDIA/open-gpu-kernel-modules issue 1150, driver 590).
var previousXid = regexp.MustCompile(`caused by previous Xid (\d+)`)

// recovered matches Xid 154 of a GPU that needs no recovery any more (NVIDIA's Xid
// documentation: the recovery action changed from one to another).
var recovered = regexp.MustCompile(`changed from [^\n]* to 0x0 \(None\)`)

// xidOfProgram is the weight of an Xid that a program's own error brings about: an
// Xid of the hardware shows more, whichever came first.
const xidOfProgram = own + 3

// refineXid sets the cause of an Xid's line by its number.
func refineXid(m *Match) {
	number := m.Captures[1]
	if number == "" {
		number = m.Captures[3]
	}
	if before := previousXid.FindStringSubmatch(m.Captures[2]); before != nil {
		number = before[1]
	}
	code, err := strconv.Atoi(number)
	if err != nil {
		return
	}
	if code == 154 && recovered.MatchString(m.Captures[2]) {
		m.Cause, m.Weight = "", exact
		return
	}
	if code == 0 { // a counter without an Xid
		m.Cause = ""
		return
	}
	if x := train.XidOf(code); x.Known() {
		m.Cause = x.Cause
		if m.Weight = exact; x.Cause == "illegal-memory-access" {
			m.Weight = xidOfProgram
		}
	}
}
