package probes

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
)

const diskScript = `df -Pk; echo inodes; df -Pi`

func diskSpace() Probe {
	return Probe{
		ID: "disk", Title: "disk space",
		About:   "How full every mount is, in bytes and in inodes; a mount that hangs shows as no answer.",
		Timeout: 30 * time.Second,
		Commands: func(*store.Snapshot, actions.Target) [][]string {
			return [][]string{shell(diskScript), {"df", "-Pk"}}
		},
		Read: readDisk,
	}
}

// mount is a line of df.
type mount struct {
	device, path string
	size, free   float64 // bytes; inodes for df -i
	percent      int
}

// dfLine matches a line of df -P: POSIX fixes the columns, but devices and paths may
// contain spaces (coreutils 9, busybox 1.36).
var dfLine = regexp.MustCompile(`^(\S.*?)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\d+)%\s+(/.*)$`)

func readDF(text []byte) []mount {
	var found []mount
	for line := range lines(text) {
		parts := dfLine.FindStringSubmatch(line)
		if parts == nil || len(found) == maxDetail {
			continue
		}
		total, _ := strconv.ParseFloat(parts[2], 64)
		free, _ := strconv.ParseFloat(parts[4], 64)
		percent, err := strconv.Atoi(parts[5])
		if err != nil {
			continue
		}
		found = append(found, mount{parts[1], parts[6], total * 1024, free * 1024, percent})
	}
	return found
}

// diskFull is the percentage of use from which a checkpoint may not fit (by feel; the
// kubelet evicts at 85 to 90 % of the node's own disks).
const diskFull = 95

func readDisk(a actions.Answer) Result {
	if a.Failure != nil && a.Failure.Kind == actions.TooLate {
		return Result{State: Bad, Line: "df does not come back: a mount hangs, of a file server that does not answer as a rule", Key: "hangs", Detail: detail(a)}
	}
	if r, is := silent(a); is {
		return r
	}
	bytes, inodes, _ := strings.Cut(string(a.Stdout), "\ninodes\n")
	mounts := distinct(readDF([]byte(bytes)))
	if len(mounts) == 0 {
		return unread(a)
	}
	r := Result{State: Good, Detail: detail(a)}
	var full, paths []string
	for _, m := range mounts {
		paths = append(paths, m.path)
		if m.percent >= diskFull {
			full = append(full, fmt.Sprintf("%s is %d %% full (%s free of %s)", m.path, m.percent, termtext.Bytes(max(0, m.free)), termtext.Bytes(m.size)))
		}
	}
	for _, m := range distinct(readDF([]byte(inodes))) {
		if m.percent >= diskFull {
			full = append(full, fmt.Sprintf("%s has %d %% of its inodes used", m.path, m.percent))
		}
	}
	slices.Sort(paths)
	r.Key = strings.Join(paths, " ")
	if len(full) > 0 {
		r.State, r.Line = Bad, strings.Join(full, "; ")
		return r
	}
	fullest := slices.MaxFunc(mounts, func(a, b mount) int { return cmp.Compare(a.percent, b.percent) })
	r.Line = fmt.Sprintf("%s, the fullest %s with %d %% of %s", termtext.Count(len(mounts), "mount"), fullest.path, fullest.percent, termtext.Bytes(fullest.size))
	return r
}

// distinct leaves out mounts that nobody writes to (devices, the kernel's file systems,
// secrets) and files that are mounted from a disk that is already listed.
func distinct(mounts []mount) []mount {
	var kept []mount
	for _, m := range mounts {
		if m.size == 0 || under(m.path, "/proc", "/sys", "/dev", "/run/secrets", "/var/run/secrets", "/etc", "/usr") && m.path != "/dev/shm" {
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

func under(path string, folders ...string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") })
}
