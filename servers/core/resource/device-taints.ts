import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { objectAt, objectsAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { setDefault } from '../../../shared/apimachinery/set-default.ts';
import { timeFromMs } from '../../../shared/apimachinery/time.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';

/** Defaults of a ResourceSlice (pkg/apis/resource/v1/defaults.go). */
export function applySliceDefaults(slice: KubeObject): void {
  for (const device of objectsAt(slice, 'spec', 'devices')) {
    for (const taint of objectsAt(device, 'taints')) stampTaint(taint);
    for (const mapping of Object.values(objectAt(device, 'nodeAllocatableResourceMappings') ?? {})) setDefault(mapping as JsonObject, 'allocationMultiplier', '1');
  }
}

/** DeviceTaintRules (pkg/apis/resource/v1beta2/defaults.go, pkg/registry/resource/devicetaintrule). */
export const deviceTaintRuleStrategy: Strategy = {
  applyDefaults(rule) {
    const taint = objectAt(rule, 'spec', 'taint');
    if (taint) stampTaint(taint);
  },
  /** The time tells since when there is this effect, unless the client says something else. */
  prepareForUpdate(_context, rule, old) {
    const [taint, before] = [objectAt(rule, 'spec', 'taint'), objectAt(old, 'spec', 'taint')];
    if (taint && taint['effect'] !== before?.['effect'] && taint['timeAdded'] === before?.['timeAdded']) taint['timeAdded'] = timeFromMs(Date.now());
  },
};

function stampTaint(taint: JsonObject): void {
  setDefault(taint, 'timeAdded', timeFromMs(Date.now()));
}
