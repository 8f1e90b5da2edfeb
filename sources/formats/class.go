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

// words is section 2 of what frameworks call things, word by word.
var words = map[string]traits{
	"loss": hasLoss, "losses": hasLoss, "vloss": hasLoss | hasEval, "tloss": hasLoss | hasTrain, "nloss": hasLoss, "sloss": 0,
	"val": hasEval, "valid": hasEval, "validation": hasEval, "validating": hasEval, "validate": hasEval, "eval": hasEval, "evaluation": hasEval, "evaluate": hasEval, "evaluating": hasEval,
	"test": hasEval, "testing": hasEval, "dev": hasEval, "holdout": hasEval, "heldout": hasEval, "devset": hasEval, "testset": hasEval,
	"train": hasTrain, "training": hasTrain, "tr": hasTrain, "trn": hasTrain,
	"total": isFiller, "tot": isFiller, "lm": isFiller, "main": isFiller, "all": isFiller, "overall": isFiller, "global": isFiller, "model": isFiller, "value": isFiller | isValue, "current": isFiller, "cur": isFiller,
	"reduced": isFiller, "batch": isFiller | isPosition, "minibatch": isFiller | isPosition, "mini": isFiller, "sft": isFiller, "the": isFiller, "set": isFiller, "dataset": isFiller, "is": isFiller, "in": isFiller, "of": isFiller, "for": isFiller, "on": isFiller, "at": isFiller, "after": isFiller, "this": isFiller, "new": isFiller, "instant": isFiller, "mean": isFiller | isAverage, "median": isFiller | isAverage,
	"avg": isFiller | isAverage, "average": isFiller | isAverage, "averaged": isFiller | isAverage, "ave": isFiller | isAverage, "avr": isFiller | isAverage, "moving": isFiller | isAverage, "running": isFiller | isAverage, "ema": isFiller | isAverage, "smoothed": isFiller | isAverage, "smooth": isFiller | isAverage, "sum": isFiller | isAverage, "cumulative": isFiller | isAverage, "interval": isFiller | isAverage,
	"step": isFiller | isPosition, "steps": isPosition, "iteration": isFiller | isPosition, "iter": isFiller | isPosition, "it": isPosition, "itr": isPosition, "iterations": isPosition, "iters": isPosition, "update": isPosition, "updates": isPosition, "minibatches": isPosition, "batches": isPosition, "round": isPosition, "timestep": isPosition, "timesteps": isPosition, "episode": isFiller | isPosition, "idx": isOrdinal, "index": isOrdinal, "id": isOrdinal, "no": isOrdinal,
	"epoch": isFiller | isEpochWise | isEpochWord, "epochs": isEpochWord, "ep": isEpochWord,
	"ce": isObjective, "mse": isObjective | isEvidence, "mae": isObjective | isEvidence, "nll": isObjective | isEvidence, "bce": isObjective, "xent": isObjective, "l1": isObjective, "l2": isObjective, "huber": isObjective, "mlm": isObjective, "clm": isObjective, "ctc": isObjective, "rnnt": isObjective, "transducer": isObjective, "contrastive": isObjective, "cross": isObjective | isCross, "entropy": isEntropy | isEvidence, "crossentropy": isObjective, "softmax": isObjective, "denoising": isObjective, "diffusion": isObjective, "seg": isObjective, "classification": isObjective, "regression": isObjective, "triplet": isObjective, "infonce": isObjective, "clip": 0, "lang": isObjective, "language": isObjective, "text": isObjective, "noise": isObjective, "reconstruction": 0, "focal": isObjective, "dice": isObjective | isEvidence, "pinball": isObjective, "quantile": isObjective, "elbo": isObjective | isEvidence, "logistic": isObjective, "hinge": isObjective,
	"scale": isSetting | isBlocker, "scaler": isSetting, "scaling": isSetting, "weight": isSetting | isBlocker, "weights": isSetting, "coef": isSetting, "coeff": isSetting, "coefficient": isSetting, "factor": isSetting, "fn": isSetting, "func": isSetting, "function": isSetting, "type": isSetting, "reduction": isSetting, "mask": 0, "min": isBlocker | isSummary, "max": isBlocker | isSummary, "threshold": isSetting | isBlocker, "margin": 0, "lambda": isSetting, "alpha": 0, "beta": 0, "gamma": isSetting, "eps": isSetting, "epsilon": 0, "decay": isSetting | isBlocker, "warmup": isSetting | isBlocker, "smoothing": isSetting, "window": isSetting | isBlocker, "freq": isSetting | isBlocker, "frequency": isSetting, "patience": isSetting | isBlocker, "seed": isSetting, "size": isSetting | isBlocker, "num": isBlocker | isOrdinal, "number": isBlocker, "n": isBlocker, "count": isBlocker, "config": isSetting, "init": isSetting, "initial": isSetting | isBlocker, "target": isSetting | isBlocker, "limit": isSetting, "ratio": 0, "schedule": isSetting,
	"per": isBlocker | isPerTime, "every": isBlocker, "each": isBlocker, "since": isBlocker, "save": isBlocker, "log": isBlocker, "start": isBlocker, "end": 0, "first": isBlocker, "skipped": isBlocker, "nan": isBlocker, "previous": isBlocker, "last": isBlocker, "resume": isBlocker, "stop": isBlocker, "next": isBlocker, "delta": isBlocker, "elapsed": isBlocker, "time": isBlocker, "duration": isBlocker,
	"best": isBlocker | isSummary, "final": isBlocker | isSummary, "lowest": isBlocker | isSummary, "highest": isBlocker | isSummary, "minimum": isBlocker | isSummary, "maximum": isBlocker | isSummary, "overfit": isSummary,
	"samples": isRateOf, "sample": isRateOf, "examples": isRateOf, "example": isRateOf, "images": isRateOf, "image": isRateOf, "imgs": isRateOf, "img": isRateOf, "sequences": isRateOf, "seqs": isRateOf, "records": isRateOf, "sents": isRateOf, "sentences": isRateOf,
	"tokens": isTokenWord, "token": isTokenWord, "tok": isTokenWord, "toks": isTokenWord,
	"sec": isPerTime, "s": isPerTime, "second": isPerTime, "seconds": isPerTime,
	"speed": isEvidence | isRateWord, "throughput": isEvidence | isRateWord, "ips": isEvidence, "wps": isEvidence, "fps": isEvidence, "ups": isEvidence,
	"acc": isAccuracy, "accuracy": isAccuracy, "accu": isAccuracy,
	"auc": isEvidence, "rmse": isEvidence, "mape": isEvidence, "logloss": isEvidence, "mlogloss": isEvidence, "error": isEvidence, "merror": isEvidence, "err": isEvidence, "errors": isEvidence, "ppl": isEvidence, "perplexity": isEvidence, "pplx": isEvidence, "reward": isEvidence, "rewards": isEvidence, "rew": isEvidence, "return": isEvidence, "returns": isEvidence, "bleu": isEvidence, "sacrebleu": isEvidence, "rouge": isEvidence, "wer": isEvidence, "cer": isEvidence, "ter": isEvidence, "uer": isEvidence, "f1": isEvidence, "precision": isEvidence, "recall": isEvidence, "map": isEvidence, "iou": isEvidence, "miou": isEvidence, "psnr": isEvidence, "ssim": isEvidence, "fid": isEvidence, "kl": isEvidence, "bpc": isEvidence, "bpb": isEvidence, "bpd": isEvidence, "likelihood": isEvidence, "score": isEvidence, "scores": isEvidence, "top1": isEvidence, "top5": isEvidence, "acc1": isEvidence, "acc5": isEvidence, "r2": isEvidence, "mrr": isEvidence, "ndcg": isEvidence, "hits": isEvidence, "aucpr": isEvidence, "ap50": isEvidence, "map50": isEvidence, "smape": isEvidence, "mcc": isEvidence, "eer": isEvidence, "metric": isEvidence, "advantage": isEvidence, "qval": isEvidence, "ari": isEvidence, "nmi": isEvidence, "energy": 0, "kappa": isEvidence,
	"grad": isGrad, "gradient": isGrad, "gradients": isGrad, "gradnorm": isGrad | isNorm, "gnorm": isGrad | isNorm, "norm": isNorm, "norms": isNorm,
	"损失": hasLoss, "训练损失": hasLoss | hasTrain, "验证损失": hasLoss | hasEval, "测试损失": hasLoss | hasEval, "平均损失": hasLoss | isAverage, "学习率": isLearning, "准确率": isAccuracy, "训练": hasTrain, "验证": hasEval,
	"步": isPosition, "步骤": isPosition, "步数": isPosition, "迭代": isPosition, "轮": isEpochWord, "轮次": isEpochWord,
	"lr": isLearning, "lrs": isLearning, "learning": isLearning, "learningrate": isLearning, "rate": isFiller,
}

// names are whole names, words joined by "_", that need no rule.
var names = map[string]kind{
	"步": {class: classStep, prio: 70}, "步骤": {class: classStep, prio: 70}, "迭代": {class: classStep, prio: 65}, "轮": {class: classEpoch, prio: 80}, "轮次": {class: classEpoch, prio: 80},
	"global_step":              {class: classStep, prio: 100},
	"global_steps":             {class: classStep, prio: 99},
	"globalstep":               {class: classStep, prio: 99},
	"trainer_global_step":      {class: classStep, prio: 100},
	"train_global_step":        {class: classStep, prio: 100},
	"training_global_step":     {class: classStep, prio: 98},
	"global_step_max_steps":    {class: classStep, prio: 100},
	"global_iter":              {class: classStep, prio: 96},
	"global_iteration":         {class: classStep, prio: 96},
	"num_updates":              {class: classStep, prio: 100},
	"current_steps":            {class: classStep, prio: 100},
	"opt_step":                 {class: classStep, prio: 97},
	"optim_step":               {class: classStep, prio: 97},
	"optimizer_step":           {class: classStep, prio: 97},
	"total_timesteps":          {class: classStep, prio: 95},
	"num_timesteps":            {class: classStep, prio: 95},
	"total_env_steps":          {class: classStep, prio: 85},
	"totalenvinteracts":        {class: classStep, prio: 85},
	"total_env_interacts":      {class: classStep, prio: 85},
	"num_env_steps_sampled":    {class: classStep, prio: 85},
	"step":                     {class: classStep, prio: 92},
	"steps":                    {class: classStep, prio: 50},
	"iteration":                {class: classStep, prio: 75},
	"iterations":               {class: classStep, prio: 66},
	"iter":                     {class: classStep, prio: 75},
	"iters":                    {class: classStep, prio: 66},
	"it":                       {class: classStep, prio: 70},
	"itr":                      {class: classStep, prio: 75},
	"niter":                    {class: classStep, prio: 70},
	"n_iter":                   {class: classStep, prio: 70},
	"num_iter":                 {class: classStep, prio: 40},
	"update":                   {class: classStep, prio: 74},
	"updates":                  {class: classStep, prio: 74},
	"up":                       {class: classStep, prio: 60}, // Marian
	"batch":                    {class: classStep, prio: 60},
	"batch_idx":                {class: classStep, prio: 58},
	"batch_index":              {class: classStep, prio: 58},
	"minibatch":                {class: classStep, prio: 58},
	"mini_batch":               {class: classStep, prio: 58},
	"batches":                  {class: classStep, prio: 45},
	"micro_step":               {class: classStep, prio: 30},
	"round":                    {class: classStep, prio: 56},
	"tick":                     {class: classStep, prio: 50},
	"episode":                  {class: classStep, prio: 40},
	"eps":                      {class: classUnknown},
	"epoch":                    {class: classEpoch, prio: 100},
	"ep":                       {class: classEpoch, prio: 80},
	"e":                        {class: classEpoch, prio: 60},
	"epoch_num":                {class: classEpoch, prio: 90},
	"cur_epoch":                {class: classEpoch, prio: 95},
	"current_epoch":            {class: classEpoch, prio: 90},
	"epoch_idx":                {class: classEpoch, prio: 90},
	"epochs":                   {class: classTotalEpochs, prio: 50},
	"num_epochs":               {class: classTotalEpochs, prio: 100},
	"num_epoch":                {class: classTotalEpochs, prio: 90},
	"n_epochs":                 {class: classTotalEpochs, prio: 90},
	"max_epochs":               {class: classTotalEpochs, prio: 90},
	"max_epoch":                {class: classTotalEpochs, prio: 90},
	"total_epochs":             {class: classTotalEpochs, prio: 90},
	"num_train_epochs":         {class: classTotalEpochs, prio: 90},
	"scheduled_epochs":         {class: classTotalEpochs, prio: 90}, // timm
	"total_epoch":              {class: classTotalEpochs, prio: 80},
	"total_steps":              {class: classTotalSteps, prio: 90},
	"max_steps":                {class: classTotalSteps, prio: 90},
	"max_step":                 {class: classTotalSteps, prio: 85},
	"max_iter":                 {class: classTotalSteps, prio: 80},
	"max_iters":                {class: classTotalSteps, prio: 80},
	"num_steps":                {class: classTotalSteps, prio: 40},
	"num_train_steps":          {class: classTotalSteps, prio: 85},
	"train_steps":              {class: classTotalSteps, prio: 80},
	"training_steps":           {class: classTotalSteps, prio: 80},
	"num_training_steps":       {class: classTotalSteps, prio: 85},
	"max_train_steps":          {class: classTotalSteps, prio: 90},
	"total_training_steps":     {class: classTotalSteps, prio: 90},
	"total_train_steps":        {class: classTotalSteps, prio: 90},
	"total_iterations":         {class: classTotalSteps, prio: 85},
	"total_optimization_steps": {class: classTotalSteps, prio: 100},
	"total_optimization_step":  {class: classTotalSteps, prio: 100},
	"steps_per_epoch":          {class: classStepsPerEpoch, prio: 90},
	"num_batches_per_epoch":    {class: classStepsPerEpoch, prio: 90},
	"batches_per_epoch":        {class: classStepsPerEpoch, prio: 90},
	"iters_per_epoch":          {class: classStepsPerEpoch, prio: 90},
	"eta":                      {class: classETA, prio: 100},
	"remaining_time":           {class: classETA, prio: 90},
	"remaining":                {class: classETA, prio: 90},
	"time_remaining":           {class: classETA, prio: 90},
	"time_left":                {class: classETA, prio: 90},
	"estimated_time_remaining": {class: classETA, prio: 90},
	"lr":                       {class: classLR, prio: 100},
	"learning_rate":            {class: classLR, prio: 100},
	"train_lr":                 {class: classLR, prio: 90},
	"actor_lr":                 {class: classLR, prio: 80},
	"lr_0":                     {class: classLR, prio: 90},
	"lr_pg0":                   {class: classLR, prio: 70},
	"lr_group_0":               {class: classLR, prio: 70},
	"l_r":                      {class: classLR, prio: 80}, // Marian
	"cost":                     {class: classLoss, prio: 40}, "avg_cost": {class: classLoss, prio: 38}, "average_cost": {class: classLoss, prio: 38}, "mean_cost": {class: classLoss, prio: 38},
	"train_cost": {class: classLoss, prio: 39, train: true}, "training_cost": {class: classLoss, prio: 39, train: true}, "valid_cost": {class: classEvalLoss, prio: 39, eval: true}, "validation_cost": {class: classEvalLoss, prio: 39, eval: true}, "test_cost": {class: classEvalLoss, prio: 39, eval: true},
	"optim0_lr0": {class: classLR, prio: 80}, "lr0": {class: classLR, prio: 75}, // ESPnet
	"current_lr":                     {class: classLR, prio: 90},
	"last_lr":                        {class: classLR, prio: 90},
	"new_lr":                         {class: classUnknown},
	"base_lr":                        {class: classEvidence},
	"step_time":                      {class: classStepTime, prio: 90},
	"steptime":                       {class: classStepTime, prio: 90},
	"step_time_s":                    {class: classStepTime, prio: 90},
	"iter_time":                      {class: classStepTime, prio: 90},
	"iteration_time":                 {class: classStepTime, prio: 90},
	"iter_time_s":                    {class: classStepTime, prio: 90},
	"time_per_step":                  {class: classStepTime, prio: 80},
	"time_per_iter":                  {class: classStepTime, prio: 80},
	"time_per_iteration":             {class: classStepTime, prio: 80},
	"per_step_time":                  {class: classStepTime, prio: 90},
	"batch_cost":                     {class: classStepTime, prio: 85},
	"avg_batch_cost":                 {class: classStepTime, prio: 85},
	"batch_time":                     {class: classStepTime, prio: 80},
	"sec_per_step":                   {class: classStepTime, prio: 80},
	"train_step_timing_in_s":         {class: classStepTime, prio: 90},
	"seconds":                        {class: classStepTime, prio: 60},
	"dt":                             {class: classTime, prio: 80},
	"time":                           {class: classTime, prio: 50},
	"time_cost":                      {class: classEvidence},
	"epoch_time":                     {class: classEvidence},
	"elapsed":                        {class: classTime, prio: 40},
	"elapsed_time_per_iteration_ms":  {class: classStepMillis, prio: 90},
	"step_time_ms":                   {class: classStepMillis, prio: 90},
	"ms_step":                        {class: classStepMillis, prio: 80},
	"mfu":                            {class: classMFU, prio: 90},
	"bf16_mfu":                       {class: classMFU, prio: 80},
	"perf_mfu_actor":                 {class: classMFU, prio: 80},
	"tflops":                         {class: classTFLOPS, prio: 90},
	"tflop_s_device":                 {class: classTFLOPS, prio: 90},
	"throughput_per_gpu_tflop_s_gpu": {class: classTFLOPS, prio: 90},
	"tflops_gpu":                     {class: classTFLOPS, prio: 80},
	"tps":                            {class: classTokens, prio: 80},
	"tgs":                            {class: classTokens, prio: 70},
	"steps_per_second":               {class: classItsSecond, prio: 90},
	"steps_per_sec":                  {class: classItsSecond, prio: 90},
	"global_step_sec":                {class: classItsSecond, prio: 90},
	"it_s":                           {class: classItsSecond, prio: 80},
	"ips":                            {class: classSamples, prio: 60},
	"bsz":                            {class: classUnknown},
	"loss":                           {class: classLoss, prio: 100},
	"avg":                            {class: classNone},
	"v_num":                          {class: classNone},    // Lightning: the number of the run
	"lrm":                            {class: classUnknown}, // nanochat: a multiplier
	"train_runtime":                  {class: classUnknown},
	"eval_runtime":                   {class: classUnknown},
	"elapsed_time":                   {class: classClock},
	"test_batch":                     {class: classStep, prio: 30, eval: true},
}
