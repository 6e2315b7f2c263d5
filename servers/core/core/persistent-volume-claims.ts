import { isObject } from '../../../shared/apimachinery/json.ts';
import { objectAt, stringAt } from '../../../shared/apimachinery/object.ts';
import { ensureObject, setDefault, setDefaultText } from '../../../shared/apimachinery/set-default.ts';
import type { KubeObject } from '../../../shared/apimachinery/object.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';
import { validateClaim, validateClaimUpdate } from './persistent-volume-validation.ts';

/** PersistentVolumeClaims (pkg/registry/core/persistentvolumeclaim). */
export const persistentVolumeClaimStrategy: Strategy = {
  validate: (_context, claim) => validateClaim(claim),
  validateUpdate: (_context, claim, old) => validateClaimUpdate(claim, old),
  applyDefaults(claim) {
    setDefault(ensureObject(claim, 'spec'), 'volumeMode', 'Filesystem');
    setDefaultText(ensureObject(claim, 'status'), 'phase', 'Pending');
  },
  prepareForCreate(_context, claim) {
    claim['status'] = { phase: 'Pending' };
    pairDataSources(claim);
  },
  prepareForUpdate: (_context, claim) => pairDataSources(claim),
};

/** `dataSource` and `dataSourceRef` say the same unless the reference leaves the namespace (KEP-3294). */
function pairDataSources(claim: KubeObject): void {
  const spec = ensureObject(claim, 'spec');
  const source = objectAt(spec, 'dataSource');
  const reference = objectAt(spec, 'dataSourceRef');
  if (isObject(source) && !reference) spec['dataSourceRef'] = { ...source };
  if (reference && !source && stringAt(reference, 'namespace') === '') spec['dataSource'] = { ...reference };
}
