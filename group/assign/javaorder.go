package assign

import (
	"math"
	"math/bits"
	"slices"

	"regroup/decode"
)

// Java says which Java the leader runs on: a HashSet made from a collection starts with another table since 19, which shows
// at exactly 12, 24, 48 … elements and nowhere else.
type Java int

// The two kinds.
const (
	Java17 Java = iota // 8 to 18
	Java21             // 19 and later
)

// compareJava orders strings as Java's String.compareTo does: by UTF-16 code units. It differs from the order of the UTF-8
// bytes only where one string has a character beyond U+FFFF, whose surrogates lie below U+E000, and the other has one
// between U+E000 and U+FFFF.
func compareJava(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return int(unitRank(a[i])) - int(unitRank(b[i]))
		}
	}
	return len(a) - len(b)
}

// unitRank moves the leading bytes of U+E000…U+FFFF (EE, EF) past those of the characters that need surrogates (F0…F4).
func unitRank(c byte) byte {
	if c == 0xEE || c == 0xEF {
		return c + 0x10
	}
	return c
}

// hashTask is the hash of Connect's ConnectorTaskId, given its connector's.
func hashTask(connector, task int32) int32 { return 31*connector + task }

// table is the bucket array of a Java HashMap, as far as it decides in which order the map iterates: by bucket, and within
// one by insertion, since growing splits a bucket without changing the order in it.
//
// One thing is left out. A bucket of more than eight entries in a table of 64 or more becomes a red-black tree, whose order
// differs; that takes names made to collide.
type table struct {
	size    int
	buckets []int32 // entries in each, while the table is small enough for crowding to matter
}

const (
	firstTable = 16
	// A bucket that is about to get its ninth entry makes a smaller table than treeTable grow instead of becoming a tree.
	crowded   = 8
	treeTable = 64
)

// tableAfter gives the size of a table that started at size, once keys of these hashes are in.
func tableAfter(size int, hashes []int32) int {
	t := table{size: size}
	var counts [treeTable]int32
	t.buckets = counts[:]
	for i, h := range hashes {
		if t.size < treeTable {
			b := bucket(h, t.size)
			if t.buckets[b] >= crowded {
				t.grow(hashes[:i+1])
			} else {
				t.buckets[b]++
			}
		}
		if i+1 > t.size/4*3 {
			t.grow(hashes[:i+1])
		}
	}
	return t.size
}

func (t *table) grow(in []int32) {
	t.size *= 2
	if t.size >= treeTable {
		return
	}
	clear(t.buckets)
	for _, h := range in {
		t.buckets[bucket(h, t.size)]++
	}
}

// bucket spreads a hash as HashMap does and masks it.
func bucket(h int32, size int) int {
	return int((uint32(h) ^ uint32(h)>>16) & uint32(size-1))
}

// setTable is the size with which a HashSet made from a collection of n elements starts.
func (j Java) setTable(n int) int {
	if j == Java21 {
		return power(int(math.Ceil(float64(max(n, 12)) / 0.75)))
	}
	return power(max(int(float32(n)/0.75)+1, firstTable))
}

func power(n int) int {
	if n <= 1 {
		return 1
	}
	return 1 << bits.Len(uint(n-1))
}

// mapOrder is the order in which a HashMap (or HashSet) filled one by one iterates: indices into hashes.
func mapOrder(hashes []int32) []int32 {
	return bucketOrder(tableAfter(firstTable, hashes), hashes)
}

// setOrder is the order in which a HashSet made from a collection iterates.
func (j Java) setOrder(hashes []int32) []int32 {
	return bucketOrder(tableAfter(j.setTable(len(hashes)), hashes), hashes)
}

func bucketOrder(size int, hashes []int32) []int32 {
	out := make([]int32, len(hashes))
	for i := range out {
		out[i] = int32(i)
	}
	slices.SortStableFunc(out, func(a, b int32) int { return bucket(hashes[a], size) - bucket(hashes[b], size) })
	return out
}

// orderNames is setOrder of strings, without repeats.
func (j Java) orderNames(names []string) []string {
	hashes := make([]int32, len(names))
	for i, n := range names {
		hashes[i] = decode.JavaHash(n)
	}
	seen := make(map[string]bool, len(names))
	out := make([]string, 0, len(names))
	// A collection's repeats count for the table it starts with, and are not in it.
	once := make([]int32, 0, len(names))
	kept := make([]string, 0, len(names))
	for i, n := range names {
		if !seen[n] {
			seen[n] = true
			once, kept = append(once, hashes[i]), append(kept, n)
		}
	}
	for _, i := range bucketOrder(tableAfter(j.setTable(len(names)), once), once) {
		out = append(out, kept[i])
	}
	return out
}

// Merge is what a worker has been told altogether once a round is over: what it has in hand from before, nil for nothing, less what it
// is to stop, and what it is to start. Under eager that is the latter alone.
func (j Java) Merge(before *decode.Assignment, protocol string, told decode.Assignment) decode.Assignment {
	var held []decode.Share
	if before != nil && protocol != decode.ProtocolEager {
		held = before.Assigned
	}
	told.Assigned = j.Report(held, told)
	return told
}
