import { semanticEqual } from '../../../shared/apimachinery/deep-equal.ts';
import { getKey } from '../../../shared/apimachinery/json.ts';
import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { objectAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { parseBool } from '../../../shared/apimachinery/parse-bool.ts';

/** Whether the server keeps the spec as it wants it; written by itself, and changed by who wants another. */
const autoupdate = 'apf.kubernetes.io/autoupdate-spec';
/** An administrator may give the exempt level shares of its own. */
const ownSharesOf = 'exempt';

/**
 * Gives a FlowSchema or PriorityLevelConfiguration the spec of `wanted` (with its defaults), where it is mandatory or
 * was left to the server. True if something changed (pkg/registry/flowcontrol/ensurer).
 */
export function reviseFlowControl(present: KubeObject, wanted: KubeObject, isMandatory: boolean): boolean {
  const said = parseBool(present.metadata.annotations?.[autoupdate] ?? '');
  // One that nobody has changed yet is the server's.
  const keepsSpec = isMandatory || (said ?? present.metadata.generation === 1);
  const isOther = keepsSpec && !semanticEqual(expectedSpec(wanted, present), present['spec']);
  if (isOther) present['spec'] = objectAt(wanted, 'spec') ?? {};
  if (said !== keepsSpec)
    present.metadata.annotations = { ...present.metadata.annotations, [autoupdate]: String(keepsSpec) };
  return isOther || said !== keepsSpec;
}

/** One that the server made once and no longer wants. */
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
