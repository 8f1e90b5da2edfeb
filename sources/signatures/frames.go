package signatures

import (
	"regexp"

	"github.com/traintop/traintop/train"
)

// frameFact is what an exception means that ends in a certain function: its text alone
// does not show it.
type frameFact struct {
	signature string
	cause     train.Cause
	// place matches the file and the function of a frame, "/usr/lib/python3.11/subprocess.py:run".
	place *regexp.Regexp
	// anywhere is true where any frame may be the one, else it is the innermost.
	anywhere bool
	// exception matches the last line of the traceback.
	exception *regexp.Regexp
	// rest is true for exceptions that no row of the table knows.
	rest bool
	// origin is what the row of the table says of it.
	origin string
}

// frameFacts are in order of precedence.
var frameFacts = []frameFact{
	{"exec-absent", "command-not-found", regexp.MustCompile(`(?:^|[/\\])(?:subprocess\.py:_execute_child|os\.py:_?exec\w*|uvloop[/\\]\S+:__init__)$`), false,
		regexp.MustCompile(`^FileNotFoundError: \[Errno 2\]`), false, "Python subprocess.py, os.py: the program that is to be started does not exist"},
	{"fork-refused", "process-limit", regexp.MustCompile(`(?:^|[/\\])(?:multiprocessing[/\\]popen_\w+\.py:_launch|subprocess\.py:_execute_child|pty\.py:fork)$`), false,
		regexp.MustCompile(`^(?:BlockingIOError|OSError): \[Errno 11\]`), false, "Python multiprocessing, subprocess.py: fork() answers EAGAIN"},
	{"bucket-file", "dataset-download-failure", regexp.MustCompile(`[/\\](?:s3fs|gcsfs|adlfs|ossfs|aiobotocore|fsspec[/\\]implementations[/\\](?:http|github|dbfs|webhdfs))(?:[/\\]|\.py:)`), false,
		regexp.MustCompile(`^(?:PermissionError|FileNotFoundError): [^\[\n]`), false, "fsspec's file systems over object storages (s3fs errors.py): the storage's answers 403 and 404, no error of the node's files and so without a number"},
	{"fetched-damaged", "dataset-download-failure", regexp.MustCompile(`[/\\](?:torch[/\\]hub\.py:download\w*|torchvision[/\\]datasets[/\\]\S+:(?:download\w*|__init__)|torchaudio[/\\]datasets[/\\]\S+|torchtext[/\\]utils\.py:\S+|pooch[/\\]\S+|gdown[/\\]\S+)$`), false,
		regexp.MustCompile(`^RuntimeError: [^\n]*(?i:corrupted|hash|not found|download)|^ValueError: [^\n]*(?i:hash of|checksum)|^\S*FileURLRetrievalError\b`), false, "PyTorch hub.py, torchvision, pooch, gdown: what was downloaded is not what it should be"},
	{"sent-refused", "pickle-spawn-error", regexp.MustCompile(`[/\\](?:multiprocessing[/\\]reduction\.py:dumps?|torch[/\\]multiprocessing[/\\]reductions\.py:\w+)$`), false,
		regexp.MustCompile(`^(?:[\w.]*\.)?(?:RuntimeError|TypeError|ValueError|AttributeError|NotImplementedError|RecursionError|OverflowError|AssertionError|PicklingError)\b`), true, "Python multiprocessing, torch.multiprocessing: an object cannot be sent to another process"},
	{"build-refused", "extension-build-failed", regexp.MustCompile(`[/\\](?:torch[/\\]utils[/\\]cpp_extension\.py:\w+|torch[/\\]_inductor[/\\](?:cpp_builder|codecache)\.py:(?:\w*(?:build|compile|compiler)\w*)|triton[/\\]runtime[/\\]build\.py:\w+|op_builder[/\\]\w+\.py:\w+)$`), true,
		regexp.MustCompile(`^(?:subprocess\.)?CalledProcessError: |^(?:\w+\.)*(?:Inductor|Cpp\w*|CUDA)(?:Compile)?Error: |^RuntimeError: [^\n]*(?i:compil)`), true, "PyTorch cpp_extension.py, Inductor, Triton's build.py: the compiler failed"},
}

// frameFactRows are the rows that name the hits of frameFacts.
func frameFactRows() []row {
	var all []row
	for _, f := range frameFacts {
		all = append(all, row{f.signature, f.cause, InLog, []string{"Traceback (most recent call last)"}, "", own - 4, false, f.origin})
	}
	return all
}

// isFrameFact reports whether a signature is one of frameFacts.
func isFrameFact(signature string) bool {
	for i := range frameFacts {
		if frameFacts[i].signature == signature {
			return true
		}
	}
	return false
}

// noteFrame updates which facts the frames of a traceback allow, a bit each.
func noteFrame(met uint16, file, function []byte) uint16 {
	place := append(append(append([]byte(nil), file...), ':'), function...)
	for i := range frameFacts {
		switch f := &frameFacts[i]; {
		case f.place.Match(place):
			met |= 1 << i
		case !f.anywhere:
			met &^= 1 << i
		}
	}
	return met
}

// ofFrame changes an exception's hit where the frames show what it means. known is true
// where a row of the table matched the exception.
func (t *traceback) ofFrame(hit train.LogHit, known bool) (fact train.LogHit, is bool) {
	for i := range frameFacts {
		if f := &frameFacts[i]; t.met&(1<<i) != 0 && !(f.rest && known) && f.exception.MatchString(hit.Text) {
			hit.Signature, hit.Cause, hit.Captures = f.signature, f.cause, nil
			return hit, true
		}
	}
	return hit, false
}
