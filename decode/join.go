package decode

import "github.com/twmb/franz-go/pkg/kmsg"

// Offers are the group protocols that a worker advertises, most wanted first, by its connect.protocol: eager, compatible or
// sessioned. nil: there is no such setting.
func Offers(connectProtocol string) []string {
	switch connectProtocol {
	case "eager":
		return []string{ProtocolEager}
	case "compatible":
		return []string{ProtocolCompatible, ProtocolEager}
	case "sessioned":
		return []string{ProtocolSessioned, ProtocolCompatible, ProtocolEager}
	}
	return nil
}

// JoinProtocols is what a worker says of itself under each protocol that it offers. The version of it is the protocol's place from
// the end: 0 for default, 1 for compatible, 2 for sessioned. What it holds goes under the same version.
func JoinProtocols(offers []string, s Subscription) []kmsg.JoinGroupRequestProtocol {
	out := make([]kmsg.JoinGroupRequestProtocol, len(offers))
	held := s.Allocation
	for i, name := range offers {
		s.Version = int16(len(offers) - 1 - i)
		if held != nil {
			a := *held
			a.Version = s.Version
			s.Allocation = &a
		}
		out[i] = kmsg.NewJoinGroupRequestProtocol()
		out[i].Name, out[i].Metadata = name, AppendSubscription(nil, s)
	}
	return out
}
