package dump

import "fmt"

// maxObjects and maxObjectText limit what is kept of all files together: the
// objects, and the bytes of their text. Kubernetes supports clusters of at
// most 150,000 pods; 30,000 pods take 400 MB of YAML.
const (
	maxObjects    = 200_000
	maxObjectText = 1 << 30
)

// hasRoom reports whether an object with that much text may be kept. One that
// replaces another of its name always may.
func (f *Files) hasRoom(key objectKey, text int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, met := f.index[key]; met {
		return true
	}
	if len(f.index) >= f.most || f.held+int64(text) > maxObjectText {
		return false
	}
	f.held += int64(text)
	return true
}

// tooMany returns the error that no more objects are kept.
func (f *Files) tooMany() error {
	return fmt.Errorf("only the first %d objects of all files are kept, of at most %d objects and %d MiB; what follows was not read; give fewer kinds or namespaces", len(f.index), f.most, maxObjectText>>20)
}
