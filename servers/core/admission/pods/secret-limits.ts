import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { containerSecrets } from '#shared/objects/pod-secrets.ts';

/**
 * For a service account that limits secrets to its own list: the error about the first other secret that the pod uses,
 * or undefined. As in the reference, volumes are checked first, then containers, then pull secrets.
 */
export function forbiddenSecret(account: KubeObject, spec: JsonObject | undefined): string | undefined {
  const mountable = namesOf(account, 'secrets');
  const by = `service account ${account.metadata.name ?? ''} does not reference that`;
  for (const volume of objectsAt(spec, 'volumes')) {
    const source = objectAt(volume, 'secret');
    const name = stringAt(source, 'secretName');
    if (source !== undefined && !mountable.has(name))
      return `volume with secret.secretName="${name}" is not allowed because ${by} secret`;
  }
  const container =
    forbiddenInContainers(account, objectsAt(spec, 'initContainers'), 'init container') ??
    forbiddenInContainers(account, objectsAt(spec, 'containers'), 'container');
  if (container !== undefined) return container;
  const pullable = namesOf(account, 'imagePullSecrets');
  for (const [index, reference] of objectsAt(spec, 'imagePullSecrets').entries()) {
    const name = stringAt(reference, 'name');
    if (!pullable.has(name))
      return `imagePullSecrets[${index}].name="${name}" is not allowed because ${by} imagePullSecret`;
  }
  return undefined;
}

/** The same for one list of containers; `what` is their name in the message. */
export function forbiddenInContainers(
  account: KubeObject,
  containers: readonly JsonObject[],
  what: string,
): string | undefined {
  const mountable = namesOf(account, 'secrets');
  for (const container of containers) {
    for (const { variable, secret } of containerSecrets(container)) {
      if (mountable.has(secret)) continue;
      const where = variable === '' ? 'envFrom' : `envVar ${variable}`;
      return (
        `${what} ${stringAt(container, 'name')} with ${where} referencing secret.secretName="${secret}" is not allowed` +
        ` because service account ${account.metadata.name ?? ''} does not reference that secret`
      );
    }
  }
  return undefined;
}

function namesOf(account: KubeObject, list: string): ReadonlySet<string> {
  return new Set(objectsAt(account, list).map((reference) => stringAt(reference, 'name')));
}
