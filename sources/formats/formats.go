package formats

// format is one program's way of printing progress.
type format struct {
	name string
	// source is where the way of printing was read or seen: component and
	// version.
	source string
	// about is what is peculiar about it.
	about string
	// read claims a line that needs more than the general reader, nil when
	// the general reader is enough.
	read     func(*Parser, *line) bool
	examples []example
}

// example is a few lines in a row, and what the last sample of them must say:
// "step=43 epoch=1 loss=1.8".
type example struct {
	lines []string
	want  string
}

// list holds the formats. Those with a reader are tried in this order, before
// the general reader: one that reads its line as a whole, prefix and all, comes
// before those that read what is left of it.
func list() []format {
	return []format{
		catBoost,
		darknet,
		mlperf,
		dlLogger,
		weNet,
		ultralytics,
		tqdmBar,
		tqdmLoggable,
		jsonBlocks,
		boxes,
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
		caffe,
		recBole,
		byHand,
	}
}

// readers are the formats with a reader of their own.
func readers() []format {
	var own []format
	for _, f := range list() {
		if f.read != nil {
			own = append(own, f)
		}
	}
	return own
}
