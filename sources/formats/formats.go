package formats

import "sync"

// format is the way in which one program prints progress.
type format struct {
	name string
	// source is where the format was read or seen: component and version.
	source string
	// about is what is special about it.
	about string
	// read parses the lines that the general reader cannot, nil if the general
	// reader is enough.
	read     func(*Parser, *line) bool
	examples []example
}

// example is a few consecutive lines, and the expected last sample of them:
// "step=43 epoch=1 loss=1.8".
type example struct {
	lines []string
	want  string
}

// list returns the formats. Those with a reader are tried in this order, before the
// general reader: one that parses its line as a whole, with prefix, comes before those
// that parse the rest after the prefix.
func list() []format {
	return []format{
		belowHeadings,
		catBoost,
		darknet,
		mlperf,
		dlLogger,
		weNet,
		ngcf,
		neon,
		fann,
		fuxiCTR,
		nerfstudio,
		lightningCheckpoints,
		ultralytics,
		tqdmBar,
		tqdmLoggable,
		jsonBlocks,
		boxes,
		recordLists,
		namedLists,
		unnamedValues,
		symbolTuples,
		flower,
		tables,

		transformers,
		msSwift,
		paddle,
		jsonLines,
		fairseq,
		megatron,
		deepSpeed,
		nanoGPT,
		torchTitan,
		torchTune,
		litGPT,
		composer,
		neMo,
		jaxTrainers,
		rlhf,
		neuronX,
		keras,
		lightning,
		openMMLab,
		detectron2,
		torchVision,
		pytorchExamples,
		timm,
		darkflow,
		ignite,
		nnUNet,
		tensorFlow,
		nvidiaExamples,
		mxNet,
		mindSpore,
		torchXLA,
		graphLibraries,
		boosters,
		reinforcement,
		speech,
		vits,
		translation,
		deepLearning4j,
		caffe,
		recBole,
		byHand,
	}
}

// shared holds what readers returns. It is made with the first parser: made where
// it is declared, it would depend on itself.
var shared struct {
	once    sync.Once
	readers []format
}

// readers returns the formats with a reader of their own: one list, which all
// parsers share and none changes.
func readers() []format {
	shared.once.Do(func() {
		for _, f := range list() {
			if f.read != nil {
				shared.readers = append(shared.readers, f)
			}
		}
	})
	return shared.readers
}
