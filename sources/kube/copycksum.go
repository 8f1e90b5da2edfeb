package kube

import (
	"errors"
	"io"
	"os"
)

// cksumTable is that of the CRC of POSIX cksum: polynomial 0x04C11DB7, highest
// bit first, which hash/crc32 does not have.
var cksumTable = func() (table [256]uint32) {
	for i := range table {
		sum := uint32(i) << 24
		for range 8 {
			if sum&(1<<31) != 0 {
				sum = sum<<1 ^ 0x04C11DB7
			} else {
				sum <<= 1
			}
		}
		table[i] = sum
	}
	return table
}()

// cksumOf is what cksum prints first for a file.
func cksumOf(name string) (uint32, error) {
	file, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }()
	return cksum(file)
}

func cksum(from io.Reader) (uint32, error) {
	var sum uint32
	var size uint64
	buffer := make([]byte, copyBuffer)
	for {
		n, err := from.Read(buffer)
		for _, b := range buffer[:n] {
			sum = sum<<8 ^ cksumTable[byte(sum>>24)^b]
		}
		size += uint64(n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, err
		}
	}
	for ; size > 0; size >>= 8 {
		sum = sum<<8 ^ cksumTable[byte(sum>>24)^byte(size)]
	}
	return ^sum, nil
}
