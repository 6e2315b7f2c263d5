import { path, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { deepEqual } from '#shared/apimachinery/schema/deep-equal.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import { validateAppArmor } from './security-context.ts';

const prefix = 'container.apparmor.security.beta.kubernetes.io/';
const localhost = 'localhost/';

/**
 * The AppArmor profile that a deprecated annotation sets for a container; undefined if its value is unknown
 * (pkg/api/pod/util.go).
 */
function profileOf(annotation: string): JsonObject | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  if (!annotation.startsWith(localhost) || annotation === localhost) return undefined;
  return { type: 'Localhost', localhostProfile: annotation.slice(localhost.length) };
}

function deprecation(key: string, annotations: Path): string {
  return `${annotations.key(key).toString()}: deprecated since v1.30; use the "appArmorProfile" field instead`;
}

/**
 * Warnings about a container of a template with an AppArmor annotation that no field of the container or pod repeats.
 */
export function appArmorWarnings(
  container: JsonObject,
  spec: JsonObject,
  annotations: JsonObject,
  field: Path,
): string[] {
  const key = prefix + stringAt(container, 'name');
  const annotation = getKey(annotations, key);
  if (typeof annotation !== 'string' || objectAt(container, 'securityContext', 'appArmorProfile')) return [];
  const ofPod = objectAt(spec, 'securityContext', 'appArmorProfile');
  return ofPod && deepEqual(ofPod, profileOf(annotation)) ? [] : [deprecation(key, field)];
}

/** Copies the AppArmor annotations of a new pod into the fields of its containers, and warns about them (KEP-24). */
export function applyAppArmorAnnotations(pod: KubeObject, warn: (text: string) => void): void {
  const annotations: JsonObject = pod.metadata.annotations ?? {};
  const spec = objectAt(pod, 'spec');
  if (!Object.keys(annotations).some((key) => key.startsWith(prefix)) || stringAt(spec, 'os', 'name') === 'windows')
    return;
  const ofPod = objectAt(spec, 'securityContext', 'appArmorProfile');
  for (const container of [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')]) {
    const key = prefix + stringAt(container, 'name');
    const annotation = getKey(annotations, key);
    if (typeof annotation !== 'string' || objectAt(container, 'securityContext', 'appArmorProfile')) continue;
    const profile = profileOf(annotation);
    const isValid = profile !== undefined && validateAppArmor(profile, path('')).length === 0;
    if (isValid && ofPod && deepEqual(profile, ofPod)) continue;
    if (isValid) ensureObject(container, 'securityContext')['appArmorProfile'] = profile;
    warn(deprecation(key, path('metadata', 'annotations')));
  }
}
