package cli

import (
	"context"
	"time"

	"regroup/actions"
	"regroup/tui"
)

// realWorkFlag is the flag behind which a ghost joins a real group.
const realWorkFlag = "i-know-it-holds-real-work"

// ghostOff is why no ghost may join; "": it may.
func (k *groupActions) ghostOff() string {
	if k.lab == nil && !k.realWork {
		return "units that a ghost holds stand still: start regroup with --" + realWorkFlag + " where that is wanted"
	}
	return ""
}

// ghostOffer is regroup itself as a worker, until it is told to leave.
func (k *groupActions) ghostOffer() tui.Offer {
	return tui.Offer{
		Word: "a ghost", About: "regroup joins as a worker that holds units and runs none", Off: k.ghostOff(),
		Fields: []tui.Field{
			{Key: "for", Label: "leaves after", Help: "as 30s or 2m; empty: when it is told to", Check: isTime},
			{Key: "protocol", Label: "protocol", Value: "sessioned", Help: "eager takes the whole group there", Need: true, Choices: []string{"sessioned", "compatible", "eager"}},
		},
		Ready: func(ctx context.Context, given map[string]string) (*tui.Deed, error) {
			g := actions.Ghost{RealWork: k.realWork, Demo: k.lab != nil, Protocol: given["protocol"]}
			if given["for"] != "" {
				d, err := time.ParseDuration(given["for"])
				if err != nil {
					return nil, err
				}
				g.For = d
			}
			x, err := k.workers.Ghost(g)
			if err != nil {
				return nil, err
			}
			d, err := k.ready(ctx, x)
			if err == nil {
				d.Ends = "let the ghost leave"
			}
			return d, err
		},
	}
}
