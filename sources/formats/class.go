package formats

// class is the meaning of a field, according to its name.
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

// meter reports whether only training prints such a field: with a step it makes a point.
func (c class) meter() bool { return c >= classLoss }

// kind is a class, its priority among fields of the same class on a line (the highest
// wins), and whether the name mentions training or evaluation.
type kind struct {
	class class
	prio  uint8
	eval  bool
	train bool
}

// traits are the possible meanings of one word in a name.
type traits uint32

const (
	hasLoss traits = 1 << iota
	hasEval
	hasTrain
	isFiller    // how a value was measured, not what it is
	isAverage   // a filler that makes another value of the same name better
	isEpochWise // likewise
	isObjective // a component of a loss, which may also be the whole loss
	isSetting
	isPosition // step, iteration and similar
	isEpochWord
	isBlocker // before a position: a setting, or a count of something else
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
	isOrdinal // after a position: its number
	isCross   // an entropy is a loss only with it
	isEntropy // likewise
	isValue   // a filler after "loss", another loss before it
	isNetwork // a loss of packets is no loss of training
	isDone    // after or before a position: how many of them are done
	isSquared // an error is a loss with it, and with that word
	isError
	isArticle // beside a position: one of many
	isSum     // a filler that makes any other value of the same name better
)
