package main

import (
	"fmt"
	"sort"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
)

// chosenGates answers for all feature gates, locked ones too, by the function `enabled`, and records which gates were
// read.
type chosenGates struct {
	featuregate.FeatureGate
	enabled func(gate string) bool
	asked   map[string]bool
}

func (g chosenGates) Enabled(gate featuregate.Feature) bool {
	g.asked[string(gate)] = true
	return g.enabled(string(gate))
}

// madeWith calls a function that depends on gates with the gates that `enabled` chooses; also returns the gates that it
// read, sorted.
func madeWith(enabled func(string) bool, make func() any) (any, []string) {
	usual := utilfeature.DefaultFeatureGate
	defer func() { utilfeature.DefaultFeatureGate = usual }()
	chosen := chosenGates{FeatureGate: usual, enabled: enabled, asked: map[string]bool{}}
	utilfeature.DefaultFeatureGate = chosen
	return make(), sortedKeys(chosen.asked)
}

// gatedItem is a list item that exists only if all gates in `needs` are on.
type gatedItem struct {
	needs []string
	item  any
}

// MarshalJSON writes an item that needs no gate without a wrapper.
func (i *gatedItem) MarshalJSON() ([]byte, error) {
	if len(i.needs) == 0 {
		return []byte(compact(i.item)), nil
	}
	sort.Strings(i.needs)
	return []byte(fmt.Sprintf(`{"needs":%s,"item":%s}`, compact(i.needs), compact(i.item))), nil
}

// gatedDocument is the result of a function with every gate on; each list item names the gates that it needs. Fails for
// items that this cannot describe: those that exist because a gate is off, or because either of two gates is on.
func gatedDocument(make func() any) map[string]any {
	everything, gates := madeWith(func(string) bool { return true }, make)
	document := gatedLists(everything)
	for _, gate := range gates {
		rest, _ := madeWith(func(other string) bool { return other != gate }, make)
		markMissing(document, rest, gate)
	}
	for _, one := range gates {
		for _, other := range gates {
			checkDocument(document, make, func(gate string) bool { return gate == one || gate == other })
			checkDocument(document, make, func(gate string) bool { return gate != one && gate != other })
		}
	}
	checkDocument(document, make, func(string) bool { return false })
	return document.(map[string]any)
}

func checkDocument(document any, make func() any, enabled func(string) bool) {
	wanted, _ := madeWith(enabled, make)
	if compact(settled(document, enabled)) != compact(wanted) {
		panic("gates matter in another way than by what goes without each: " + compact(wanted))
	}
}

func gatedLists(value any) any {
	switch value := value.(type) {
	case map[string]any:
		members := map[string]any{}
		for key, member := range value {
			members[key] = gatedLists(member)
		}
		return members
	case []any:
		items := []*gatedItem{}
		for _, item := range value {
			items = append(items, &gatedItem{item: gatedLists(item)})
		}
		return items
	}
	return value
}

// settled is the document for these gates: without the items whose gates are off.
func settled(value any, enabled func(string) bool) any {
	switch value := value.(type) {
	case map[string]any:
		members := map[string]any{}
		for key, member := range value {
			members[key] = settled(member, enabled)
		}
		return members
	case []*gatedItem:
		items := []any{}
	nextItem:
		for _, item := range value {
			for _, gate := range item.needs {
				if !enabled(gate) {
					continue nextItem
				}
			}
			items = append(items, settled(item.item, enabled))
		}
		return items
	}
	return value
}

// markMissing adds the gate to the needs of each item of the document that is missing in `rest`, the result without the
// gate.
func markMissing(document, rest any, gate string) {
	switch document := document.(type) {
	case map[string]any:
		members, _ := rest.(map[string]any)
		for key, member := range document {
			markMissing(member, members[key], gate)
		}
	case []*gatedItem:
		left, _ := rest.([]any)
		for _, item := range document {
			if len(left) > 0 && identity(settled(item.item, func(string) bool { return true })) == identity(left[0]) {
				markMissing(item.item, left[0], gate)
				left = left[1:]
			} else {
				item.needs = append(item.needs, gate)
			}
		}
	}
}

// identity is the part of an item that does not depend on gates: the metadata of an object, a rule without its URLs.
func identity(item any) string {
	object, ok := item.(map[string]any)
	if !ok {
		return compact(item)
	}
	if metadata, ok := object["metadata"]; ok {
		return compact(metadata)
	}
	kept := map[string]any{}
	for key, member := range object {
		if key != "nonResourceURLs" {
			kept[key] = member
		}
	}
	return compact(kept)
}
