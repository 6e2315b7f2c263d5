import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import { objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';

/**
 * The container of a request: the one it names, or the pod's only one. Throws 400 if there is none.
 */
export function chooseContainer(pod: KubeObject, wanted: string): string {
  const [regular = [], init = [], debug = []] = ['containers', 'initContainers', 'ephemeralContainers'].map((list) =>
    objectsAt(pod, 'spec', list).map((container) => stringAt(container, 'name')),
  );
  const name = pod.metadata.name ?? '';
  const all = [...init, ...regular, ...debug];
  if (wanted !== '') {
    if (all.includes(wanted)) return wanted;
    throw newBadRequest(`container ${wanted} is not valid for pod ${name}`);
  }
  const [only] = regular;
  if (only !== undefined && regular.length === 1) return only;
  throw newBadRequest(
    `a container name must be specified for pod ${name}${regular.length === 0 ? '' : `, choose one of: [${all.join(' ')}]`}`,
  );
}
