package main

import (
	"fmt"
	"math/rand/v2"
	"unicode/utf16"
)

var (
	tags  = []byte{0x0c, 0x0c, 0x0c, 0x13, 0x13, 0x14, 0x14, 0x16, 0x16, 0x12, 0x1e, 0x1e, 0x1c, 0x1a, 0x04}
	texts = []string{"", "a", "alice", "system:masters", "system:node:n1", "kube admin", "a,b", "a+b", "a=b", "CN=root", "O=system:masters", "a/b", "\\", "\\,", "\"a\"", "#00", " a ", "a\nb", "a\x00b", "a\r\nCN=b", "\t", "zoë", "группа", "🦀", "<&>", "a;b", "é", "%41", "ａ", "a\u202eb", "123", "12 3", "-", "*", "a@b", "\u2028"}
	types = [][]int{{2, 5, 4, 3}, {2, 5, 4, 3}, {2, 5, 4, 10}, {2, 5, 4, 10}, {2, 5, 4, 10}, {2, 5, 4, 11}, {2, 5, 4, 5}, {2, 5, 4, 6}, {0, 9, 2342, 19200300, 100, 1, 1}, {1, 3, 6, 1, 4, 1, 57683, 2}, {2, 5, 4, 3, 1}, {1, 2, 840, 113549, 1, 9, 1}, {2, 5, 4, 1000}}
)

// subjects are random, most of them such that a parser takes them.
func subjects(seed uint64, count int) []chainCase {
	random := rand.New(rand.NewPCG(seed, 23))
	root := issue(nil, authority("root"))
	key := newKey()
	var all []chainCase
	for index := range count {
		var rdns [][]attribute
		for range random.IntN(6) {
			var rdn []attribute
			for range 1 + random.IntN(3)*random.IntN(2) {
				rdn = append(rdn, randomAttribute(random))
			}
			rdns = append(rdns, rdn)
		}
		leaf := issue(root, spec{subject: name(rdns...), key: key, extensions: []extension{usages(clientAuth)}})
		all = append(all, chainCase{fmt.Sprintf("subject %d of seed %d", index, seed), []*pair{leaf}, []*pair{root}})
	}
	return all
}

func randomAttribute(random *rand.Rand) attribute {
	text := ""
	for range 1 + random.IntN(2) {
		text += texts[random.IntN(len(texts))]
	}
	arcs := types[random.IntN(len(types))]
	if random.IntN(4) > 0 {
		return attribute{arcs, 0x0c, []byte(text)}
	}
	tag := tags[random.IntN(len(tags))]
	if tag != 0x1e {
		return attribute{arcs, tag, []byte(text)}
	}
	var value []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		value = append(value, byte(unit>>8), byte(unit))
	}
	return attribute{arcs, tag, value[:len(value)-random.IntN(12)/11*min(1, len(value))]}
}
