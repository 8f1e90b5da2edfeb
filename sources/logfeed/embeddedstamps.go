package logfeed

// stampRemover removes the times that a kubelet puts into the middle of long lines.
//
// A container runtime cuts a long line into parts (containerd 16 KiB by
// default, CRI-O 8 KiB), and kubelets before 1.26 and its backports put a time
// in front of each part when asked for timestamps (kubernetes/kubernetes
// issue 77603; pkg/kubelet/kuberuntime/logs/logs.go, logWriter.write without
// addPrefix). Such a time comes a whole number of partSize bytes after the
// previous one and has exactly nine digits.
type stampRemover struct {
	// since counts bytes of text since the last time.
	since int
	// ahead buffers bytes after a boundary until they suffice to recognise a time.
	ahead []byte
}

// partSize is a common divisor of the sizes at which runtimes cut lines.
const partSize = 4 << 10

func (s *stampRemover) restart() { s.since, s.ahead = 0, s.ahead[:0] }

// remove calls keep with the parts of p that are no such times.
func (s *stampRemover) remove(p []byte, last bool, keep func([]byte)) {
	if len(s.ahead) > 0 {
		p = append(s.ahead, p...)
		s.ahead = nil
	}
	for len(p) > 0 {
		if s.since > 0 && s.since%partSize == 0 {
			if len(p) <= maxStamp && !last {
				s.ahead = append(s.ahead[:0], p...)
				return
			}
			if found := readStamp(p); found.digits == 9 && found.size < len(p) && p[found.size] == ' ' {
				p, s.since = p[found.size+1:], 0
			}
		}
		n := min(len(p), partSize-s.since%partSize)
		keep(p[:n])
		p, s.since = p[n:], s.since+n
	}
}
