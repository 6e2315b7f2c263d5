import { numberAt, objectsAt, stringAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { newBadRequest } from '../../../shared/apimachinery/status.ts';
import type { CoreContext } from '../context/core-context.ts';
import { globalUnicast } from './global-unicast.ts';
import { parseTargetId } from './target-id.ts';
import { targetAt, type ProxyTarget } from './target.ts';

/** The target of `pods/<id>/proxy` (pkg/registry/core/pod/strategy.go, ResourceLocation). */
export async function podTarget(core: CoreContext, namespace: string, id: string): Promise<ProxyTarget> {
  const wanted = parseTargetId(id);
  if (wanted === undefined) throw newBadRequest(`invalid pod request ${JSON.stringify(id)}`);
  const pods = core.store('', 'pods');
  const pod = pods.parse(await pods.get(namespace, wanted.name));
  const port = wanted.port === '' ? firstPort(pod) : wanted.port;
  const address = globalUnicast(stringAt(objectsAt(pod, 'status', 'podIPs')[0], 'ip'));
  if (address === undefined) throw newBadRequest('address not allowed');
  return targetAt(wanted.scheme, address, port);
}

/** The port of the first container that names one. */
function firstPort(pod: KubeObject): string {
  for (const container of objectsAt(pod, 'spec', 'containers')) {
    const port = objectsAt(container, 'ports')[0];
    if (port !== undefined) return String(numberAt(port, 'containerPort') ?? '');
  }
  return '';
}
