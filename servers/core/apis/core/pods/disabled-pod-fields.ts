import { dropDisabledFields, type DropDisabled } from '#servers/core/gates/disabled-fields.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import { setKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { gatedPodSpecFields } from './gated-pod-fields.ts';

const lists = ['initContainers', 'containers', 'ephemeralContainers'];

/**
 * Drops fields of pod specs whose feature gate is off, unless the old spec uses them (pkg/api/pod/util.go
 * dropDisabledFields). Clients may send such fields; they are not stored.
 */
export function disabledPodFields(gates: Gates): DropDisabled {
  const drops = [
    dropDisabledFields(gatedPodSpecFields, gates),
    gates.ProcMountType ? undefined : dropProcMounts,
    gates.ContainerRestartRules ? undefined : dropRestartRules,
    gates.ImageVolume ? undefined : dropImageVolumes,
  ].filter((drop) => drop !== undefined);
  return (spec, old) => {
    for (const drop of drops) drop(spec, old);
  };
}

function* containersOf(spec: JsonObject | undefined): Generator<JsonObject> {
  for (const list of lists) yield* objectsAt(spec, list);
}

/** Resets `procMount` to Default instead of removing it: older servers stored this default. */
function dropProcMounts(spec: JsonObject | undefined, old: JsonObject | undefined): void {
  const contexts = (of: JsonObject | undefined): JsonObject[] =>
    [...containersOf(of)].map((container) => objectAt(container, 'securityContext') ?? {});
  if (contexts(old).some(({ procMount }) => procMount !== undefined && procMount !== 'Default')) return;
  for (const context of contexts(spec)) if (context['procMount'] !== undefined) context['procMount'] = 'Default';
}

/**
 * Removes restart rules and the restart policies of containers (KEP-5307). The policy Always of init containers stays,
 * since sidecars are older than the rules.
 */
function dropRestartRules(spec: JsonObject | undefined, old: JsonObject | undefined): void {
  const hasPolicy = (container: JsonObject): boolean => container['restartPolicy'] !== undefined;
  const hasNewPolicy = (container: JsonObject): boolean =>
    hasPolicy(container) && stringAt(container, 'restartPolicy') !== 'Always';
  if (objectsAt(old, 'containers').some(hasPolicy)) return;
  if (
    objectsAt(old, 'initContainers').some(
      (container) => hasNewPolicy(container) || objectsAt(container, 'restartPolicyRules').length > 0,
    )
  )
    return;
  for (const container of containersOf(spec)) delete container['restartPolicyRules'];
  for (const container of objectsAt(spec, 'initContainers'))
    if (hasNewPolicy(container)) delete container['restartPolicy'];
  for (const list of ['containers', 'ephemeralContainers'])
    for (const container of objectsAt(spec, list)) delete container['restartPolicy'];
}

/** Removes image volumes and their mounts (KEP-4639). */
function dropImageVolumes(spec: JsonObject | undefined, old: JsonObject | undefined): void {
  const isImage = (volume: JsonObject): boolean => objectAt(volume, 'image') !== undefined;
  const volumes = objectsAt(spec, 'volumes');
  if (spec === undefined || !volumes.some(isImage) || objectsAt(old, 'volumes').some(isImage)) return;
  const names = new Set(volumes.filter(isImage).map((volume) => stringAt(volume, 'name')));
  keepItems(spec, 'volumes', (volume) => !isImage(volume));
  for (const container of containersOf(spec))
    keepItems(container, 'volumeMounts', (mount) => !names.has(stringAt(mount, 'name')));
}

function keepItems(holder: JsonObject, list: string, isKept: (item: JsonObject) => boolean): void {
  const kept = objectsAt(holder, list).filter(isKept);
  if (kept.length > 0) setKey(holder, list, kept);
  else delete holder[list];
}
