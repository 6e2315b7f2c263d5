import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { semanticEqual } from '#shared/apimachinery/schema/deep-equal.ts';
import { parseBool } from '#shared/apimachinery/text/parse-bool.ts';

/** Whether the server maintains the spec. The server sets it; users change it to keep a spec of their own. */
const autoupdate = 'apf.kubernetes.io/autoupdate-spec';
/** The exempt level, whose shares an administrator may change. */
const ownSharesOf = 'exempt';

/**
 * Sets the spec of a FlowSchema or PriorityLevelConfiguration to that of `wanted` (with its defaults) if the object is
 * mandatory or maintained by the server. True if something changed (pkg/registry/flowcontrol/ensurer).
 */
export function reviseFlowControl(present: KubeObject, wanted: KubeObject, isMandatory: boolean): boolean {
  const said = parseBool(present.metadata.annotations?.[autoupdate] ?? '');
  // Without the annotation, the server maintains a spec that was never changed.
  const keepsSpec = isMandatory || (said ?? present.metadata.generation === 1);
  const isOther = keepsSpec && !semanticEqual(expectedSpec(wanted, present), present['spec']);
  if (isOther) present['spec'] = objectAt(wanted, 'spec') ?? {};
  if (said !== keepsSpec)
    present.metadata.annotations = { ...present.metadata.annotations, [autoupdate]: String(keepsSpec) };
  return isOther || said !== keepsSpec;
}

/** Whether the server created the object in an older release and no longer wants it. */
export function isLeftOver(present: KubeObject, wanted: ReadonlySet<string>): boolean {
  return (
    !wanted.has(present.metadata.name ?? '') && parseBool(present.metadata.annotations?.[autoupdate] ?? '') === true
  );
}

function expectedSpec(wanted: KubeObject, present: KubeObject): JsonObject {
  const spec = objectAt(wanted, 'spec') ?? {};
  const shares = objectAt(present, 'spec', ownSharesOf);
  if (wanted.kind !== 'PriorityLevelConfiguration' || wanted.metadata.name !== ownSharesOf || shares === undefined)
    return spec;
  const kept = ['nominalConcurrencyShares', 'lendablePercent'].flatMap((key) => {
    const share = getKey(shares, key);
    return share === undefined ? [] : [[key, share] as const];
  });
  return { ...spec, [ownSharesOf]: { ...objectAt(spec, ownSharesOf), ...Object.fromEntries(kept) } };
}
