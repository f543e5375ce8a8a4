package scene

// Context is a named cluster, as a person set it up.
type Context struct {
	Name       string // "": none is in use
	Colour     string // of its name: red, yellow, green, cyan, blue, magenta; "" is the usual
	Production bool   // it is marked so
	ReadOnly   bool   // nothing may be done
}
