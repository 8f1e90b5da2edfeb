package diagnose

import (
	"regexp"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// trainingLine matches a line that training programs print and other texts do
// not contain: a count of steps or epochs, a rank in front or before a sign, a rate, a progress
// bar, a message of a framework, its collectives or Python's warnings with
// their location.
var trainingLine = regexp.MustCompile(`(?i)\b(?:epoch|step|iter|iteration|batch|global_step|train_step)["'\]]*[ \t]*[:=#(\[ ][ \t]*[0-9]` +
	`|\[(?:default|rank)[ _]?[0-9]+\]|(?:^|[\[(<|])\s*rank[ :_]*[0-9]+(?:[ :,)\]>|]|$)|\brank[ :_]*[0-9]+[:)\]>|]|\brank=[0-9]+[ ,)\]]|\b(?:world[_ ]size|local_rank|nproc_per_node)["']?[ :]+[0-9]` +
	`|[0-9] ?(?:it/s|s/it|(?:tok|tokens|samples|steps|examples|img|imgs|images)/(?:s|sec|second)\b)|[0-9]%\|` +
	`|\b(?:nccl|rccl|hccl)[ (](?:info|warn|version)` +
	`|\b(?:torch|torchvision|transformers|accelerate|deepspeed|megatron|nemo|lightning|pytorch_lightning|tensorflow|keras|jax|jaxlib|xla|horovod|ray|composer|wandb)/[\w./-]+:[0-9]+` +
	`|\b(?:info|warning|debug|error):(?:torch|tensorflow|transformers|accelerate|deepspeed|root|__main__)\b|^wandb: |^(?:gpu|tpu|hpu) available: ` +
	`|\.py:[0-9]+: \w*warning\b|\b(?:trainable|total|number of) param(?:eter)?s?\b|\b(?:loading|loaded|saving|saved) (?:\w+ ){0,3}(?:checkpoint|weights|model|dataset|tokenizer)\b` +
	`|\b(?:start|started|starting|begin|resum(?:e|ed|ing)|finish|finished) (?:\w+ ){0,2}training\b|\bsome weights of \w+`)

// stampedLine matches a line that begins with a time or a log level.
var stampedLine = regexp.MustCompile(`^[\[({]?(?:[A-Z][a-z]{2} )?(?:[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}|[0-9]{2}:[0-9]{2}:[0-9]{2}|[IWEF][0-9]{4} |[A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:)|^\[? *[0-9]+\.[0-9]{3,}\]|^\[?(?:INFO|WARN|WARNING|DEBUG|ERROR)\b|^time=|^\{"`)

const (
	// signLines is how many lines of a log are searched for a sign of training,
	// from its beginning and from its end.
	signLines = 500
	// leastSigns lines with a sign make a log of training, or fewer if one of signEach
	// lines has one: a long text about something else mentions "step 1200" once.
	leastSigns, signEach = 3, 50
	// leastStamped is how many lines with a time or a level in front make a
	// log of any program.
	leastStamped = 10
)

// showsTraining reports whether any log of a job known only from its logs is
// one of training, or at least a long log: in other texts (a table, prose, a
// file of another kind) words of failure mean nothing.
func showsTraining(s *store.Snapshot, job *train.Job) bool {
	if !job.LogsOnly {
		return true
	}
	for i := range job.Ranks {
		for _, log := range s.RankLogs(job, i) {
			if isTrainingLog(log) {
				return true
			}
		}
	}
	return false
}

func isTrainingLog(log *store.Log) bool {
	if len(log.Samples.Rows) > 0 || len(log.Marks) > 0 || len(log.Hits) > 0 {
		return true
	}
	lines, stamped, signs := 0, 0, 0
	for i := range log.Lines.Len() {
		if i >= signLines && i < log.Lines.Len()-signLines {
			continue
		}
		text := log.Lines.Plain(i)
		text = text[:min(len(text), signBytes)]
		if lines++; trainingLine.MatchString(text) {
			signs++
		}
		if signs >= leastSigns {
			return true
		}
		if stampedLine.MatchString(text) || !log.Lines.Time(i).IsZero() {
			stamped++
		}
	}
	return signs*signEach >= lines && signs > 0 || stamped >= leastStamped && stamped*2 >= lines
}

// signBytes is how much of a line is searched for a sign of training.
const signBytes = 512

// missingTraining adds what is missing for a text that is no log of training:
// such a text is not reported as well just because no rule matches a line.
func (c *concluder) missingTraining() {
	if c.job.LogsOnly && len(c.logs.read) > 0 && !c.answer.seen.trains && !c.hasCause() {
		c.miss(true, "a log of training", "the text does not look like a training log: no steps, no ranks, no line of a framework in it",
			"give what kubectl logs prints of a rank's pod, or what kubectl get pods,events -o yaml prints")
	}
}
