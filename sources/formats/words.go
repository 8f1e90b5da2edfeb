package formats

// words maps each word of a name, in lower case, to its traits.
var words = map[string]traits{

	// what is measured: the loss and its components
	"loss": hasLoss, "losses": hasLoss, "lossvalue": hasLoss, "vloss": hasLoss | hasEval, "tloss": hasLoss | hasTrain, "nloss": hasLoss,
	"损失": hasLoss, "训练损失": hasLoss | hasTrain, "验证损失": hasLoss | hasEval, "测试损失": hasLoss | hasEval,
	"平均损失": hasLoss | isAverage,

	// where
	"val": hasEval, "valid": hasEval, "validation": hasEval, "validating": hasEval, "validate": hasEval,
	"eval": hasEval, "evaluation": hasEval, "evaluate": hasEval, "evaluating": hasEval, "test": hasEval,
	"testing": hasEval, "tst": hasEval, "te": hasEval, "va": hasEval, "vali": hasEval, "dev": hasEval, "holdout": hasEval, "heldout": hasEval, "devset": hasEval, "testset": hasEval,
	"evaluated": hasEval, "validated": hasEval, "trained": hasTrain, "with": isFiller,
	"train": hasTrain, "training": hasTrain, "tr": hasTrain, "trn": hasTrain, "训练": hasTrain, "验证": hasEval,

	// where in the run
	"batch": isFiller | isPosition, "minibatch": isFiller | isPosition, "step": isFiller | isPosition,
	"steps": isPosition, "iteration": isFiller | isPosition, "iter": isFiller | isPosition, "it": isPosition,
	"itr": isPosition, "iterations": isPosition, "iters": isPosition, "update": isPosition, "updates": isPosition,
	"completed": isDone | isFiller, "done": isDone | isFiller, "finished": isDone | isFiller,
	"minibatches": isPosition, "batches": isPosition, "round": isPosition, "generation": isPosition, "timestep": isPosition,
	"timesteps": isPosition, "episode": isFiller | isPosition, "game": isPosition, "epoch": isFiller | isEpochWise | isEpochWord,
	"epochs": isEpochWord, "ep": isEpochWord, "步": isPosition, "步骤": isPosition, "步数": isPosition, "迭代": isPosition,
	"轮": isEpochWord, "轮次": isEpochWord,

	// other languages than English and Chinese
	"эпоха": isEpochWord, "Эпоха": isEpochWord, "эпохи": isEpochWord, "epoche": isEpochWord, "epoca": isEpochWord,
	"época": isEpochWord, "épocas": isEpochWord, "époque": isEpochWord, "époques": isEpochWord, "epoka": isEpochWord, "エポック": isEpochWord, "에포크": isEpochWord, "에폭": isEpochWord,
	"шаг": isPosition, "Шаг": isPosition, "итерация": isPosition, "Итерация": isPosition, "schritt": isPosition,
	"paso": isPosition, "passo": isPosition, "ステップ": isPosition, "イテレーション": isPosition, "스텝": isPosition, "반복": isPosition,
	"потери": hasLoss, "Потери": hasLoss, "потеря": hasLoss, "Потеря": hasLoss, "verlust": hasLoss, "perda": hasLoss, "perdita": hasLoss, "verlies": hasLoss, "perte": hasLoss,
	"pérdida": hasLoss, "perdida": hasLoss, "pérdidas": hasLoss, "fehler": isEvidence, "erreur": isEvidence, "erro": isEvidence,
	"epok": isEpochWord, "kayıp": hasLoss, "kaybı": hasLoss, "eğitim": hasTrain, "doğrulama": hasEval, "doğruluk": isEvidence,
	"損失": hasLoss, "ロス": hasLoss, "손실": hasLoss, "로스": hasLoss,
	"訓練損失": hasLoss | hasTrain, "学習損失": hasLoss | hasTrain, "検証損失": hasLoss | hasEval, "평균": isFiller | isAverage,
	"точность": isAccuracy, "Точность": isAccuracy, "genauigkeit": isAccuracy, "精度": isAccuracy, "正解率": isAccuracy, "정확도": isAccuracy,
	"entrenamiento": hasTrain, "entraînement": hasTrain, "treinamento": hasTrain, "treino": hasTrain, "validación": hasEval,
	"validação": hasEval, "prueba": hasEval, "teste": hasEval, "précision": isAccuracy, "precisión": isAccuracy,
	"обучение": hasTrain, "обучения": hasTrain, "学習": hasTrain, "訓練": hasTrain, "학습": hasTrain,
	"テスト": hasEval, "测试": hasEval, "測試": hasEval, "驗證": hasEval, "準確率": isAccuracy, "准确度": isAccuracy,
	"de": isFiller, "du": isFiller, "da": isFiller, "del": isFiller, "훈련": hasTrain, "평가": hasEval, "테스트": hasEval,
	"초기": isSetting | isBlocker, "최종": isBlocker | isSummary, "최고": isSummary, "최저": isSummary, "최소": isSummary,
	"최대": isSummary, "최적": isSummary, "meilleure": isSummary, "meilleur": isSummary, "finale": isBlocker | isSummary,
	"mejor": isSummary, "melhor": isSummary, "лучшая": isSummary, "лучшие": isSummary, "лучший": isSummary,
	"итоговая": isBlocker | isSummary, "итоговые": isBlocker | isSummary,
	"lernrate": isLearning, "aprendizaje": isLearning, "aprendizado": isLearning, "aprendizagem": isLearning, "apprentissage": isLearning,
	"tasa": isFiller, "taxa": isFiller, "taux": isFiller,
	"валидация": hasEval, "валидации": hasEval, "検証": hasEval, "검증": hasEval, "학습률": isLearning, "学習率": isLearning,

	// how a value was measured
	"total": isFiller, "tot": isFiller, "whole": isFiller, "lm": isFiller, "main": isFiller, "all": isFiller, "overall": isFiller,
	"global": isFiller, "model": isFiller, "data": isFiller, "value": isFiller | isValue, "current": isFiller, "cur": isFiller,
	"reduced": isFiller, "mini": isFiller, "sft": isFiller, "the": isFiller, "set": isFiller, "dataset": isFiller,
	"is": isFiller, "in": isFiller, "of": isFiller, "for": isFiller, "on": isFiller, "at": isFiller, "after": isFiller,
	"this": isFiller, "new": isFiller, "instant": isFiller, "phase": isFiller, "mean": isFiller | isAverage,
	"median": isFiller | isAverage, "avg": isFiller | isAverage, "average": isFiller | isAverage,
	"averaged": isFiller | isAverage, "ave": isFiller | isAverage, "avr": isFiller | isAverage,
	"moving": isFiller | isAverage, "running": isFiller | isAverage, "ema": isFiller | isAverage,
	"smoothed": isFiller | isAverage, "smooth": isFiller | isAverage, "sum": isFiller | isAverage | isSum,
	"cumulative": isFiller | isAverage | isSum, "estimated": isFiller | isAverage, "interval": isFiller | isAverage, "rate": isFiller,
	"accumulated": isFiller | isAverage | isSum, "rolling": isFiller | isAverage, "weighted": isFiller | isAverage,
	"joint": isFiller, "combined": isFiller, "full": isFiller, "aggregate": isFiller, "aggregated": isFiller,
	"composite": isFiller, "hybrid": isFiller, "regularized": isFiller, "regularised": isFiller,
	"metrics": isFiller, "recent": isFiller | isAverage, "curr": isFiller, "so": isFiller, "far": isFiller, "lst": isFiller,

	// objectives
	"ce": isObjective, "mse": isObjective | isEvidence, "mae": isObjective | isEvidence,
	"nll": isObjective | isEvidence, "bce": isObjective, "xent": isObjective, "l1": isObjective, "l2": isObjective,
	"huber": isObjective, "mlm": isObjective, "clm": isObjective, "ctc": isObjective, "rnnt": isObjective,
	"transducer": isObjective, "contrastive": isObjective, "cross": isObjective | isCross,
	"entropy": isEntropy | isEvidence, "crossentropy": isObjective, "softmax": isObjective, "denoising": isObjective,
	"diffusion": isObjective, "seg": isObjective, "classification": isObjective, "regression": isObjective,
	"triplet": isObjective, "infonce": isObjective, "lang": isObjective, "language": isObjective, "text": isObjective,
	"noise": isObjective, "focal": isObjective, "dice": isObjective | isEvidence, "pinball": isObjective,
	"quantile": isObjective, "ner": isObjective, "elbo": isObjective | isEvidence, "logistic": isObjective, "hinge": isObjective,
	"face": isObjective, "arc": isObjective, "cos": isObjective, "sphere": isObjective, // losses of faces
	"bpr": isObjective, "ranking": isObjective, "pairwise": isObjective, "listwise": isObjective, "arcface": isObjective,
	"cosine": isObjective, "detection": isObjective, "segmentation": isObjective, "pixel": isObjective, "photometric": isObjective,
	"keypoint": isObjective, "keypoints": isObjective, "heatmap": isObjective, "landmark": isObjective, "landmarks": isObjective,
	"pose": isObjective, "ntp": isObjective, "reconstruction": isObjective, "recon": isObjective, "autoencoder": isObjective,
	"lstm": isObjective, "rnn": isObjective, "gru": isObjective, "cnn": isObjective, "mlp": isObjective, "bert": isObjective,
	"grpo": isObjective, "dpo": isObjective, "ppo": isObjective, "reinforce": isObjective, "distill": isObjective, "distillation": isObjective,
	"gpt": isObjective, "transformer": isObjective, "unet": isObjective, "resnet": isObjective, "vae": isObjective,

	// settings, and words that make a position a setting
	"i": isOrdinal, "idx": isOrdinal, "index": isOrdinal, "id": isOrdinal, "no": isOrdinal, "scale": isSetting | isBlocker,
	"scaler": isSetting, "scaling": isSetting, "weight": isSetting | isBlocker, "weights": isSetting, "coef": isSetting,
	"coeff": isSetting, "coefficient": isSetting, "factor": isSetting, "fn": isSetting, "func": isSetting,
	"function": isSetting, "type": isSetting, "reduction": isSetting, "min": isBlocker | isSummary,
	"max": isBlocker | isSummary, "threshold": isSetting | isBlocker, "lambda": isSetting, "gamma": isSetting,
	"eps": isSetting | isObjective, "decay": isSetting | isBlocker, "warmup": isSetting | isBlocker, "smoothing": isSetting,
	"window": isSetting | isBlocker, "freq": isSetting | isBlocker, "frequency": isSetting,
	"patience": isSetting | isBlocker, "seed": isSetting, "size": isSetting | isBlocker, "num": isBlocker | isOrdinal,
	"number": isBlocker | isOrdinal, "n": isBlocker, "count": isBlocker, "config": isSetting, "init": isSetting,
	"initial": isSetting | isBlocker, "target": isSetting | isBlocker, "limit": isSetting, "schedule": isSetting,
	"per": isBlocker | isPerTime, "every": isBlocker, "each": isBlocker, "since": isBlocker, "save": isBlocker,
	"log": isBlocker, "start": isBlocker, "first": isBlocker, "skipped": isBlocker, "nan": isBlocker,
	"previous": isBlocker, "last": isBlocker, "resume": isBlocker, "stop": isBlocker, "next": isBlocker,
	"delta": isBlocker, "elapsed": isBlocker, "time": isBlocker, "duration": isBlocker, "best": isBlocker | isSummary,
	"final": isBlocker | isSummary, "lowest": isBlocker | isSummary, "highest": isBlocker | isSummary,
	"minimum": isBlocker | isSummary, "maximum": isBlocker | isSummary, "overfit": isSummary,

	"packet": isNetwork, "packets": isNetwork,

	// rates
	"words": isRateOf, "ms": isPerTime, "samples": isRateOf, "sample": isRateOf, "examples": isRateOf, "example": isRateOf, "images": isRateOf,
	"image": isRateOf, "imgs": isRateOf, "img": isRateOf, "sequences": isRateOf, "seqs": isRateOf, "records": isRateOf,
	"sents": isRateOf, "sentences": isRateOf, "tokens": isTokenWord, "token": isTokenWord, "tok": isTokenWord,
	"toks": isTokenWord, "sec": isPerTime, "s": isPerTime, "second": isPerTime, "seconds": isPerTime,

	// gradients and learning rates
	"grad": isGrad, "gradient": isGrad, "gradients": isGrad, "gradnorm": isGrad | isNorm, "gnorm": isGrad | isNorm,
	"norm": isNorm, "norms": isNorm, "学习率": isLearning, "學習率": isLearning, "lr": isLearning, "lrs": isLearning, "learning": isLearning,
	"learningrate": isLearning,

	// other metrics
	"speed": isEvidence | isRateWord, "throughput": isEvidence | isRateWord, "ips": isEvidence, "wps": isEvidence,
	"fps": isEvidence | isPerTime, "ups": isEvidence, "acc": isAccuracy, "accuracy": isAccuracy, "accu": isAccuracy,
	"auc": isEvidence, "rmse": isEvidence, "mape": isEvidence, "logloss": isEvidence, "mlogloss": isEvidence,
	"error": isEvidence | isError, "squared": isObjective | isSquared, "absolute": isObjective | isSquared,
	"merror": isEvidence, "err": isEvidence, "errors": isEvidence, "ppl": isEvidence,
	"perplexity": isEvidence, "pplx": isEvidence, "reward": isEvidence, "rewards": isEvidence, "rew": isEvidence,
	"return": isEvidence, "returns": isEvidence, "bleu": isEvidence, "sacrebleu": isEvidence, "rouge": isEvidence,
	"wer": isEvidence, "cer": isEvidence, "ter": isEvidence, "uer": isEvidence, "f1": isEvidence,
	"fscore": isEvidence, "auroc": isEvidence, "auprc": isEvidence, "chrf": isEvidence, "cider": isEvidence,
	"lpips": isEvidence, "dsc": isEvidence, "jaccard": isEvidence, "mpjpe": isEvidence, "pesq": isEvidence,
	"precision": isEvidence, "recall": isEvidence, "map": isEvidence, "iou": isEvidence, "miou": isEvidence,
	"psnr": isEvidence, "ssim": isEvidence, "fid": isEvidence, "kl": isEvidence, "bpc": isEvidence, "bpb": isEvidence,
	"bpd": isEvidence, "likelihood": isEvidence, "score": isEvidence, "scores": isEvidence, "top1": isEvidence,
	"top5": isEvidence, "acc1": isEvidence, "acc5": isEvidence, "r2": isEvidence, "mrr": isEvidence, "ndcg": isEvidence,
	"hits": isEvidence, "aucpr": isEvidence, "ap": isEvidence, "ap50": isEvidence, "map50": isEvidence, "smape": isEvidence,
	"fitness": isEvidence, "performance": isEvidence,
	"mcc": isEvidence, "eer": isEvidence, "metric": isEvidence, "advantage": isEvidence, "qval": isEvidence,
	"ari": isEvidence, "nmi": isEvidence, "kappa": isEvidence, "准确率": isAccuracy, "正确率": isAccuracy,
}
