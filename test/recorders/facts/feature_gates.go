package main

import (
	"fmt"
	"strings"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	logsapi "k8s.io/component-base/logs/api/v1"
	// Each package adds its gates when it is loaded.
	_ "k8s.io/apiextensions-apiserver/pkg/features"
	_ "k8s.io/controller-manager/pkg/features/register"
	_ "k8s.io/kubernetes/pkg/features"
)

// gateSpec is one stage of a gate: the version from which it applies, default, stage (alpha, beta, deprecated; empty
// for GA), optionally "locked", and the minimum compatibility version.
type gateSpec []any

// writeFeatureGates writes the stages of every gate of kube-apiserver, oldest first, and what gates depend on.
func writeFeatureGates(out string) {
	if err := logsapi.AddFeatureGates(utilfeature.DefaultMutableFeatureGate); err != nil {
		panic(err)
	}
	gates := map[string][]gateSpec{}
	for name, specs := range utilfeature.DefaultMutableFeatureGate.GetAllVersioned() {
		for _, spec := range specs {
			gates[string(name)] = append(gates[string(name)], gateStage(spec))
		}
	}
	dependencies := map[string][]string{}
	for name, needed := range utilfeature.DefaultMutableFeatureGate.Dependencies() {
		for _, one := range needed {
			dependencies[string(name)] = append(dependencies[string(name)], string(one))
		}
		sortStrings(dependencies[string(name)])
	}
	write(out, "feature-gates.json", "{\n\"gates\": "+block(gates)+",\n\"dependencies\": "+block(dependencies)+"\n}\n")
}

func gateStage(spec featuregate.FeatureSpec) gateSpec {
	version := ""
	if spec.Version != nil {
		version = fmt.Sprintf("%d.%d", spec.Version.Major(), spec.Version.Minor())
	}
	stage := gateSpec{version, spec.Default, strings.ToLower(string(spec.PreRelease))}
	if spec.LockToDefault {
		stage = append(stage, "locked")
	}
	if spec.MinCompatibilityVersion != nil {
		stage = append(stage, fmt.Sprintf("%d.%d", spec.MinCompatibilityVersion.Major(), spec.MinCompatibilityVersion.Minor()))
	}
	return stage
}
