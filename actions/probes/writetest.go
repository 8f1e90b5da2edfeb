package probes

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
)

// writeScript writes 64 MiB to a new file in each given folder, and removes it, even when
// it is stopped.
const writeScript = `
f=
trap '[ -n "$f" ] && rm -f -- "$f"' EXIT
trap 'exit 1' HUP INT TERM
for d in "$@"; do
  f="$d/.traintop-write-test-$$"
  echo "@folder|$d"
  LC_ALL=C dd if=/dev/zero of="$f" bs=1048576 count=64 conv=fsync 2>&1
  echo "@code|$?"
  rm -f -- "$f"
done
f=
`

func writeTest() Probe {
	return Probe{
		ID: "write-test", Title: "write to the checkpoint volume",
		About:  "Writes 64 MiB to each volume that outlives the pod, says how fast, and removes the file.",
		Writes: true, Timeout: 2 * time.Minute,
		Commands: func(s *store.Snapshot, t actions.Target) [][]string {
			folders := checkpointFolders(s.Pod(t.Namespace, t.Pod), t.Name)
			if len(folders) == 0 {
				return nil
			}
			return [][]string{shell(writeScript, folders...)}
		},
		Read: readWrites,
	}
}

// mostFolders bounds how many volumes are written to.
const mostFolders = 4

// checkpointFolders are the writable volumes of a container that outlive its pod, those
// with names like checkpoints first.
func checkpointFolders(pod *corev1.Pod, container string) []string {
	if pod == nil {
		return nil
	}
	lasting := map[string]bool{}
	for i := range pod.Spec.Volumes {
		v := &pod.Spec.Volumes[i]
		lasting[v.Name] = v.PersistentVolumeClaim != nil && !v.PersistentVolumeClaim.ReadOnly || v.NFS != nil && !v.NFS.ReadOnly ||
			v.HostPath != nil || v.CSI != nil || v.Ephemeral != nil || v.CephFS != nil || v.FlexVolume != nil || v.AzureFile != nil
	}
	var folders []string
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		if container != "" && c.Name != container || container == "" && i > 0 {
			continue
		}
		for _, m := range c.VolumeMounts {
			if lasting[m.Name] && !m.ReadOnly && !under(m.MountPath, "/dev", "/sys", "/proc", "/etc", "/usr", "/var/run", "/run", "/lib") {
				folders = append(folders, m.MountPath)
			}
		}
	}
	slices.SortStableFunc(folders, func(a, b string) int { return cmp.Compare(unlikely(a), unlikely(b)) })
	return folders[:min(len(folders), mostFolders)]
}

var soundsLikeCheckpoints = regexp.MustCompile(`(?i)ckpt|checkpoint|output|model|save|result|work|experiment`)

func unlikely(folder string) int {
	if soundsLikeCheckpoints.MatchString(folder) {
		return 0
	}
	return 1
}

// copied matches the last line of dd: "67108864 bytes (67 MB, 64 MiB) copied,
// 0.0561 s, 1.2 GB/s" (coreutils 9), "... copied, 0.056123 seconds, 1.1GB/s"
// (busybox 1.36).
var copied = regexp.MustCompile(`^(\d+) bytes.* copied, ([0-9.e-]+) s`)

func readWrites(a actions.Answer) Result {
	if a.Failure != nil && a.Failure.Kind == actions.TooLate {
		return Result{State: Bad, Line: "64 MiB were not written in time: the volume hangs or is very slow", Key: "hangs", Detail: detail(a)}
	}
	if r, is := silent(a); is {
		return r
	}
	r := Result{State: Good, Detail: detail(a)}
	var said, keys []string
	folder, speed, trouble := "", "", ""
	for line := range lines(a.Stdout) {
		word, rest, _ := strings.Cut(line, "|")
		switch found := copied.FindStringSubmatch(line); {
		case word == "@folder":
			folder, speed, trouble = rest, "", ""
		case found != nil:
			speed = speedOf(found[1], found[2])
		case word == "@code" && rest == "0":
			said, keys = append(said, strings.TrimSpace(folder+" takes 64 MiB "+speed)), append(keys, folder+" ok")
		case word == "@code":
			r.State = Bad
			said, keys = append(said, "cannot write to "+folder+colon(trouble)), append(keys, folder+" fails")
		case strings.Contains(line, ": "):
			trouble = masked(line[strings.LastIndex(line, ": ")+2:])
		}
	}
	if len(said) == 0 {
		return unread(a)
	}
	r.Line, r.Key = strings.Join(said, "; "), strings.Join(keys, " ")
	return r
}

func speedOf(bytes, seconds string) string {
	n, err := strconv.ParseFloat(bytes, 64)
	took, also := strconv.ParseFloat(seconds, 64)
	if err != nil || also != nil || took <= 0 {
		return ""
	}
	return fmt.Sprintf("in %.2f s (%s/s)", took, termtext.Bytes(n/took))
}
