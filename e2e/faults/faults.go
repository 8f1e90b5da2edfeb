package faults

// Faults are all of them.
func Faults() []Fault {
	return []Fault{
		HangsBefore, HangsAfter, HangsWithin, Cut, WrongLength, Drips, Slow, VerySlow,
		Unauthorized, Forbidden, NotFound, Gone, Throttled, Failing, Unavailable,
		HTML, WrongType, Another, RedirectLoop, RedirectElsewhere,
		RepeatedToken, EndlessPages,
		WatchExpires, WatchFails, WatchGarbage,
		GzipBomb, HugeString, DeepJSON,
		EmptyBody, WrongResult, ObjectNumbers, MillionsOfSeries,
		NeverEnds, Timeless,
		Refused, Reset, Mute, Expired, Stranger,
	}
}
