package formats

import "bytes"

// partWords are names of what only a loss is the sum of.
var partWords = map[string]bool{
	"kl": true, "kld": true, "kl_div": true, "rec": true, "recon": true, "reconstruction": true,
	"pde": true, "bc": true, "ic": true, "bcs": true, "ics": true, "residual": true, "boundary": true, "physics": true, "phys": true,
	"cls": true, "box": true, "bbox": true, "obj": true, "reg": true, "dfl": true, "seg": true, "dice": true, "focal": true, "iou": true, "ce": true, "bce": true, "kd": true, "adv": true, "gan": true, "perceptual": true, "vgg": true, "tv": true,
}

// chooseTotal takes "total" for the loss in a list of its parts: "[Losses: x 0.27, conf 4.36, total
// 15.14]", "Rec=0.204574, KL=149.825104, Total=1.702825", "Epoch 9 Loss => total: 55.7, g: 32.3".
func chooseTotal(r *pairs) {
	parts, losses, total := 0, 0, -1
	for i := range r.fields {
		f := &r.fields[i]
		name := f.name.of(r.text)
		if i == r.stepAt || i == r.epochAt || f.fraction || f.clock || f.unit != unitNone || r.kinds[i].class != classUnknown && r.kinds[i].class != classEvidence {
			continue
		}
		if len(name) == len("total") && hasFold(name, "total") {
			if total >= 0 {
				return
			}
			total = i
		} else if endsInLoss(name) && measuredField(r, i) {
			losses++
		} else if lossPart(name) && measuredField(r, i) {
			parts++
		}
	}
	if total < 0 || losses == 0 && !r.point.positioned() {
		return
	}
	f := &r.fields[total]
	if open := bytes.LastIndexByte(r.text[:f.lo], '['); open >= 0 && hasFold(r.text[open+1:], "losses:") || headedLoss(r, total) ||
		parts+losses > 0 && (f.separated || measuredField(r, total)) {
		f.separated = true
		r.lossAt = total
	}
}

// headedLoss reports whether the words in front of the first value behind the position show that the
// values are losses: "Epoch 9 Loss => total: 55.7".
func headedLoss(r *pairs, at int) bool {
	if before := at - 1; before >= 0 && before != r.stepAt && before != r.epochAt {
		return false
	}
	f := &r.fields[at]
	label := bytes.TrimRight(f.label.of(r.text), " =->:|[({")
	word := label[bytes.LastIndexByte(label, ' ')+1:]
	return hasFold(word, "loss") && len(word) <= len("losses") && f.separated
}

// lossPart reports whether a name is of what only a loss is the sum of.
func lossPart(name []byte) bool {
	const longest = len("reconstruction")
	if len(name) > longest {
		return false
	}
	var buffer [longest]byte
	for i, c := range name {
		buffer[i] = lower(c)
	}
	return partWords[string(buffer[:len(name)])]
}

// endsInLoss reports whether a name is of some loss: "classifier_loss".
func endsInLoss(name []byte) bool {
	n := len(name) - len("loss")
	return n > 0 && hasFold(name[n:], "loss")
}

// drawn reports whether a name is a piece of a bar: "[███   ] 60/500".
func drawn(name []byte) bool {
	return len(name) > 2 && name[0] == 0xE2 && (name[1] == 0x96 || name[1] == 0x94)
}
