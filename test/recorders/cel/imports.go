//go:build tools

// Package record names the modules whose tests record.sh runs.
package record

import (
	_ "k8s.io/apiserver/pkg/cel/environment"
	_ "k8s.io/dynamic-resource-allocation/cel"
)
