package decode

import "unicode/utf8"

// JavaHash is Java's String.hashCode: over UTF-16 code units. It picks the coordinator's partition and, through HashMap
// order, decides ties in Connect's assignors. Bytes that are no UTF-8 count as U+FFFD, one for each piece that Java's own
// decoder replaces by one.
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
		if r == utf8.RuneError && n == 1 {
			n = javaMalformed(s[i:])
		}
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

// javaMalformed is how many bytes Java replaces by one U+FFFD where s begins with no UTF-8: as much as could still have
// become a character, and an encoded surrogate as a whole. Go replaces each byte.
func javaMalformed(s string) int {
	more := func(i int, low, high byte) bool { return i < len(s) && s[i] >= low && s[i] <= high }
	switch lead := s[0]; {
	case lead >= 0xE0 && lead <= 0xEF:
		low := byte(0x80)
		if lead == 0xE0 {
			low = 0xA0
		}
		switch {
		case !more(1, low, 0xBF):
			return 1
		case !more(2, 0x80, 0xBF):
			return 2
		}
		return 3
	case lead >= 0xF0 && lead <= 0xF4:
		low, high := byte(0x80), byte(0xBF)
		switch lead {
		case 0xF0:
			low = 0x90
		case 0xF4:
			high = 0x8F
		}
		switch {
		case !more(1, low, high):
			return 1
		case !more(2, 0x80, 0xBF):
			return 2
		}
		return 3
	}
	return 1
}
