import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { roundAmounts } from '#servers/core/defaults/round-amounts.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault, setDefaultText } from '#shared/apimachinery/set-default.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import {
  validateMountOptions,
  validateVolume,
  validateVolumeUpdate,
} from './validation/persistent-volume-validation.ts';
import { defaultVolumeDrivers } from './volume-driver-defaults.ts';
import { persistentVolumeRows } from './volume-rows.ts';
import { volumeWarnings } from './warnings/volume-warnings.ts';

/** PersistentVolumes (pkg/registry/core/persistentvolume). */
const persistentVolumeStrategy = ({ gates }: StrategyDependencies): Strategy => ({
  validate: (volume) => [...validateVolume(volume), ...validateMountOptions(volume)],
  warningsOnCreate: (volume) => volumeWarnings(volume, gates),
  warningsOnUpdate: (volume) => volumeWarnings(volume, gates),
  // In the reference, both the strategy and its validation of updates validate the whole volume.
  validateUpdate: (volume, old) => [
    ...validateVolume(volume),
    ...validateMountOptions(volume),
    ...validateVolumeUpdate(volume, old, gates),
  ],
  applyDefaults(volume) {
    const spec = ensureObject(volume, 'spec');
    setDefaultText(spec, 'persistentVolumeReclaimPolicy', 'Retain');
    setDefault(spec, 'volumeMode', 'Filesystem');
    defaultVolumeDrivers(spec);
    roundAmounts(objectAt(spec, 'capacity'));
    setDefaultText(ensureObject(volume, 'status'), 'phase', 'Pending');
  },
  prepareForCreate(volume, context) {
    volume['status'] = { phase: 'Pending', lastPhaseTransitionTime: timeFromMs(context.nowMs) };
  },
  prepareForStatusUpdate(volume, old, context) {
    const status = ensureObject(volume, 'status');
    // Null is Go's zero time.
    const [before, stamp] = [objectAt(old, 'status'), status].map((of) => getKey(of, 'lastPhaseTransitionTime'));
    const samePhase = stringAt(status, 'phase') === stringAt(old, 'status', 'phase');
    if (samePhase && stamp === undefined && before !== undefined) status['lastPhaseTransitionTime'] = before;
    if (!samePhase && (stamp === undefined || stamp === before))
      status['lastPhaseTransitionTime'] = timeFromMs(context.nowMs);
  },
});

export const persistentVolumeResource = defineBuiltIn({
  group: '',
  resource: 'persistentvolumes',
  rows: persistentVolumeRows,
  strategy: persistentVolumeStrategy,
  writes: {
    metadataOnUpdate: 'whole',
  },
  gatedFields: [{ gates: ['VolumeAttributesClass'], fields: ['spec.volumeAttributesClassName'] }],
});
