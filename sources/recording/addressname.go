package recording

import "strings"

// AddressName returns the name of a source for people, from the address of a
// server: without its user info, query and fragment, which may hold passwords
// and tokens. A text that is not an address, such as paths, stays as it is.
func AddressName(address string) string {
	scheme, rest, isAddress := strings.Cut(address, "://")
	if !isAddress {
		return address
	}
	if end := strings.IndexAny(rest, "?#"); end >= 0 {
		rest = rest[:end]
	}
	host, path, hasPath := strings.Cut(rest, "/")
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	if hasPath {
		host += "/" + path
	}
	return scheme + "://" + host
}

// otherSource reports whether two names are known to be of different sources.
// Recordings of earlier versions may hold a whole address.
func otherSource(a, b string) bool {
	return a != "" && b != "" && AddressName(a) != AddressName(b)
}
