package observe

import "testing"

func TestTopicsAreNamedForGroups(t *testing.T) {
	for _, c := range []struct {
		kind         kind
		topic, group string
		want         int
	}{
		{configKind, "orders-configs", "orders", 2},
		{configKind, "orders.config", "orders", 2},
		{configKind, "_orders_config-storage", "orders", 2},
		{configKind, "connect-cluster-configs", "connect-cluster", 2}, // Strimzi
		{configKind, "orders-connect-configs", "orders-connect-v2", 0},
		{configKind, "connect-configs", "connect-cluster", 1}, // Kafka's own example
		{configKind, "docker-connect-configs", "connect", 1},
		{configKind, "configs-orders", "connect-orders", 1},
		{configKind, "mm2-configs.amber.internal", "amber-mm2", 1}, // MirrorMaker
		{statusKind, "mm2-status.amber.internal", "amber-mm2", 1},
		{statusKind, "mm2-status.elder.internal", "amber-mm2", 0},
		{statusKind, "orders-configs", "orders", 0},
		{offsetsKind, "orders-offsets", "orders", 2},
		{configKind, "orders", "orders", 0},
	} {
		if got := c.kind.namedFor(c.topic, c.group); got != c.want {
			t.Errorf("%s as the %s topic of %s: %d, want %d", c.topic, c.kind.role, c.group, got, c.want)
		}
	}
}
