package mergedlogs

// queueHeap has the queue on top whose first line is the oldest.
type queueHeap []*logQueue

func (h queueHeap) Len() int { return len(h) }
func (h queueHeap) Less(i, j int) bool {
	a, b := &h[i].lines[0], &h[j].lines[0]
	if !a.order.Equal(b.order) {
		return a.order.Before(b.order)
	}
	return h[i].from.Colour < h[j].from.Colour
}
func (h queueHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].at, h[j].at = i, j
}

// Push implements heap.Interface.
func (h *queueHeap) Push(q any) {
	q.(*logQueue).at = len(*h)
	*h = append(*h, q.(*logQueue))
}

// Pop implements heap.Interface.
func (h *queueHeap) Pop() any {
	old := *h
	q := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	q.at = -1
	return q
}
