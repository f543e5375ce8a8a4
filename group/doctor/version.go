package doctor

import (
	"slices"
	"strconv"
	"strings"
)

// version is a release of Kafka: major, minor, patch.
type version [3]int

// parseVersion reads 3.5.1, and takes 3.5.1-SNAPSHOT for what its numbers say. A vendor's own numbers (7.5.1-ccs) are
// none of Kafka's, and are not known.
func parseVersion(s string) (version, bool) {
	head, suffix, _ := strings.Cut(s, "-")
	parts := strings.Split(head, ".")
	if len(parts) < 3 || strings.HasPrefix(suffix, "ccs") || strings.HasPrefix(suffix, "ce") {
		return version{}, false
	}
	var v version
	for i := range v {
		n, err := strconv.Atoi(parts[i])
		if err != nil {
			return version{}, false
		}
		v[i] = n
	}
	return v, true
}

func (v version) compare(o version) int { return slices.Compare(v[:], o[:]) }

// between says whether a version lies from one to another, both included.
func (v version) between(from, to version) bool { return v.compare(from) >= 0 && v.compare(to) <= 0 }
