package logfindings

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/train"
)

// wordsOf returns the words for a line where it reports less, or something
// else, than the words of its cause claim.
func wordsOf(hit *train.LogHit, w Words) Words {
	if own, has := lineWords[hit.Signature]; has {
		return own
	}
	if own, has := narrower(hit); has {
		return own
	}
	if x, is := repairedBy(hit); is {
		return Words{
			Title:   fmt.Sprintf("Xid %d: %s", x.Code, x.Meaning),
			Meaning: "The driver of the GPU reports a repair of its memory, or that errors were corrected. Nothing ends by it.",
			Fix:     capital(x.Action) + ".",
		}
	}
	switch victim := killedProgram(hit); {
	case victim != "":
		w.Title += ": " + victim
		return w
	case SigkillOnly(hit):
		return Killed
	case IsRefusal(hit):
		return Refused
	case BusErrorOnly(hit):
		return busError
	case hit.Cause == "permission-denied" && strings.Contains(strings.ToLower(hit.Text), "read-only file system"):
		return ReadOnlyFiles
	case (hit.Cause == "sigterm-received" || hit.Cause == "sighup-received") && hangup.MatchString(hit.Text):
		return hangupWords
	case hit.Cause == "sigterm-received" && interrupt.MatchString(hit.Text):
		return interruptWords
	case storageFailed[hit.Signature] && staleHandle.MatchString(hit.Text):
		return staleWords
	case storageFailed[hit.Signature] && ioError.MatchString(hit.Text):
		return ioErrorWords
	case hit.Cause == "dataset-download-failure" && slowDown.MatchString(hit.Text):
		return tooManyRequests
	case ofObjectStorage[hit.Signature] && clockSkew.MatchString(hit.Text):
		return directed(hit, clockDiffers)
	case ofObjectStorage[hit.Signature] && storageDenied.MatchString(hit.Text):
		return directed(hit, storageRefuses)
	case ofObjectStorage[hit.Signature] && storageAbsent.MatchString(hit.Text):
		return directed(hit, storageLacks)
	case hit.Cause == "dataset-download-failure":
		return transferWords(hit, w)
	}
	return w
}

// lineWords are words for signatures whose line states something else than the
// words of their cause.
var lineWords = map[string]Words{
	silentLog:                              goesOnWithoutSteps,
	"gpu-library":                          libraryCall,
	"cuda-invalid-value":                   libraryCall,
	"cuda-bad-call":                        libraryCall,
	"library-status-illegal-memory-access": libraryCall,
	"ray-memory":                           rayMemory,
	"resolve-failed":                       unresolved,
	"dra-cdi":                              deviceUnknown,
	"cdi-device":                           deviceUnknown,
	"toolkit-device":                       deviceUnknown,
	"workflow-pod-gone": {
		Title:   "The pod of a step was deleted",
		Meaning: "The workflow's controller found the pod of a step gone before it knew how the step ended: somebody deleted it, its node was drained or removed, or a clean-up of finished pods was faster.",
		Fix:     "Look for the pod in the cluster's events and in the log of the node's autoscaler, let the step be tried again (retryStrategy), and let pods be cleaned up later.",
	},
	"kernel-shared-memory": {
		Title:   "A kernel does not fit the shared memory of this GPU",
		Meaning: "A kernel asks for more of the GPU's own shared memory than a block can have there: it was tuned for a larger GPU, or its blocks are too large. Neither /dev/shm nor the GPU's main memory is meant.",
		Fix:     "Take smaller blocks or fewer stages (BLOCK_SIZE, num_stages), a version of the library that knows this GPU, or a GPU like the one that the kernel was made for.",
	},
	"not-enough-storage": {
		Title:   "No node's storage has room for the claim's volume",
		Meaning: "The scheduler compares the claim's size with the capacity that the storage driver reports for each node, and no node that will do has enough. The nodes' own disks and the pod's ephemeral-storage are not meant.",
		Fix: "See what the driver reports. $ kubectl get csistoragecapacities -A\n" +
			"Ask for a smaller volume, free or add storage there, or use another storage class.",
	},
	"tpu-fault": {
		Title:   "The TPU reported a fault",
		Meaning: "A TPU chip stopped with a fatal error, and all programs on it end. The message names the device of the host.",
		Fix:     "Note the host and the device, and start again on other TPUs: delete the slice or the node so that the cloud repairs or replaces it. If it follows the program, look for an address or a barrier that one host alone reaches.",
	},
	"licence": {
		Title:   "The program got no licence",
		Meaning: "The licence server does not answer, has no licence of this kind, or all of them are taken. Nodes of a cluster and containers often do not reach it.",
		Fix: "See which server the container is given. $ env\n" +
			"Compare the variable of the program (LM_LICENSE_FILE, MLM_LICENSE_FILE, ANSYSLMD_LICENSE_FILE: port@host) with the server, and see that network policies let the pod reach its port and that of the vendor's daemon.",
	},
	"slurm-allocate": {
		Title:   "Slurm gave no allocation",
		Meaning: "Slurm's controller refused the request, or did not serve it within the time that was given (--immediate). Nothing was started; the message says why.",
		Fix: "See what the partitions have, and in which state. $ sinfo\n" +
			"See what waits before it, and why. $ squeue --start",
	},
	"slurm-reason-insufficient-gpu":         slurmWaits,
	"slurm-pending-insufficient-gpu":        slurmWaits,
	"slurm-answer-admission-webhook-denied": slurmRefuses,
	"slurm-reason-admission-webhook-denied": slurmRefuses,
	"slurm-unkillable": {
		Title:   "Processes of a Slurm step do not end",
		Meaning: "Slurm killed the step's processes, and they are still there: most often they hang in the kernel, in a driver or on a file system that does not answer. Slurm drains the node for it.",
		Fix: "See which nodes are drained, and why. $ sinfo -R\n" +
			"On the node look for processes in state D and what they wait for. $ ps -eo pid,stat,wchan:32,cmd",
	},
	"tracker-refused": {
		Title:   "The experiment tracker does not answer or refuses",
		Meaning: "The server of the experiment tracker (MLflow, Comet, ClearML, Neptune, SwanLab) does not answer the pod, or refuses its key. The training script only called it.",
		Fix: "Check the tracker's key or token (from a Secret) and the address of its server, and that network policies (egress) and proxy variables (HTTPS_PROXY) let the pod reach it.\n" +
			"Train without it, and send what it recorded later.",
	},
	"gpu-ordinal": {
		Title:   "The program asked for a GPU number that it does not have",
		Meaning: "The program asked for a GPU by a number that does not exist in its container. Inside a container, behind CUDA_VISIBLE_DEVICES and under MPS, GPUs are counted from 0 again, and only those that the process may use.",
		Fix: "See which GPUs the container has. $ nvidia-smi -L\n" +
			"Compare their number with the processes of the pod (nproc_per_node, LOCAL_RANK) and with the list in CUDA_VISIBLE_DEVICES; use the local rank, not the global one, as the number of the GPU. Under MPS see CUDA_VISIBLE_DEVICES of the control daemon too.",
	},
	"tracker-failed": {
		Title:   "The experiment tracker fails",
		Meaning: "The traceback ends inside the experiment tracker (Weights & Biases, MLflow, Comet, ClearML, Neptune, SwanLab, Aim), which the training script only called: its server does not answer the pod, or refuses the key.",
		Fix: "Check the tracker's key or token (from a Secret) and the address of its server, and that network policies (egress) and proxy variables (HTTPS_PROXY) let the pod reach it.\n" +
			"Train without it, and send what it recorded later: WANDB_MODE=offline, or no call of the tracker.",
	},
	"hub-rate":          tooManyRequests,
	"rate-limit":        tooManyRequests,
	"http-429":          tooManyRequests,
	"scheduler-unknown": unknownScheduler,
	"filter-unknown":    unknownScheduler,
	"inotify-limit": {
		Title:   "The node's limit of inotify watches or instances is used up",
		Meaning: "A program could not watch files, because the node's limit of inotify watches or instances for its user is used up. All containers of that user on the node share the limit; neither a disk is full nor a file missing.",
		Fix: "See the limits. $ sysctl fs.inotify.max_user_watches fs.inotify.max_user_instances\n" +
			"Raise fs.inotify.max_user_watches (ENOSPC) or fs.inotify.max_user_instances (EMFILE) on the node, watch fewer files, or have the program poll.",
	},
}

// slurmWaits are words for a job that Slurm would start on any free nodes of its partition.
var slurmWaits = Words{
	Title:   "The job waits for nodes of its partition",
	Meaning: "Slurm holds the job pending because nodes with what it asks for are not free (Resources), or jobs of higher priority wait before it (Priority). Nothing is wrong with the job.",
	Fix: "See when Slurm expects to start it. $ squeue --start\n" +
		"See what the partitions have, and in which state. $ sinfo\n" +
		"Ask for fewer nodes or GPUs or a shorter time: a small job fits between others.",
}

// slurmRefuses are words for an account, a QOS or a partition that Slurm does not accept.
var slurmRefuses = Words{
	Title:   "Slurm refuses the account, the QOS or the partition of the job",
	Meaning: "Slurm's controller does not let this user submit with the account, QOS, partition or reservation that the job names; the message says which. Nothing was started.",
	Fix: "See which accounts, partitions and QOS the user has. $ sacctmgr show associations\n" +
		"See which partitions there are. $ sinfo\n" +
		"Correct --account, --qos, --partition or --reservation, or have the association added.",
}

// unknownScheduler is for reasons of schedulers that no row knows.
var unknownScheduler = Words{
	Title:   "The scheduler finds no node",
	Meaning: "The scheduler refuses the nodes for a reason of a plug-in, an extender or another scheduler than Kubernetes' own. The message quotes it.",
	Fix: "Look for the words of the reason in the documentation and the log of the scheduler that the pod names (schedulerName). $ kubectl get pods -A -o wide\n" +
		"See what the nodes offer and which labels they have. $ kubectl describe nodes",
}

// silentLog names the last step or count of a log that goes on without one.
const silentLog = "silent-log"

var goesOnWithoutSteps = Words{
	Title:   "No progress",
	Meaning: "The log goes on, but none of its lines is a step or a count that rises, for far longer than usual.",
	Fix: "Take a stack of each rank. $ py-spy dump --pid 1\n" +
		"Set TORCH_NCCL_TRACE_BUFFER_SIZE for the next run, so that PyTorch's flight recorder writes dumps; traintop reads them.",
}

// hangup matches SIGHUP in a launcher's or a program's report of a signal.
var hangup = regexp.MustCompile(`\bSIGHUP\b|\b[Rr]eceived 1 death signal|got signal: 1\b`)

var hangupWords = Words{
	Title:   "The session that started the program ended (SIGHUP)",
	Meaning: "The terminal or session that started the program ended, and the program ended with it (SIGHUP).",
	Fix:     "Start it as a job of its own, or with nohup or tmux, so that it does not end with the terminal.",
}

// interrupt matches SIGINT in such a report.
var interrupt = regexp.MustCompile(`\bSIGINT\b|\b[Rr]eceived 2 death signal|got signal: 2\b`)

var interruptWords = Words{
	Title:   "The program was interrupted (SIGINT)",
	Meaning: "A person pressed Ctrl-C, or a tool that runs the program sent what Ctrl-C sends (SIGINT); nothing of Kubernetes sends it.",
	Fix:     "If nobody did, see what wraps the program: a notebook, a session of a terminal, a scheduler that warns with SIGINT before its time limit.",
}

// storageFailed are signatures of errors that a storage gave.
var storageFailed = map[string]bool{"storage-read": true, "storage-go": true}

var (
	staleHandle = regexp.MustCompile(`(?i)\[Errno 116\]|errno = 116|stale (?:nfs )?file handle`)
	ioError     = regexp.MustCompile(`(?i)\[Errno (?:5|121)\]|errno = 5\b|Input/output error`)
)

var staleWords = Words{
	Title:   "A file of the network storage was replaced below its reader (stale file handle)",
	Meaning: "The file or folder that the program holds open exists no longer on the server: it was replaced or deleted by another node, or the server was restarted or exported anew. Room and rights are not what is wrong.",
	Fix: "See whether other jobs or a synchronisation replace the files while they are read; write new files under new names.\n" +
		"If the server was restarted, start the pods anew, so that they mount it again. See how it is mounted. $ mount",
}

var ioErrorWords = Words{
	Title:   "The storage failed (input/output error)",
	Meaning: "The kernel could not read or write the file: the disk, the network storage or its client fails. Room and rights are not what is wrong.",
	Fix: "Look for errors of the disk, NFS, Lustre or FUSE at that time in the kernel's log of the node. $ dmesg -T\n" +
		"See whether other nodes read the same file; if they do, move the job off this node, and have the node's disk or mount checked.",
}

// slowDown matches an object storage's answers to too many requests.
var slowDown = regexp.MustCompile(`\bSlow ?Down\b|SLOW_DOWN|\b(?:status|code|error)\b\W{0,3}(?:429|503 Slow)|Too Many Requests|TooManyRequests|RequestLimitExceeded|Throttl(?:ed|ing)|reduce your request rate|rateLimitExceeded`)

// ofObjectStorage are signatures of answers of an object storage.
var ofObjectStorage = map[string]bool{"bucket": true, "bucket-denied": true, "bucket-command": true, "bucket-answer": true, "tf-http": true}

// storageDenied and storageAbsent match such answers that refuse a right or a
// credential (403), and that there is no such object or bucket (404): codes of S3,
// Google Cloud Storage and Azure, and what their clients write for them.
var (
	storageDenied = regexp.MustCompile(`\bAccess ?Denied|ACCESS_DENIED|\((?:403|Forbidden)\)|\b(?:[Ss]tatus|code|error)\b(?: code)?\W{0,3}403\b|\b403 (?:Forbidden|Client Error|GET|HEAD|POST|PUT|DELETE)\b|\bexceptions\.Forbidden\b|does not have storage\.|not authorized to perform|Authorization(?:PermissionMismatch|Failure)|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken`)
	storageAbsent = regexp.MustCompile(`NoSuch(?:Key|Bucket)|NO_SUCH_(?:KEY|BUCKET)|\(404\)|\b(?:[Ss]tatus|code|error)\b(?: code)?\W{0,3}404\b|\b404 (?:Not Found|Client Error|GET|HEAD|POST|PUT)\b|\bexceptions\.NotFound\b|BucketNotFound|(?:Resource|Blob|Container)NotFound`)
)

// clockSkew matches such answers that the time of a request is too far from the
// server's: codes of S3, and Azure's text.
var clockSkew = regexp.MustCompile(`RequestTimeTooSkewed|RequestExpired|The difference between the request time and the (?:current|server's) time is too large|Request date header too old`)

var clockDiffers = Words{
	Title:   "The object storage refuses the time of a request (RequestTimeTooSkewed)",
	Meaning: "The time with which the request was signed is more than fifteen minutes from the server's: the clock of the node is wrong, or the request waited so long between signing and arriving, as with too many transfers at once. Rights and names are not what is wrong.",
	Fix: "Compare the node's clock with the time of others, and see whether its time service runs. $ timedatectl\n" +
		"If the clock is right, transfer less at once: fewer threads or workers, smaller parts.",
}

// directed puts what the program could not do before the title of what a storage
// answered, where the line shows it.
func directed(hit *train.LogHit, w Words) Words {
	switch title := strings.ToLower(w.Title[:1]) + w.Title[1:]; {
	case downloads.MatchString(hit.Text):
		w.Title = "Data could not be downloaded: " + title
	case uploads.MatchString(hit.Text):
		w.Title = uploadFailed.Title + ": " + title
	}
	return w
}

// RefusesAccess reports whether a text is the answer of an object storage that refuses
// a right or a credential.
func RefusesAccess(text string) bool { return storageDenied.MatchString(text) }

var storageRefuses = Words{
	Title:   "The object storage refuses access (403, AccessDenied)",
	Meaning: "The object storage was reached and refuses: the credentials of the pod are wrong or have expired, or their role or the policy of the bucket does not allow this operation. S3 also answers so for an object that does not exist, where the right to list the bucket is missing. The network is not what is wrong.",
	Fix: "See whose credentials the pod uses: its service account (IRSA, workload identity), the variables AWS_*, GOOGLE_APPLICATION_CREDENTIALS or AZURE_*, a mounted Secret.\n" +
		"Allow that identity the operation on the bucket and the path (s3:GetObject, s3:PutObject, s3:ListBucket), or renew its key.",
}

var storageLacks = Words{
	Title:   "The object or bucket does not exist (404, NoSuchKey)",
	Meaning: "The object storage was reached, accepts the credentials, and has no such object or bucket. Neither the network nor rights are what is wrong.",
	Fix:     "Compare the bucket, the path, the region and the endpoint with what the storage lists; see whether the object was deleted, or is still to be written by another job.",
}

var tooManyRequests = Words{
	Title:   "A server asks for fewer requests (429, SlowDown)",
	Meaning: "The server answers that it gets too many requests: from this job's ranks together, from this address, or from this account. Rights and names are not what is wrong.",
	Fix: "Let one rank of a node download and the others read its copy; load the data before the job starts.\n" +
		"Log in to the server, which raises most limits, or use a mirror or a cache inside the cluster.",
}

// libraryCall is the text for a call of cuBLAS or cuDNN that failed.
var libraryCall = Words{
	Title:   "A call of a GPU library failed",
	Meaning: "A call of CUDA, cuBLAS or cuDNN failed: its arguments were not valid, or the GPU did not finish the work. An error of an earlier kernel can show first in a later call of a library.",
	Fix: "Run once with CUDA_LAUNCH_BLOCKING=1: the traceback then names the call that fails. Compare shapes, types and indices there.\n" +
		"See whether the GPU's memory was nearly full, and whether libraries and driver fit each other. If it is always the same GPU, look for an Xid in the node's kernel log.",
}

// BusErrorOnly reports whether a line reports that a process ended by SIGBUS,
// and does not mention shared memory.
func BusErrorOnly(hit *train.LogHit) bool {
	signal, _ := signatures.EndReported(hit.Signature)
	return signal == 7 || hit.Signature == "fatal-bus" || hit.Signature == "exit-135"
}

// BusErrorMeaning explains SIGBUS.
const BusErrorMeaning = "SIGBUS ends a process that touches memory behind which nothing is left: /dev/shm is full (most often; Kubernetes gives it 64 MiB by default), a mapped file was cut or its disk is full or fails, or the node's memory is bad."

var busError = Words{
	Title:   "A bus error (SIGBUS): perhaps shared memory (/dev/shm) is too small",
	Meaning: BusErrorMeaning,
	Fix: "See how large and how full /dev/shm is. $ df -h /dev/shm\n" +
		"If it is small, mount an emptyDir with medium Memory at /dev/shm; it counts against the memory limit. If it has room, look at the files that the program maps and at their disk, and at the kernel's log of the node.",
}

// Texts of a transfer's direction: operations of S3 and Google Cloud Storage,
// commands and methods of HTTP.
var (
	uploads   = regexp.MustCompile(`\b(?:Put|Copy)Object\b|\bUploadPart|MultipartUpload\b|\bPutBlob|storage\.objects\.(?:create|delete|update)\b|[Uu]pload(?:ed|ing|s|Type|FailedError)?\b|S3UploadFailed|\b(?:PUT|POST) https?:|method (?:PUT|POST)\b`)
	downloads = regexp.MustCompile(`\b(?:Get|Head)(?:Object|Bucket)|\bListObjects|storage\.objects\.(?:get|list)\b|[Dd]ownload|\b(?:GET|HEAD) https?:|Couldn't reach|cached`)
)

// transferWords returns words that name the direction of a transfer only where
// the line shows it.
func transferWords(hit *train.LogHit, w Words) Words {
	switch {
	case downloads.MatchString(hit.Text):
		return w
	case uploads.MatchString(hit.Text):
		return uploadFailed
	case hit.Signature == "bucket" || hit.Signature == "bucket-denied" || hit.Signature == "bucket-command":
		return bucketFailed
	}
	return w
}

var uploadFailed = Words{
	Title:   "Data could not be uploaded",
	Meaning: "The program could not write to a storage over the network: credentials do not allow to write, the bucket is another one, or the network or the storage fails.",
	Fix:     "Check that the pod's credentials may write to that bucket and path, that the bucket exists, and that network policies (egress) and proxy variables (HTTPS_PROXY) let the pod reach it. Checkpoints can be written to a volume first.",
}

var bucketFailed = Words{
	Title:   "The object storage refuses or does not answer",
	Meaning: "A request to an object storage failed; whether it was to read or to write is not said. Credentials, the name of the bucket, the network or the storage fail.",
	Fix:     "Check the pod's credentials and what they allow, the bucket and the path, network policies (egress) and proxy variables (HTTPS_PROXY).",
}

// ReadOnlyFiles are words for EROFS: no right of a user allows to write there.
var ReadOnlyFiles = Words{
	Title:   "The file system is read-only",
	Meaning: "The program writes to a file system that is mounted read-only: a volume mounted with readOnly, a ConfigMap or Secret, the container's own files under readOnlyRootFilesystem, or a disk that the kernel made read-only after an error.",
	Fix: "See how the path is mounted. $ mount\n" +
		"Write to a volume that is writable, or drop readOnly from its mount; mount an emptyDir at /tmp where the root is read-only. If it was writable before, look for errors of the disk in the node's kernel log.",
}

var rayMemory = Words{
	Title:   "Ray's memory monitor killed a worker",
	Meaning: "The node or container that runs the worker used more memory than Ray's threshold (RAY_memory_usage_threshold, 95 % by default), and Ray killed a task or actor before the kernel would kill any process.",
	Fix: "See which workers use the memory. $ ray memory --stats-only\n" +
		"Raise limits.memory of the Ray pods, run fewer tasks at a time on each (num_cpus, or memory= of the task), or use smaller batches.",
}

var unresolved = Words{
	Title:   "A host name does not resolve",
	Meaning: "A host name that the program looked up has no address, and the line does not name it: where ranks meet (MASTER_ADDR) its headless Service is missing or not ready; of other hosts the name is wrong, or DNS does not answer the pod.",
	Fix: "See in the traceback which host it is. For the first rank's name see the Services and their endpoints. $ kubectl get services,endpoints\n" +
		"Create the headless Service, or correct its name, the pods' subdomain or the namespace. For other hosts correct the name, and see whether network policies (egress) let the pod reach DNS.",
}

// repairedBy returns the Xid that a line of the driver reports, if it is a notice that
// blames nobody.
func repairedBy(hit *train.LogHit) (train.Xid, bool) {
	if hit.Signature != "xid" || len(hit.Captures) < 4 {
		return train.Xid{}, false
	}
	x, is := train.XidNamed(cmp.Or(hit.Captures[1], hit.Captures[3]))
	return x, is && x.Blame == train.BlameNobody && x.Cause == hit.Cause
}
