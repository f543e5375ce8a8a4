package assign

import "regroup/decode"

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
