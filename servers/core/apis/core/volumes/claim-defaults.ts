import { roundAmounts, roundResources } from '#servers/core/defaults/round-amounts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault, setDefaultText } from '#shared/apimachinery/set-default.ts';

/** Defaults of the spec of a PersistentVolumeClaim, also within templates. */
export function applyClaimSpecDefaults(spec: JsonObject): void {
  setDefault(spec, 'volumeMode', 'Filesystem');
  roundResources(objectAt(spec, 'resources'));
}

/** Defaults of a whole PersistentVolumeClaim. */
export function applyClaimDefaults(claim: JsonObject): void {
  applyClaimSpecDefaults(ensureObject(claim, 'spec'));
  const status = ensureObject(claim, 'status');
  setDefaultText(status, 'phase', 'Pending');
  for (const list of ['capacity', 'allocatedResources']) roundAmounts(objectAt(status, list));
}
