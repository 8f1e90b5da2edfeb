package signatures

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/traintop/traintop/train"
)

// prefixed is a line without the prefix of a launcher.
type prefixed struct {
	text []byte
	// said is the original text, where text is a translation; else nil.
	said []byte
	// by is the prefix; it distinguishes speakers whose lines are mixed in one log.
	by []byte
	// rank is the rank in the prefix, -1 for none.
	rank int
	// process is true if a PyTorch process wrote its own rank in the prefix:
	// "[rank12]:" (c10's logger, from 2.3 on). That rank counts in the whole job,
	// whereas texts count within a process group.
	process bool
}

// quote is the original text.
func (p *prefixed) quote() []byte {
	if p.said != nil {
		return p.said
	}
	return p.text
}

// launcherPrefix matches the prefixes that launchers add to a rank's line. The rank is in
// one of the groups.
var launcherPrefix = regexp.MustCompile(`^[\s|]*(?:` + strings.Join([]string{
	// torchrun's [rank3]: and [default3]:, and [trainer3]: of other launchers
	`\[(?:rank|default|trainer|worker|local_rank|RANK|Rank )[-=]?(\d+)(?:\|\d+)?\]:? ?`,
	// "rank 3: " of programs that write it themselves
	`[Rr]ank[ _]?(\d{1,5}): `,
	// Open MPI's [1,3]<stderr>: (PRRTE names its job there) and Horovod's [3]<stdout>:,
	// both behind a time if so configured
	`(?:[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})?\[(?:\d+,|prterun-[\w.@-]+,)?(\d+)\]<std(?:err|out)>: ?`,
	// Ray's (RayTrainWorker pid=12, ip=10.0.0.1) and vLLM's (Worker_TP3 pid=12)
	`\((?:VllmWorker rank=(\d+)|Worker(?:_DP0)?(?:_PP0)?_TP(\d+)(?:_EP\d+)?|\w[\w.]*(?:\([^)]*\))?) pid=(?:\d+)(?:, ip=[\d.]+)?\) ?(?:\[repeated [^\]]*\] ?)?`,
	// srun's "3: ", with the byte behind it, or the date that the program writes there
	`(?P<srun>\d{1,5}): (?:\D|\d{4}[-/]\d\d[-/]\d\d[T ]|$)`,
	// tools that show the logs of several pods: [job-worker-0], or with its namespace
	// [ml][job-worker-0]
	`(?:\[[a-z][\w.-]*\])?\[(?:pod/)?[a-z][\w.-]*-\d+(?:/[\w.-]+)*\]:? ?`,
	// Docker Compose's "worker-0  | "
	`[a-z][\w.-]*-\d+ +\| `,
	// Slurm's pyxis, which repeats the log of the container's engine
	`slurmstepd: error: pyxis: {2,}`,
	// "> " of people who quote a text in a mail
	`(?:> ?)+`,
	// "[3] " of MPICH's and Intel MPI's mpiexec -l
	`\[(?P<bare>\d{1,4})\](?:: ?| )`,
	// SkyPilot's (worker1, rank=1, pid=12, ip=10.0.0.1)
	`\([\w.-]+, (?:rank=(\d+), )?pid=\d+(?:, ip=[\d.]+)?\) ?`,
	// the node and rank of HPE's PALS
	`x\d+c\d+s\d+b\d+n\d+[\w.-]* (\d{1,5}): `,
}, "|") + `)`)

// The groups of launcherPrefix that are read in another way than the others: srun's rank,
// and that of "[3] ".
var (
	srunGroup = launcherPrefix.SubexpIndex("srun")
	bareGroup = launcherPrefix.SubexpIndex("bare")
)

// ofBareRank matches what PyTorch itself writes behind a rank in brackets, which is a
// part of its message (ProcessGroupNCCL.cpp, TraceUtils.h), and a shell's number of a job.
var ofBareRank = regexp.MustCompile(`^(?:is setting up|finished collective|joined but|never joined|[Tt]imeout at collective|\s*\d+ )`)

// unprefix removes launchers' prefixes from a line, the innermost last.
func unprefix(line []byte) prefixed {
	p := prefixed{text: line, rank: -1}
	for range 3 {
		at := launcherPrefix.FindSubmatchIndex(p.text)
		if at == nil || at[2*bareGroup] >= 0 && ofBareRank.Match(p.text[at[1]:]) {
			break
		}
		end := at[1]
		for group := 2; group < len(at); group += 2 {
			if at[group] < 0 {
				continue
			}
			if n, err := strconv.Atoi(string(p.text[at[group]:at[group+1]])); err == nil {
				p.rank = n
				p.process = bytes.HasPrefix(bytes.TrimLeft(p.text, " \t"), []byte("[rank"))
			}
			if group == 2*srunGroup { // the byte that follows belongs to the text
				end = at[group+1] + 2
			}
		}
		p.by = line[:len(line)-len(p.text)+end]
		p.text = p.text[min(end, len(p.text)):]
	}
	if p.rank < 0 {
		p.findRankTag()
	}
	if p.rank < 0 {
		if p.rank = train.RecordRank(p.text); p.rank >= 0 {
			p.by = fmt.Appendf(nil, "[rank%d]: ", p.rank)
		}
	}
	return p
}

// determinedTag matches the tag of Determined AI behind a level, a time and the
// container; a trial of one process has no rank. mpiTag matches Open MPI's and
// Horovod's tag behind a collector's time.
var (
	determinedTag = regexp.MustCompile(`\[rank=(\d+)\] \|\| ?|^(?:<\w*> +)?\[\d{4}-\d\d-\d\d[T ][\d:.]+Z?\] [0-9a-f]{8} \|\| ?`)
	mpiTag        = regexp.MustCompile(`^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^\n\[]{0,40}[\s:](\[(?:\d+,)?(\d+)\]<std(?:err|out)>: ?)`)
)

// tagWithin is how far into a line the tag of torchrun may be: log collectors write a
// time, a host or a stream before it.
const tagWithin = 120

// findRankTag removes torchrun's [rank3]:, and the tags of Determined and Open MPI, and
// what a collector wrote before them. Only the tag distinguishes speakers, since times
// differ in each line.
func (p *prefixed) findRankTag() {
	begin := p.text[:min(len(p.text), tagWithin)]
	if m := determinedTag.FindSubmatchIndex(begin); m != nil {
		p.cutTag(begin, m[2], m[3], m[1])
		return
	}
	if m := mpiTag.FindSubmatchIndex(begin); m != nil {
		p.cutTag(begin, m[4], m[5], m[1])
		return
	}
	for i, name := range rankTags {
		at := bytes.Index(begin, name)
		if at < 1 || bytes.IndexByte(beforeTag, begin[at-1]) < 0 {
			continue
		}
		tag := p.text[at:]
		end := bytes.Index(tag[:min(len(tag), 16)], []byte("]:"))
		if end < 0 {
			continue
		}
		n, err := strconv.Atoi(string(tag[len(name):end]))
		if err != nil || n < 0 {
			continue
		}
		end += len("]:")
		if end < len(tag) && tag[end] == ' ' {
			end++
		}
		p.rank, p.process, p.by, p.text = n, i == 0, tag[:end], tag[end:]
		return
	}
}

// rankTags begin the tags of a PyTorch process and of torchrun, beforeTag is what may come
// before one: a launcher of launchers, as TorchX, writes its own names and a colon.
var (
	rankTags  = [][]byte{[]byte("[rank"), []byte("[default")}
	beforeTag = []byte(" \t:|")
)

// cutTag takes the rank between two places of a line, -1 for none, and goes on behind
// the tag.
func (p *prefixed) cutTag(line []byte, from, to, end int) {
	if from >= 0 {
		p.by = line[from:to]
		p.rank, _ = strconv.Atoi(string(p.by))
	}
	p.text = p.text[end:]
}

// withoutColours copies text to room without colours and other escape sequences.
func withoutColours(text, room []byte) []byte {
	room = room[:0]
	for len(text) > 0 {
		at := bytes.IndexByte(text, 0x1b)
		if at < 0 {
			return append(room, text...)
		}
		room = append(room, text[:at]...)
		text = text[at+sequence(text[at:]):]
	}
	return room
}

// sequence returns the length of an escape sequence (ECMA-48: ESC [ parameters, final byte).
func sequence(text []byte) int {
	if len(text) < 2 || text[1] != '[' {
		return min(2, len(text))
	}
	for i := 2; i < len(text); i++ {
		if text[i] >= 0x40 && text[i] <= 0x7e {
			return i + 1
		}
	}
	return len(text)
}
