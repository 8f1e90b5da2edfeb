package themes

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// foreignColours remembers what Foreign found; a log repeats a few colours on every
// line.
type foreignColours struct {
	mu    sync.Mutex
	known map[string]string
}

// mostForeign bounds what is remembered: a log may have as many colours as letters.
const mostForeign = 256

// Foreign is the colour that a text brings with it, as parameters of SGR
// ("38;2;R;G;B", "38;5;N"), moved away from the theme's ground until it is readable: a
// program chose it for another ground. Those of ANSI stay: the terminal's own palette
// has them for its ground.
func (t *Theme) Foreign(code string) string {
	if t.foreign == nil || !strings.HasPrefix(code, "38;") {
		return code
	}
	t.foreign.mu.Lock()
	defer t.foreign.mu.Unlock()
	moved, known := t.foreign.known[code]
	if !known {
		if moved = t.moved(code); len(t.foreign.known) >= mostForeign {
			clear(t.foreign.known)
		}
		t.foreign.known[code] = moved
	}
	return moved
}

// moved is Foreign, computed.
func (t *Theme) moved(code string) string {
	colour, is := foreignColour(code)
	if !is {
		return code
	}
	grounds := t.grounds(AllColours)
	if colour.leastContrast(grounds) >= LeastContrast {
		return code
	}
	hex := colour.hex()
	for _, ground := range grounds {
		hex = readable(hex, ground.hex())
	}
	c := parseRGB(hex)
	return fmt.Sprintf("38;2;%d;%d;%d", c[0], c[1], c[2])
}

// foreignColour is the colour of parameters of SGR; false for one of ANSI.
func foreignColour(code string) (c rgbColour, is bool) {
	var numbers []int
	for part := range strings.SplitSeq(code, ";") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 || n > 255 {
			return c, false
		}
		numbers = append(numbers, n)
	}
	switch {
	case len(numbers) == 3 && numbers[1] == 5 && numbers[2] >= first256:
		return colours256[numbers[2]], true
	case len(numbers) == 5 && numbers[1] == 2:
		return rgbColour{uint8(numbers[2]), uint8(numbers[3]), uint8(numbers[4])}, true
	}
	return c, false
}
