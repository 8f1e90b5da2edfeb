package formats

// class is what the name of a field says that it is.
type class uint8

const (
	classUnknown class = iota
	classNone          // no name
	classSetting       // a weight, a limit, a scale: never a point of a curve
	classStep
	classEpoch
	classTotalSteps
	classTotalEpochs
	classStepsPerEpoch
	classETA
	classClock // some other time of day or duration
	classTime  // a duration of an epoch or a step, unit unknown
	classLoss
	classEvalLoss
	classObjective // the loss when no other is on the line: mse, ce_loss
	classLR
	classGradNorm
	classAccuracy
	classEvalAccuracy
	classTokens
	classSamples
	classStepTime
	classStepMillis
	classMFU
	classTFLOPS
	classItsSecond
	classEvidence // a metric without a canonical name
)

// meter reports what only training prints: beside a step it makes a point.
func (c class) meter() bool { return c >= classLoss }

// kind is a class, how sure it is among others of its class on a line
// (higher wins), and whether the name speaks of evaluation.
type kind struct {
	class class
	prio  uint8
	eval  bool
	train bool
}

// traits of one word in a name.
type traits uint32

const (
	hasLoss traits = 1 << iota
	hasEval
	hasTrain
	isFiller    // says how a value was taken, not what it is
	isAverage   // a filler that makes another value of the same name better
	isEpochWise // likewise
	isObjective // names what a loss is made of, and may be all of it
	isSetting
	isPosition // step, iteration and their kin
	isEpochWord
	isBlocker // before a position: this is a setting, or counts something else
	isRateOf  // samples, images
	isTokenWord
	isPerTime // per second
	isEvidence
	isAccuracy
	isRateWord
	isGrad
	isNorm
	isLearning
	isSummary
	isOrdinal // behind a position: its number
	isCross   // only with it is an entropy a loss
	isEntropy // likewise
	isValue   // a filler behind "loss", another loss before it
)
