// Writes what Kubernetes' base environment offers at each compatibility version, for new expressions, and for stored
// ones: overloads with their signatures, macros and validators, each with the versions that have it.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

func offered(env *cel.Env) map[string]bool {
	found := map[string]bool{}
	for name, function := range env.Functions() {
		for _, overload := range function.OverloadDecls() {
			arguments := []string{}
			for _, argument := range overload.ArgTypes() {
				arguments = append(arguments, cel.FormatCELType(argument))
			}
			signature := fmt.Sprintf("(%s) -> %s", strings.Join(arguments, ", "), cel.FormatCELType(overload.ResultType()))
			if overload.IsMemberFunction() {
				signature = "member" + signature
			}
			found[fmt.Sprintf("%s %s %s", name, overload.ID(), signature)] = true
		}
	}
	for _, macro := range env.Macros() {
		found["macro "+macro.MacroKey()] = true
	}
	for _, validator := range env.Validators() {
		found["validator "+validator.Name()] = true
	}
	for _, library := range env.Libraries() {
		found["library "+library] = true
	}
	return found
}

func main() {
	versions := map[string][]string{}
	note := func(label string, env *cel.Env) {
		for each := range offered(env) {
			versions[each] = append(versions[each], label)
		}
	}
	for minor := uint(23); minor <= 36; minor++ {
		note(fmt.Sprintf("1.%d", minor), environment.MustBaseEnvSet(version.MajorMinor(1, minor)).NewExpressionsEnv())
	}
	note("stored", environment.MustBaseEnvSet(version.MajorMinor(1, 36)).StoredExpressionsEnv())
	byVersions := map[string][]string{}
	for each, labels := range versions {
		key := strings.Join(labels, " ")
		byVersions[key] = append(byVersions[key], each)
	}
	for _, list := range byVersions {
		sort.Strings(list)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(byVersions); err != nil {
		panic(err)
	}
}
