package dump

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/traintop/traintop/train"
)

// logRank is the rank and run of a log file.
type logRank struct {
	rank int // -1 if unknown
	// job is the common part of the file names of one run, "" for a run of its
	// own.
	job string
}

var (
	// attemptFolder is created by torchrun --log-dir above the folder of a
	// rank: RUN/attempt_0/3/stdout.log (torch.distributed.elastic 2.9,
	// multiprocessing/api.py).
	attemptFolder = regexp.MustCompile(`^attempt_[0-9]+$`)
	// rankWord is a number after a word for a rank.
	rankWord = regexp.MustCompile(`(?i)(?:^|[^a-z])((?:global[-_.]?)?rank|worker|trainer|learner|replica|process|proc|master|chief|launcher|coordinator|leader|head)[-_.=]?([0-9]{1,5})(?:[^0-9]|$)`)
	// lastNumber is a number at the end of a name, after the rest of the name.
	lastNumber = regexp.MustCompile(`^(.*?)([0-9]{1,5})$`)
	// countsRuns are words whose number identifies a run, not a rank.
	countsRuns = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:run|exp|experiment|trial|seed|fold|epoch|try|attempt|step|iter|v|version|ver|part|job|test|config|model|stage|phase|slurm-[0-9]+_)[-_.=]?$`)
	// loose are words that may also precede the number of a version or a copy;
	// their numbers are ranks only if the folder has all of them.
	loose = map[string]bool{"trainer": true, "learner": true, "replica": true, "process": true, "proc": true}
	// jobsetPod is the name of a pod of a JobSet, as it names the Jobs (jobset 0.5 to 0.10,
	// pkg/util/placement/placement.go) and Jobs their pods: the numbers of the Job and of the
	// pod in it, and five characters at random. indexedPod is one of an indexed Job.
	jobsetPod  = regexp.MustCompile(`^(.+?)-([0-9]{1,5})-([0-9]{1,5})-[a-z0-9]{5}$`)
	indexedPod = regexp.MustCompile(`^(.+?)-([0-9]{1,5})-[bcdfghjklmnpqrstvwxz2456789]{5}$`)
	// podOfJob is the name of a pod of a Job, with the characters at random behind its number:
	// Kubernetes appends no vowels, so a word is none (apimachinery, util/rand).
	podOfJob = regexp.MustCompile(`^(.+)-[0-9]{1,5}-([bcdfghjklmnpqrstvwxz0-9]{5})$`)
	// roleOfJobs is a role at the end of what a JobSet calls its Jobs.
	roleOfJobs = regexp.MustCompile(`(?:^|-)(master|chief|launcher|coordinator|leader|head|worker)s?$`)
	// leaderRoles are the roles whose ranks come before the workers'.
	leaderRoles = map[string]bool{"master": true, "chief": true, "launcher": true, "coordinator": true, "leader": true, "head": true}
)

// nameRank is what a path alone shows.
type nameRank struct {
	logRank
	role string // in the name, lower case
	// sure is false for a bare number, or one after a loose word, which is a
	// rank only if the files of its folder have all numbers from 0 on.
	sure bool
	// inJob is the number within one of several Jobs, whose number is outer; -1 without.
	outer, inJob int
}

// ranksOfLogs finds the ranks of log files that belong to no pod of the dump.
func ranksOfLogs(ids []train.StreamID) []logRank {
	found := make([]nameRank, len(ids))
	runs := map[string][]int{}
	for i, id := range ids {
		if found[i] = rankOf(id); found[i].job != "" {
			runs[found[i].job] = append(runs[found[i].job], i)
		}
	}
	for _, run := range runs {
		settle(found, run)
	}
	nameTwins(ids, found)
	all := make([]logRank, len(ids))
	for i := range found {
		all[i] = found[i].logRank
	}
	return all
}

// nameTwins names runs of one file each, which have the name of that file: where
// files of several folders have one name, by the path from where they differ.
func nameTwins(ids []train.StreamID, found []nameRank) {
	twins := map[string][]int{}
	for i, id := range ids {
		if id.Pod == "" && found[i].job == "" {
			base := id.Base()
			twins[base] = append(twins[base], i)
		}
	}
	for _, twin := range twins {
		if len(twin) < 2 {
			continue
		}
		paths := make([][]string, len(twin))
		for i, at := range twin {
			paths[i] = strings.Split(strings.ReplaceAll(ids[at].File, `\`, "/"), "/")
		}
		same := commonStart(paths)
		for i, at := range twin {
			found[at].job = strings.Join(paths[i][same:], "/")
		}
	}
}

// commonStart returns how many folders all paths begin with.
func commonStart(paths [][]string) int {
	same := len(paths[0]) - 1
	for _, p := range paths[1:] {
		n := 0
		for n < same && n < len(p)-1 && p[n] == paths[0][n] {
			n++
		}
		same = n
	}
	return same
}

// settle decides about files that may be one run: whether bare numbers are
// ranks, and that workers come after their leaders.
func settle(found []nameRank, run []int) {
	numberJobs(found, run)
	leaders, sure := 0, true
	numbers := make([]int, 0, len(run))
	for _, i := range run {
		numbers = append(numbers, found[i].rank)
		sure = sure && found[i].sure
		if leaderRoles[found[i].role] {
			leaders = max(leaders, found[i].rank+1)
		}
	}
	if !sure && !dense(numbers) {
		for _, i := range run {
			found[i].logRank = logRank{rank: -1}
		}
		return
	}
	for _, i := range run {
		if found[i].role == "worker" {
			found[i].rank += leaders
		}
	}
}

// numberJobs numbers the pods of several Jobs of one role one after the other. All Jobs of a
// role have as many pods.
func numberJobs(found []nameRank, run []int) {
	pods := map[string]int{}
	for _, i := range run {
		if f := &found[i]; f.outer >= 0 {
			pods[f.role] = max(pods[f.role], f.inJob+1)
		}
	}
	for _, i := range run {
		if f := &found[i]; f.outer >= 0 {
			f.rank = f.outer*pods[f.role] + f.inJob
		}
	}
}

// rankOfPod finds the rank in the name of a pod, which may end with characters at random.
func rankOfPod(pod string) nameRank {
	if m := jobsetPod.FindStringSubmatch(pod); m != nil {
		outer, _ := strconv.Atoi(m[2]) // five digits at most
		inner, _ := strconv.Atoi(m[3])
		f := nameRank{logRank: logRank{inner, m[1] + "-*"}, outer: outer, inJob: inner}
		if role := roleOfJobs.FindStringSubmatchIndex(m[1]); role != nil {
			f.role, f.job = m[1][role[2]:role[3]], m[1][:role[2]]+"*"
		}
		return f
	}
	if m := indexedPod.FindStringSubmatch(pod); m != nil && !rankWord.MatchString(pod) {
		rank, _ := strconv.Atoi(m[2])
		return nameRank{logRank: logRank{rank, m[1] + "-*"}, outer: -1}
	}
	return rankInName(pod)
}

// rankOfFile finds the rank in the name of a file, which people also name after the pod.
func rankOfFile(name string) nameRank {
	if m := podOfJob.FindStringSubmatch(name); m != nil && !countsRuns.MatchString(m[1]+"-") {
		if _, err := strconv.Atoi(m[2]); err != nil { // not the number of a process
			return rankOfPod(name)
		}
	}
	return rankInName(name)
}

// dense reports whether several numbers cover all from 0 on, each at least
// once.
func dense(numbers []int) bool {
	slices.SortFunc(numbers, cmp.Compare[int])
	numbers = slices.Compact(numbers)
	return len(numbers) > 1 && numbers[0] == 0 && numbers[len(numbers)-1] == len(numbers)-1
}

func rankOf(id train.StreamID) nameRank {
	if id.Pod != "" {
		found := rankOfPod(id.Pod)
		found.job = prefixed(id.Namespace, found.job)
		return found
	}
	file := strings.ReplaceAll(id.File, `\`, "/")
	folder, base := path.Dir(file), path.Base(file)
	if rank, err := strconv.Atoi(path.Base(folder)); err == nil && rank >= 0 && attemptFolder.MatchString(path.Base(path.Dir(folder))) {
		return nameRank{logRank: logRank{rank, path.Dir(path.Dir(folder))}, sure: true, outer: -1}
	}
	base = withoutPrevious(base)
	name := extensions.ReplaceAllString(base, "")
	if found := rankOfFile(name); found.job != "" {
		found.job = prefixed(clean(folder), found.job+base[len(name):])
		return found
	}
	if found := rankInName(path.Base(folder)); found.job != "" {
		found.job = prefixed(clean(path.Dir(folder)), found.job) + "/" + base
		return found
	}
	return nameRank{logRank: logRank{rank: -1}, outer: -1}
}

// withoutPrevious returns the name of a file without the word that marks it as the log of
// the container instance before, as kubectl logs --previous gives it: it is of the same
// rank.
func withoutPrevious(base string) string {
	last := previousName.ReplaceAllString(base, "")
	name := extensions.ReplaceAllString(last, "")
	if first := previousName.ReplaceAllString(name, ""); first != "" {
		return first + last[len(name):]
	}
	return base
}

// rankInName finds the rank in a name; job is the name with "*" in its place,
// "" if there is none.
func rankInName(name string) nameRank {
	if at := rankWord.FindAllStringSubmatchIndex(name, -1); at != nil {
		m := at[len(at)-1]
		rank, _ := strconv.Atoi(name[m[4]:m[5]]) // five digits at most
		role := strings.ToLower(name[m[2]:m[3]])
		from := m[4]
		if leaderRoles[role] || role == "worker" {
			from = m[2] // the word also differs between roles of one run
		}
		return nameRank{logRank: logRank{rank, name[:from] + "*" + name[m[5]:]}, role: role, sure: !loose[role], outer: -1}
	}
	m := lastNumber.FindStringSubmatch(name)
	if m == nil || countsRuns.MatchString(m[1]) {
		return nameRank{logRank: logRank{rank: -1}, outer: -1}
	}
	rank, _ := strconv.Atoi(m[2])
	return nameRank{logRank: logRank{rank, m[1] + "*"}, outer: -1}
}

func clean(folder string) string {
	if folder == "." {
		return ""
	}
	return folder
}

func prefixed(folder, name string) string {
	if folder == "" || name == "" {
		return name
	}
	return strings.TrimSuffix(folder, "/") + "/" + name
}
