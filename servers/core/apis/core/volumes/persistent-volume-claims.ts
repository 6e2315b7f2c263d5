import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt } from '#shared/apimachinery/object.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { applyClaimDefaults } from './claim-defaults.ts';
import { validateClaimStatus } from './validation/claim-status-validation.ts';
import { validateClaim, validateClaimUpdate } from './validation/claim-validation.ts';
import { persistentVolumeClaimRows } from './volume-rows.ts';
import { claimWarnings } from './warnings/volume-warnings.ts';

/** PersistentVolumeClaims (pkg/registry/core/persistentvolumeclaim). */
const persistentVolumeClaimStrategy = ({ gates }: StrategyDependencies): Strategy => ({
  validate: (claim) => validateClaim(claim),
  validateUpdate: (claim, old) => validateClaimUpdate(claim, old, gates),
  applyDefaults: applyClaimDefaults,
  completeStored: (claim) => pairDataSources(ensureObject(claim, 'spec')),
  prepareForCreate(claim) {
    claim['status'] = { phase: 'Pending' };
    takeDataSources(claim, gates);
  },
  validateStatusUpdate: validateClaimStatus,
  prepareForUpdate: (claim, old) => takeDataSources(claim, gates, objectAt(old, 'spec')),
  warningsOnCreate: claimWarnings,
  warningsOnUpdate: claimWarnings,
});

/** Drops unsupported data sources, unless the old claim has one; then sets each of the two fields from the other. */
function takeDataSources(claim: KubeObject, gates: Gates, old?: JsonObject): void {
  const spec = ensureObject(claim, 'spec');
  if (
    !gates.CrossNamespaceVolumeDataSource &&
    stringAt(spec, 'dataSourceRef', 'namespace') !== '' &&
    objectAt(old, 'dataSourceRef') === undefined
  )
    delete spec['dataSourceRef'];
  if (
    !isInUse(old) &&
    objectAt(spec, 'dataSourceRef') === undefined &&
    !isClaimOrSnapshot(objectAt(spec, 'dataSource'))
  )
    delete spec['dataSource'];
  pairDataSources(spec);
}

/**
 * Copies `dataSource` to `dataSourceRef` or the reverse if one is missing, except a `dataSourceRef` with a namespace
 * (KEP-3294). Claims of old releases have only the first.
 */
function pairDataSources(spec: JsonObject): void {
  const source = objectAt(spec, 'dataSource');
  const reference = objectAt(spec, 'dataSourceRef');
  if (isObject(source) && !reference) spec['dataSourceRef'] = { ...source };
  if (reference && !source && stringAt(reference, 'namespace') === '') spec['dataSource'] = { ...reference };
}

function isInUse(spec: JsonObject | undefined): boolean {
  return objectAt(spec, 'dataSource') !== undefined || objectAt(spec, 'dataSourceRef') !== undefined;
}

function isClaimOrSnapshot(source: JsonObject | undefined): boolean {
  const [group, kind] = [stringAt(source, 'apiGroup'), stringAt(source, 'kind')];
  return (
    (kind === 'PersistentVolumeClaim' && group === '') ||
    (kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io')
  );
}

export const persistentVolumeClaimResource = defineBuiltIn({
  group: '',
  resource: 'persistentvolumeclaims',
  rows: persistentVolumeClaimRows,
  strategy: persistentVolumeClaimStrategy,
  writes: {
    metadataOnUpdate: 'both',
  },
  gatedFields: [
    { gates: ['VolumeAttributesClass'], fields: ['spec.volumeAttributesClassName'] },
    { gates: ['VolumeAttributesClass'], fields: ['status.currentVolumeAttributesClassName'] },
    { gates: ['VolumeAttributesClass'], fields: ['status.modifyVolumeStatus'] },
    { gates: ['RecoverVolumeExpansionFailure'], fields: ['status.allocatedResources'] },
    { gates: ['RecoverVolumeExpansionFailure'], fields: ['status.allocatedResourceStatuses'] },
  ],
});
