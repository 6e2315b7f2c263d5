package testing

import (
	"fmt"
	"sort"
	"strings"

	"github.com/spf13/pflag"

	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

// ReadFlags puts into the options what flags say of those that the reference has, too.
func ReadFlags(opts *options.ServerRunOptions, flags []string) error {
	known := pflag.NewFlagSet("test", pflag.ContinueOnError)
	known.ParseErrorsAllowlist.UnknownFlags = true
	for _, set := range opts.Flags().FlagSets {
		known.AddFlagSet(set)
	}
	return known.Parse(flags)
}

// FlagsAfter tells which flags say what was changed in the options, of which parts may have been replaced.
func FlagsAfter(opts *options.ServerRunOptions, change func()) []string {
	usual := flagValues(opts)
	change()
	var flags []string
	for name, value := range flagValues(opts) {
		// Tests put a whole configuration of storage there, of which only where it is was filled in.
		isUnset := (value == "0s" || value == "0") && (strings.HasPrefix(name, "etcd-") || name == "lease-reuse-duration-seconds")
		// Nor does any of them look at how objects lie there.
		if value == usual[name] || isUnset || name == "storage-media-type" {
			continue
		}
		for _, single := range occurrences(name, value) {
			flags = append(flags, fmt.Sprintf("--%s=%s", name, single))
		}
	}
	sort.Strings(flags)
	return flags
}

// occurrences tells what is said each time of a flag that is given several times.
func occurrences(name, value string) []string {
	if name == "tls-sni-cert-key" {
		return strings.Split(strings.Trim(value, "[]"), ";")
	}
	return []string{value}
}

func flagValues(opts *options.ServerRunOptions) map[string]string {
	values := map[string]string{}
	for _, set := range opts.Flags().FlagSets {
		set.VisitAll(func(flag *pflag.Flag) { values[flag.Name] = flagValue(flag) })
	}
	return values
}

func flagValue(flag *pflag.Flag) string {
	if list, ok := flag.Value.(pflag.SliceValue); ok {
		return strings.Join(list.GetSlice(), ",")
	}
	return flag.Value.String()
}
