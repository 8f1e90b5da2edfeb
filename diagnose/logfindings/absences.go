package logfindings

import (
	"regexp"

	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/train"
)

var (
	// installs matches words by which an exception says that a package has to be installed, or
	// is not.
	installs = regexp.MustCompile(`(?i)\b(?:pip3?|conda|mamba) install\b|\bplease (?:re)?install\b|\b(?:is|are|seems to be|but) not installed\b|\b(?:must|needs?(?: to)?|has to|have to|to) be installed\b|\b(?:must|should|need to) have [^.;]{1,40} installed\b|\bensure [^.;]{1,60} (?:is|are) installed\b|\bin order to use it, install\b`)
	// ofNode matches what no package of Python brings: the driver, a compiler, programs of the
	// system. kept matches what is there, in another version or place.
	ofNode = regexp.MustCompile(`(?i)\bdrivers?\b|\bcompilers?\b|\bg(?:cc|\+\+)|\bnvcc\b|\bCUDA_HOME\b|\bcuda toolkit\b|\blauncher\b|\bmpirun\b|\bgit-?lfs\b|\bskill\b|\bextension '|\balready installed\b|\bolder\b|\bno longer supported\b|\bdowngrade\b`)
)

// missesPackage reports whether an exception says that a package of Python is not installed.
func missesPackage(text string) bool { return installs.MatchString(text) && !ofNode.MatchString(text) }

// absences are what is missing where the exception of a file that does not exist says so in
// words of its own, in order of precedence. Errors of the system, which have a number, name a path alone.
var absences = []struct {
	cause train.Cause
	of    *regexp.Regexp
}{
	{"command-not-found", regexp.MustCompile(`(?i)\bcommand not found\b|\bexecutable\b`)},
	{"dataset-download-failure", regexp.MustCompile(`(?i)\bdownload failed\b`)},
	{"checkpoint-missing", regexp.MustCompile(`(?i)\b(?:checkpoints?|ckpts?|model states?|optimizer states?|(?:model|adapter) weights|weights? files?)\b`)},
	{"dataset-download-failure", regexp.MustCompile(`(?i)\b(?:buckets?|blobs?|remote|artifacts?|on the hub)\b|\b(?:objects?|URL)\b[\s\w.]{0,40}\b(?:not found|does not exist)\b`)},
}

var (
	// absentFile matches an exception and its message.
	absentFile = regexp.MustCompile(`\b\w+(?:Error|Exception): ([^\n]*)`)
	// pathIn matches paths and addresses: their names are the program's.
	pathIn = regexp.MustCompile(`\S*/\S*`)
	// present matches what says that something is there, and the number of a system's error.
	present = regexp.MustCompile(`\[Errno \d+\]|\berrno = \d|\bIsADirectoryError\b`)
)

// narrowAbsence gives the exception of a file that does not exist the cause that its own words name.
func (c *candidate) narrowAbsence() {
	m := absentFile.FindStringSubmatch(c.hit.Text)
	if m == nil || present.MatchString(c.hit.Text) {
		return
	}
	said := pathIn.ReplaceAllString(signatures.WithoutQuotes(m[1]), " ")
	for i := range absences {
		if absences[i].of.MatchString(said) {
			c.cause = absences[i].cause
			return
		}
	}
}
