package conn

import "go.yaml.in/yaml/v3"

func mapping() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"} }

func text(s string) *yaml.Node {
	n := &yaml.Node{}
	n.SetString(s)
	return n
}

// child is what a mapping has under a key; nil for nothing.
func child(n *yaml.Node, key string) *yaml.Node {
	if n == nil {
		return nil
	}
	for i := 0; i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// under is the mapping that a mapping has under a key; it is made where there is none.
func under(n *yaml.Node, key string) *yaml.Node {
	c := child(n, key)
	if c == nil || c.Kind != yaml.MappingNode {
		c = mapping()
		put(n, key, c)
	}
	return c
}

// put gives a mapping a value; the comments of the old one stay.
func put(n *yaml.Node, key string, value *yaml.Node) {
	if n.Style == yaml.FlowStyle && len(n.Content) == 0 {
		n.Style = 0 // {} grows into lines
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			old := n.Content[i+1]
			value.HeadComment, value.LineComment, value.FootComment = old.HeadComment, old.LineComment, old.FootComment
			n.Content[i+1] = value
			return
		}
	}
	n.Content = append(n.Content, text(key), value)
}

func drop(n *yaml.Node, key string) {
	if n == nil {
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content = append(n.Content[:i:i], n.Content[i+2:]...)
			return
		}
	}
}
