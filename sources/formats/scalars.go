package formats

import "bytes"

// scalars replaces a number that a program printed as an object of its library by the
// number alone: tensor(2.99, device='cuda:0', grad_fn=<NllLossBackward0>) of PyTorch 2,
// np.float32(2.99) of NumPy 2, Array(2.99, dtype=float32) of JAX 0.4,
// Tensor(shape=[1], dtype=float32, [2.99]) of Paddle 2,
// <tf.Tensor: shape=(), dtype=float32, numpy=2.99> of TensorFlow 2, and
// "Tensor loss of type float. Dims: (): 2.99" of Caffe2's TensorPrinter (PyTorch 1).
type scalars struct{ line, tuple []byte }

// scalarTypes are the last part of the names of such types, in small letters.
var scalarTypes = map[string]bool{
	"tensor": true, "array": true, "devicearray": true, "shardeddevicearray": true, "eagertensor": true, "parameter": true, "ndarray": true, "scalar": true, "variable": true,
	"float": true, "float16": true, "float32": true, "float64": true, "float128": true, "longdouble": true, "half": true, "double": true, "bfloat16": true,
	"int": true, "int8": true, "int16": true, "int32": true, "int64": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true, "longlong": true,
}

// scalarValues are the names under which such an object prints its number.
var scalarValues = map[string]bool{"value": true, "numpy": true, "data": true}

// longestType bounds the name of a type with its module.
const longestType = 40

// apply returns text with each such object replaced by its number, or text itself
// where there is none.
func (s *scalars) apply(text []byte) []byte {
	text = s.printedTuple(text)
	if name, number := printedTensor(text); !number.empty() {
		s.line = append(append(append(s.line[:0], name.of(text)...), ": "...), number.of(text)...)
		return s.line
	}
	done, changed := 0, false
	scan := objectScan{text: text, paren: -1, angle: -1}
	for from := 0; from < len(text); {
		open := scan.next(from)
		if open < 0 {
			break
		}
		from = open + 1
		start, end, number := scalarAt(text, open)
		if number.empty() || start < done {
			continue
		}
		if !changed {
			s.line, changed = s.line[:0], true
		}
		s.line = append(append(s.line, text[done:start]...), number.of(text)...)
		done, from = end, end
	}
	if !changed {
		return text
	}
	s.line = append(s.line, text[done:]...)
	return s.line
}

// printedTensor returns the name and the number of a tensor that Caffe2 printed, an empty
// number where the line is none or the tensor has several.
func printedTensor(text []byte) (name, number span) {
	const lead, kind, shape = "Tensor ", " of type ", ". Dims: ("
	if !bytes.HasPrefix(text, []byte(lead)) {
		return span{}, span{}
	}
	named := bytes.Index(text, []byte(kind))
	shaped := bytes.Index(text, []byte(shape))
	closed := bytes.Index(text, []byte("): "))
	if named < len(lead) || shaped < named || closed < shaped+len(shape)-1 {
		return span{}, span{}
	}
	if dims := text[shaped+len(shape) : closed]; len(bytes.Trim(dims, "1,")) > 0 {
		return span{}, span{}
	}
	return span{len(lead), named}, argumentNumber(text, span{closed + len("): "), len(text)})
}

// objectScan finds the brackets that may open the text of an object. Each of the two kinds
// is searched for once.
type objectScan struct {
	text         []byte
	paren, angle int // the next ones, the length of the text for none
}

// next returns the next such bracket, -1 for none.
func (o *objectScan) next(from int) int {
	for {
		o.paren = o.search(o.paren, from, '(')
		o.angle = o.search(o.angle, from, '<')
		i := min(o.paren, o.angle)
		if i == len(o.text) {
			return -1
		}
		if o.text[i] == '<' || i > 0 && isWordByte(o.text[i-1]) {
			return i
		}
		from = i + 1
	}
}

// search returns where a bracket comes next, which is the place known if that is not passed.
func (o *objectScan) search(known, from int, bracket byte) int {
	if known >= from {
		return known
	}
	if at := bytes.IndexByte(o.text[from:], bracket); at >= 0 {
		return from + at
	}
	return len(o.text)
}

// scalarAt reads the object whose bracket is at open: where it starts and ends, and its
// number, which is empty where it is none or has several.
func scalarAt(text []byte, open int) (start, end int, number span) {
	start = open
	for start > 0 && text[open] == '(' && open-start < longestType && (isWordByte(text[start-1]) || text[start-1] == '.') {
		start--
	}
	name := text[start:open]
	arguments := open + 1
	if text[open] == '<' {
		length := bytes.IndexAny(text[arguments:], ": '")
		if length < 0 || length > longestType {
			return start, open, span{}
		}
		name, arguments = text[arguments:arguments+length], arguments+length
	}
	if !isScalarType(name) {
		return start, open, span{}
	}
	end, number = soleNumber(text, arguments, text[open])
	return start, end, number
}

func isScalarType(name []byte) bool {
	name = name[bytes.LastIndexByte(name, '.')+1:]
	var small [24]byte
	if len(name) > len(small) {
		return false
	}
	for i, c := range name {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		small[i] = c
	}
	return scalarTypes[string(small[:len(name)])]
}

// soleNumber reads the arguments of an object up to its closing bracket: the only one
// that is a number and has no name, or the one named as the value.
func soleNumber(text []byte, at int, open byte) (end int, number span) {
	depth, from := 0, at
	quote := byte(0)
	numbers := 0
	take := func(to int) {
		if n := argumentNumber(text, span{from, to}); !n.empty() {
			number = n
			numbers++
		}
	}
	for i := at; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case depth == 0 && (open == '(' && c == ')' || open == '<' && c == '>'):
			if take(i); numbers != 1 {
				return i + 1, span{}
			}
			return i + 1, number
		case c == '(' || c == '[' || c == '<':
			depth++
		case c == ')' || c == ']' || c == '>':
			depth--
		case depth == 0 && (c == ',' || open == '<' && c == ' '):
			take(i)
			from = i + 1
		}
	}
	return len(text), span{}
}

// argumentNumber returns the number of an argument: 2.99, [2.99], value= 2.99. Others
// that have a name show nothing about it.
func argumentNumber(text []byte, of span) span {
	if equals := bytes.IndexByte(of.of(text), '='); equals >= 0 {
		if name := bytes.TrimSpace(text[of.lo : of.lo+equals]); !scalarValues[string(name)] {
			return span{}
		}
		of.lo += equals + 1
	}
	for of.lo < of.hi && (isBlank(text[of.lo]) || text[of.lo] == '[') {
		of.lo++
	}
	for of.lo < of.hi && (isBlank(text[of.hi-1]) || text[of.hi-1] == ']') {
		of.hi--
	}
	_, end, ok := readWordNumber(text, of.lo)
	if !ok {
		_, end, ok = readFloat(text, of.lo)
	}
	if !ok || end != of.hi {
		return span{}
	}
	return of
}
