package decode

import "unicode/utf8"

// JavaHash is Java's String.hashCode: over UTF-16 code units. It picks the coordinator's partition and, through HashMap
// order, decides ties in Connect's assignors. Bytes that are no UTF-8 count as U+FFFD, as Java's own decoder reads them.
func JavaHash(s string) int32 {
	var h uint32
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			h = 31*h + uint32(c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if r > 0xFFFF {
			r -= 0x10000
			h = 31*h + uint32(0xD800+r>>10)
			h = 31*h + uint32(0xDC00+r&0x3FF)
			continue
		}
		h = 31*h + uint32(r)
	}
	return int32(h)
}
