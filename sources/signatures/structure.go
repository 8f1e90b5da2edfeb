package signatures

// part is the role of a line in a text of several lines.
type part uint8

const (
	partNone part = iota
	// partTraceback begins a Python traceback, partFrame is a frame of one. If the
	// beginning of a traceback was cut off, frames come first.
	partTraceback
	partFrame
	partBox     // the line of rich's box at which the exception was raised
	partChain   // another exception follows from the previous one
	partIgnored // the traceback that follows was only reported, at exit
	partReport  // torchrun's report of failed ranks
	partProcess // torch.multiprocessing.spawn names the rank whose traceback follows
	partSaving  // the next lines may be about a checkpoint that could not be written
	partMade    // the name of a hit from several lines; no line has this part
	// partHeal reports that an earlier failure is over. Such a line becomes a
	// hit without a cause.
	partHeal
	partBlock      // Ray's report: the errors of the named ranks follow
	partTasks      // JAX's list of the tasks that stopped follows
	partTranslated // libc or a shell writes another language than English
)

// structureTexts are lines that give others their meaning. python-exception and
// torchrun's rows are also the names of the hits that result.
var structureTexts = []row{
	{"python-exception", "python-exception", InLog, []string{"Traceback (most recent call last)"}, "", general - 2, false, "Python"},
	{"python-frame", "", InLog, []string{"  File \"", "\", line "}, `  File "|^File "[^"]+", line \d+, in \S`, 0, false, "Python, also where a collector or a paste took the indentation"},
	{"python-box", "", InLog, []string{"│ ❱ "}, `^\s*│ ❱ +\d+ │`, 0, false, "rich traceback.py: the line that a frame is at, in a box whose top may be cut off; seen in public issues"},
	{"python-chain", "", InLog, []string{"During handling of the above exception", "The above exception was the direct cause"}, "", 0, false, "Python"},
	{"python-ignored", "", InLog, []string{"Exception ignored in"}, "", 0, false, "Python: in __del__, at exit"},
	{cutTraceback, "python-exception", InLog, []string{"Traceback (most recent call last)"}, "", lost, true, "Python: the log ends before the exception does"},
	{fetchFailed, "dataset-download-failure", InLog, []string{"Traceback (most recent call last)"}, "", own - 4, false, "Python: a connection that failed inside urllib3, requests, huggingface_hub and other clients of HTTP"},
	{trackerFailed, "wandb-timeout", InLog, []string{"Traceback (most recent call last)"}, "", own - 4, false, "Python: an exception inside wandb, mlflow, comet_ml, clearml, neptune, swanlab or aim that is no wrong call of it"},
	{interruptedCollective, "hang-no-output", InLog, []string{"Traceback (most recent call last)"}, "", general - 2, false, "Python: KeyboardInterrupt inside a collective of PyTorch's distributed_c10d.py; seen in public issues"},
	{interruptedRendezvous, "rendezvous-timeout", InLog, []string{"Traceback (most recent call last)"}, "", general - 2, false, "Python: KeyboardInterrupt inside init_process_group of PyTorch's distributed_c10d.py; seen in public issues"},
	{"python-bare", "python-exception", InLog, []string{"KeyError: ", "ValueError: ", "TypeError: ", "RuntimeError: ", "AttributeError: ", "IndexError: ", "AssertionError: ", "NotImplementedError: ", "OSError: ", "NameError: ", "SyntaxError: ", "ZeroDivisionError: ", "OverflowError: ", "UnicodeDecodeError: ", "ConnectionError: ", "TimeoutError: ", "EOFError: ", "UnboundLocalError: ", "HFValidationError: ", "ConfigError: ", "ValidationError: ", "InternalError: ", "InvalidArgumentError: ", "Exception: ", "FloatingPointError: ", "ConversionError: ", "SystemError: ", "AcceleratorError: ", "LinAlgError: ", "JSONDecodeError: ", "BackendCompilerFailed: ", "triton.runtime.errors.", "exceptions.", ".errors.", "pyarrow.lib.", "RecursionError: ", "DeadlineExceededError: ", "UnknownError: ", "NotFoundError: ", "UnimplementedError: ", "FailedPreconditionError: ", "AbortedError: ", "ReadError: "}, `^ {0,4}(?:[A-Za-z_]\w*\.)*(?:[A-Z]\w*(?:Error|Exception): [^\d\s.+-]|(?:BackendCompilerFailed|OutOfResources): |ValidationError: \d+ validation errors? for )|^(?:[a-z_]\w*\.)*(?:\w*exceptions|errors|lib)\.(?:[a-z_]\w*\.)*[A-Z]\w+: |^KeyError: -?\d+\s*$`, general - 4, false, "Python: the last line of a traceback alone"},
	{"usage", "python-exception", InLog, []string{": error: unrecognized arguments", ": error: the following arguments are required", ": error: argument ", ": error: ambiguous option", ": error: one of the arguments", ".py: error: "}, `^[^:\n]{1,80}: error: (?:unrecognized arguments|the following arguments are required|argument [^\n]*: (?:invalid|expected|not allowed)|ambiguous option|one of the arguments)[^\n]*|^[\w./-]{1,80}\.py: error: (?:Parser key |Validation failed|Configuration check failed|Problem with given class_path|[^\n]* --?[a-z][\w-]*|--[a-z])[^\n]*`, general - 4, false, "Python argparse.py: arguments that the program does not know or refuses, exit code 2; jsonargparse"},
	{"usage-click", "python-exception", InLog, []string{"Error: No such option: ", "Error: No such command ", "Error: Invalid value", "Error: Got unexpected extra argument", "No such option: -", "ERROR: Could not consume arg: ", "FATAL Flags parsing error"}, `^Error: (?:No such (?:option|command)|Invalid value|Got unexpected extra argument|Option '[^'\n]*' requires)[^\n]*|^[│|] No such option: -[^\n]*|^ERROR: Could not consume arg: [^\n]*|^FATAL Flags parsing error[^\n]*`, general - 4, false, "click exceptions.py, Typer, Python Fire core.py, Abseil flags: arguments that the program does not know or lacks"},
	{"hydra-config", "python-exception", InLog, []string{"Could not override '", "Could not append to config", "Could not delete from config", "Error merging override ", "' is not in struct", "' not in '", "Cannot find primary config '", "Error parsing override '", "Error locating target '", "Error in call to target '", "You must specify '"}, `^(?:Could not (?:override '|append to config|delete from config)|Error (?:merging override |parsing override '|locating target '|in call to target ')|Cannot find primary config '|You must specify ')[^\n]*|^Key '[^'\n]*' (?:is not in struct|not in '\w+'\s*$)`, general - 5, false, "Hydra _internal, OmegaConf: a configuration that names what does not exist"},
	{"hydra-absent", "python-exception", InLog, []string{": Could not find '", "Available options in '"}, `^(?:In '[^'\n]+': Could not find '|Available options in ')[^\n]*`, general - 5, false, "Hydra _internal/config_repository.py, defaults_list.py: an option that no configuration has, and those that there are"},
	{"hydra", "python-exception", InLog, []string{"Error executing job with overrides: ["}, "", wrapper + 1, true, "Hydra _internal/utils.py: the program ended by an exception, told below"},
	{"py-spy-main", "", InLog, []string{"\"MainThread\""}, `^Thread \S+ \((?:active|idle)[^)]*\): "MainThread"`, 0, false, "py-spy dump: the main thread's stack follows, innermost frame first"},
	{"saving", "", InLog, []string{"aving checkpoint", "aving the checkpoint", "aving model"}, "", 0, false, "trainers: nnU-Net, MMEngine, transformers, Megatron-LM"},
	{"jax-tasks", "", InLog, []string{"tasks are unhealthy", "timed out task names:"}, "", 0, false, "JAX coordination service: the tasks follow, a line each"},
	{"spawn-process", "", InLog, []string{"terminated with the following error"}, `^(?:-- |(?:\w+\.)*Process(?:Raised)?Exception: )?Process (\d+) terminated with the following error`, 0, false, "torch.multiprocessing.spawn; paddle.distributed.spawn without the dashes"},
	{"cpp-exception", "abort-sigabrt", InLog, []string{"terminate called after throwing", "libc++abi: terminating"}, "", general - 16, true, "libstdc++: the words after it tell more"},

	{"torchrun-report", "", InLog, []string{"Root Cause (first observed failure)", "(local_rank: ", "Failures:", "ChildFailedError:"}, "", 0, false, "PyTorch ChildFailedError; seen in public issues"},
	{rootCut, "torchrun-child-failed", InLog, []string{"Root Cause (first observed failure)"}, "", wrapper, true, "PyTorch ChildFailedError: the block of the first failure, cut off before its exit code"},
	{"child-killed", "oom-killed", InLog, []string{"exitcode  : ", "exitcode: -9", "(exitcode: ", "(exitcode -", "with signal 9", "return code = -9", "signal: 9"}, `exitcode *: -9(?: \(|\s*$)|failed \(exitcode: -9\)(?: local_rank: (?P<rank>\d+))?|exitcode -9\)|return code = -9\b`, own - 9, false, "PyTorch, DeepSpeed: SIGKILL of a child, mostly the memory limit; seen in public issues"},
	{"child-signalled", "sigkill-received", InLog, []string{"terminated with signal 9", "terminated with signal SIGKILL"}, `terminated with signal (?:9\b|SIGKILL)`, own - 9, false, "torch.multiprocessing.spawn, launchers that name the signal: who sent it is not known"},
	{"child-memory", "oom-killed", InLog, []string{"ran out-of-memory and exited with a non-zero status of "}, `The replica \S+ (?P<rank>\d+) ran out-of-memory and exited`, own + 1, false, "Google AI Platform: what it says of a replica that was killed"},
	{"child-segfault", "segfault", InLog, []string{"exitcode  : ", "exitcode: -11", "signal SIGSEGV", "return code = -11"}, `exitcode *: -11(?: \(|\s*$)|failed \(exitcode: -11\)(?: local_rank: (?P<rank>\d+))?|terminated with signal (?:11|SIGSEGV)|return code = -11\b`, own - 4, false, "PyTorch, DeepSpeed; seen in public issues"},
	{"child-bus", "shm-too-small", InLog, []string{"exitcode  : ", "(exitcode: ", "return code = -7", "terminated with signal SIGBUS"}, `exitcode +: -7 \(|failed \(exitcode: -7\)(?: local_rank: (?P<rank>\d+))?|terminated with signal SIGBUS|return code = -7\b`, own - 7, false, "PyTorch, DeepSpeed: SIGBUS; seen in public issues"},
	{"child-abort", "abort-sigabrt", InLog, []string{"exitcode  : ", "(exitcode: ", "return code = -6"}, `exitcode +: -6 \(|failed \(exitcode: -6\)(?: local_rank: (?P<rank>\d+))?|return code = -6\b`, wrapper + 2, true, "PyTorch, DeepSpeed: SIGABRT; seen in public issues"},
	{"child-terminated", "sigterm-received", InLog, []string{"(SIGTERM) received by PID", "exitcode  : ", "(exitcode: ", "return code = -15"}, `Signal 15 \(SIGTERM\) received by PID|exitcode +: -15 \(|failed \(exitcode: -15\)(?: local_rank: (?P<rank>\d+))?|return code = -15\b`, lost - 1, true, "PyTorch, DeepSpeed: SIGTERM; the report seen in public documents, as of 2026 with the name of the signal behind"},
	{"child-illegal", "image-arch-mismatch", InLog, []string{"exitcode  : ", "(exitcode: ", "return code = -4"}, `exitcode +: -4 \(|failed \(exitcode: -4\)(?: local_rank: (?P<rank>\d+))?|return code = -4\b`, own - 5, false, "PyTorch, DeepSpeed: SIGILL"},
	{"child-float", "application-error", InLog, []string{"exitcode  : ", "(exitcode: ", "return code = -8"}, `exitcode +: -8 \(|failed \(exitcode: -8\)(?: local_rank: (?P<rank>\d+))?|return code = -8\b`, general - 3, false, "PyTorch, DeepSpeed: SIGFPE; seen in public issues"},
	{"child-hangup", "sighup-received", InLog, []string{"exitcode  : ", "(exitcode: ", "return code = -1"}, `exitcode +: -1 \(|failed \(exitcode: -1\)(?: local_rank: (?P<rank>\d+))?`, lost - 1, true, "PyTorch: SIGHUP"},
	{"child-killed-fabric", "oom-killed", InLog, []string{"terminated with code -9"}, `\[rank: (?P<rank>\d+)\] Child process with PID \d+ terminated with code -9\b`, own - 9, false, "Lightning subprocess launcher: SIGKILL, mostly the memory limit; seen in public issues"},
	{"child-segfault-fabric", "segfault", InLog, []string{"terminated with code -11"}, `\[rank: (?P<rank>\d+)\] Child process with PID \d+ terminated with code -11\b`, own - 4, false, "Lightning subprocess launcher; seen in public issues"},
	{"child-failed-fabric", "torchrun-child-failed", InLog, []string{"Child process with PID "}, `\[rank: (?P<rank>\d+)\] Child process with PID \d+ terminated with code (-?\d+)`, wrapper + 1, true, "Lightning subprocess launcher; seen in public issues"},
	{"child-failed", "torchrun-child-failed", InLog, []string{"exitcode  : ", "(exitcode: "}, `exitcode +: (-?\d+) \(|failed \(exitcode: (-?\d+)\)(?: local_rank:(?: (?P<rank>\d+))?)?`, wrapper + 1, true, "PyTorch, of signals those that no row above has; seen in public issues"},

	{"event-scheduled", "", InEvent, []string{"Successfully assigned "}, "", 0, false, "kube-scheduler; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"event-attached", "", InEvent, []string{"SuccessfulAttachVolume", "AttachVolume.Attach succeeded"}, "", 0, false, "attach/detach controller; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"event-mounted", "", InEvent, []string{"SetUp succeeded for volume"}, `MountVolume\.SetUp succeeded for volume "([^"]*)"`, 0, false, "kubelet, event SuccessfulMountVolume; read in 1.10"},
	{"event-pulled", "", InEvent, []string{"Successfully pulled image", "already present on machine"}, "", 0, false, "kubelet; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"event-started", "", InEvent, []string{"Started container", "Container started"}, "", 0, false, "kubelet; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"event-provisioned", "", InEvent, []string{"ProvisioningSucceeded", "Successfully provisioned volume"}, "", 0, false, "external-provisioner"},
	{"event-scale-up", "", InEvent, []string{"TriggeredScaleUp", "pod triggered scale-up", "NodeClaim", "Final scale-up plan"}, `TriggeredScaleUp|pod triggered scale-up|Final scale-up plan|Pod should schedule on`, 0, false, "cluster-autoscaler, karpenter"},
	{"event-kept", "", InEvent, []string{"Cancelling deletion of Pod"}, "", 0, false, "taint eviction controller"},
	{"event-created", "", InEvent, []string{"SuccessfulCreate", "Created pod: "}, `SuccessfulCreate(?:Pod)?\s|Created pod: `, 0, false, "kube-controller-manager's controllers, training-operator: an owner got a pod; read in 1.36"},
	{"event-completed", "", InEvent, []string{"Job completed"}, `\bCompleted\s[^\n]*\bJob completed\s*$`, 0, false, "kube-controller-manager's job controller; read in 1.36"},
	{"event-admitted", "", InEvent, []string{"Admitted by ClusterQueue", "Admitted by clusterQueue", "Job resumed", "The workload is admitted", "has become schedulable in queue", "fits in the available user quota"}, "", 0, false, "Kueue: the workload runs; YuniKorn: its quota is free"},
	{"event-node-well", "", InEvent, []string{"status is now: NodeHasNoDiskPressure", "status is now: NodeHasSufficient"}, `status is now: NodeHas(NoDiskPressure|SufficientMemory|SufficientPID)`, 0, false, "kubelet, an event of the node: also told at its start"},
	{"event-node-ready", "", InEvent, []string{"status is now: NodeReady"}, `Node (\S+) status is now: NodeReady`, 0, false, "kubelet, node lifecycle controller: an event of the node that was not ready"},
	{"plugin-registered", "", InAnyText, []string{"Registered device plugin "}, `Registered device plugin (?:for '|with Kubelet)`, 0, false, "NVIDIA k8s-device-plugin: a later try has succeeded"},
	{"group-running", "", InEvent, []string{"phase: Running"}, `^\s{0,2}phase: Running\s*$`, 0, false, "Volcano PodGroup's status as YAML"},
	{"claim-status", "", InEvent, []string{"    Bound", "    Pending"}, `^Status:\s+(Bound|Pending)\s*$`, 0, false, "kubectl describe pvc: what the events below it have come to"},
	{"rendezvous-done", "", InLog, []string{"Init COMPLETE", "Rendezvous complete", "rendezvous complete", "Completed store-based barrier", "successfully connected to", "initialized tensor model parallel"}, "", 0, false, "NCCL, torch.distributed, Megatron-LM"},
}

// partOf returns the part of a row of structureTexts.
func partOf(name string) part {
	switch name {
	case "python-exception":
		return partTraceback
	case "python-frame":
		return partFrame
	case "python-box":
		return partBox
	case "python-chain":
		return partChain
	case "python-ignored":
		return partIgnored
	case "torchrun-report":
		return partReport
	case "spawn-process":
		return partProcess
	case "saving":
		return partSaving
	case rayBlock:
		return partBlock
	case "jax-tasks":
		return partTasks
	case translated:
		return partTranslated
	case cutTraceback, rootCut, fetchFailed, trackerFailed, interruptedCollective, interruptedRendezvous:
		return partMade
	case "event-scheduled", "event-attached", "event-mounted", "event-pulled", "event-started", "event-provisioned", "event-scale-up", "event-kept", "event-created", "event-completed", "event-admitted", "event-node-well", "event-node-ready", "plugin-registered", "group-running", "claim-status", "py-spy-main", "rendezvous-done", "nfs-ok":
		return partHeal
	}
	if isFrameFact(name) {
		return partMade
	}
	return partNone
}
