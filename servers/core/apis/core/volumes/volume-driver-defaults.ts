import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt } from '#shared/apimachinery/object.ts';
import { setDefault } from '#shared/apimachinery/set-default.ts';

/** Defaults of the sources that volumes of pods and PersistentVolumes have in common. */
export function defaultVolumeDrivers(volume: JsonObject): void {
  const hostPath = objectAt(volume, 'hostPath');
  if (hostPath) setDefault(hostPath, 'type', '');
}
