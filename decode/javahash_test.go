package decode_test

import (
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"testing"

	"regroup/decode"
)

// What a JVM answered. Bytes that are no UTF-8 are the hard part: how many replacement characters stand for them.
func TestJavaHash(t *testing.T) {
	data, err := os.ReadFile("testdata/javahash.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		digits, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		b, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatal(err)
		}
		want, err := strconv.ParseInt(number, 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		if got := decode.JavaHash(string(b)); int64(got) != want {
			t.Errorf("%s hashes to %d, in Java to %d", digits, got, want)
		}
		n++
	}
	if n == 0 {
		t.Error("no vectors")
	}
}

// Known by heart or by a calculator: over UTF-16 units.
func TestJavaHashOfText(t *testing.T) {
	for s, want := range map[string]int32{
		"":                   0,
		"a":                  97,
		"Aa":                 2112,
		"BB":                 2112,
		"polygenelubricants": -1 << 31,
		"🙂":                  31*0xD83D + 0xDE42,
	} {
		if got := decode.JavaHash(s); got != want {
			t.Errorf("%q hashes to %d, want %d", s, got, want)
		}
	}
}
