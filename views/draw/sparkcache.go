package draw

import (
	"encoding/binary"
	"math"
	"sync"

	"github.com/traintop/traintop/themes"
)

// sparks are cached sparklines. A table needs the same ones in each frame, and
// ntcharts takes some 10 us for one.
var sparks sparkCache

// mostSparks bounds the cache: some screens of them, half a megabyte.
const mostSparks = 4096

// sparkCache finds sparklines by their content.
type sparkCache struct {
	lock  sync.Mutex
	drawn map[string]string
}

// of is the sparkline of some shares.
func (c *sparkCache) of(g *themes.Glyphs, shares []float64) string {
	var buffer [512]byte
	key := append(buffer[:0], g.Levels[0]...) // differs between the sets of glyphs
	for _, share := range shares {
		key = binary.LittleEndian.AppendUint32(key, math.Float32bits(float32(share)))
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	if text, known := c.drawn[string(key)]; known {
		return text
	}
	if c.drawn == nil || len(c.drawn) >= mostSparks {
		c.drawn = map[string]string{}
	}
	text := drawSpark(g, shares)
	c.drawn[string(key)] = text
	return text
}
