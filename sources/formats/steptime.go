package formats

// stepOfParts takes "iter_time" for the wait for data where the forward pass, a part of the step,
// took longer, and "train_time" for the time of the whole step then, as ESPnet 2 measures them
// (espnet2/train/trainer.py).
func stepOfParts(r *pairs) {
	waits := -1
	for i := range r.kinds {
		if r.kinds[i].class == classStepTime && string(r.fields[i].name.of(r.text)) == "iter_time" {
			waits = i
		}
	}
	if waits < 0 {
		return
	}
	part, whole := false, -1
	for i := range r.fields {
		switch f := &r.fields[i]; string(f.name.of(r.text)) {
		case "forward_time":
			part = f.number > r.fields[waits].number
		case "train_time":
			whole = i
		}
	}
	if !part {
		return
	}
	r.kinds[waits], r.fields[waits].class = kind{}, classUnknown
	if whole >= 0 {
		r.kinds[whole], r.fields[whole].class = kind{class: classStepTime, prio: 80}, classStepTime
	}
}
