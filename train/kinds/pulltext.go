package kinds

import "strings"

// shortenPull cuts a kubelet's message about an image down to the image and
// the cause. Since 1.33 the back-off message repeats the whole chain:
// Back-off pulling image "X": ErrImagePull: rpc error: code = NotFound desc =
// failed to pull and unpack image "X": ...: X: not found
func shortenPull(message string) string {
	const opening = `image "`
	at := strings.Index(message, opening)
	if at < 0 {
		return message
	}
	image, rest, closed := strings.Cut(message[at+len(opening):], `"`)
	if !closed || image == "" {
		return message
	}
	end := strings.LastIndex(rest, ": ")
	if end < 0 {
		return image
	}
	cause := rest[end+2:]
	if desc := strings.LastIndex(cause, "desc = "); desc >= 0 {
		cause = cause[desc+len("desc = "):]
	}
	if cause == "" {
		return message
	}
	return image + ": " + cause
}
