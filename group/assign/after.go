package assign

// After is the round that follows a decision, as the leader would have it before it, everyone having done as told. Its time
// is still that of the round before.
func (m LeaderState) After(req Request, d Decision) Request { return m.java.after(req, d, "") }

// Next is what brings the round after a decision about by itself; "" when nothing does.
func Next(d Decision) StepKind { return next(d) }
