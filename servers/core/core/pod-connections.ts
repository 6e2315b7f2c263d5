import { invalid, path, type FieldError } from '../../../shared/apimachinery/field-error.ts';
import { objectsAt, stringAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { failureStatus, newBadRequest, newInvalid, StatusError } from '../../../shared/apimachinery/status.ts';
import type { SubresourceDefinition } from '../../../shared/registry/define-resource.ts';
import type { RequestContext } from '../../../shared/request/request-context.ts';
import type { CoreContext } from '../core-context.ts';
import type { KubeletConnections } from '../kubelet/kubelet-connections.ts';

type Connect = NonNullable<SubresourceDefinition['connect']>;

/** Numbers in the query of `log` with their least values. */
const logLimits = { tailLines: [0, 'must be greater than or equal to 0'], limitBytes: [1, 'must be greater than 0'], sinceSeconds: [1, 'must be greater than 0'] } as const;

function notServed(what: string): StatusError {
  return new StatusError(failureStatus(501, 'NotImplemented', `${what} is not served yet`));
}

async function podOf(core: CoreContext, context: RequestContext, name: string): Promise<KubeObject> {
  const pods = core.store('', 'pods');
  return pods.parse(await pods.get(context.info.namespace, name));
}

/**
 * `pods/log`: the request is judged as by the reference (pkg/registry/core/pod, LogLocation). A pod that runs nowhere
 * has no log yet; reading one from a node is still to come.
 */
export function podLog(core: CoreContext, kubelets: KubeletConnections): Connect {
  return async (context, name) => {
    const errors = validateLogOptions(context);
    if (errors.length > 0) throw newInvalid({ group: '', kind: 'PodLogOptions' }, name, errors);
    const pod = await podOf(core, context, name);
    checkContainer(pod, context.info.query.get('container') ?? '');
    const node = stringAt(pod, 'spec', 'nodeName');
    if (node === '') return context.exchange.send(204, {});
    await kubelets.find(context, node);
    throw notServed('pods/log');
  };
}

function validateLogOptions(context: RequestContext): FieldError[] {
  return Object.entries(logLimits).flatMap(([key, [least, detail]]) => {
    const text = context.info.query.get(key);
    const number = Number(text);
    return text !== null && text !== undefined && /^-?\d+$/.test(text) && number < least ? [invalid(path(key), number, detail)] : [];
  });
}

/** `exec` and `attach`, which name a container, and `portforward`, which does not. */
export function podStream(core: CoreContext, kubelets: KubeletConnections, subresource: 'exec' | 'attach' | 'portforward'): Connect {
  return async (context, name) => {
    const pod = await podOf(core, context, name);
    if (subresource !== 'portforward') checkContainer(pod, context.info.query.get('container') ?? '');
    const node = stringAt(pod, 'spec', 'nodeName');
    if (node === '') throw newBadRequest(`pod ${name} does not have a host assigned`);
    await kubelets.find(context, node);
    throw notServed(`pods/${subresource}`);
  };
}

/** A pod with one container needs no name of it. */
function checkContainer(pod: KubeObject, wanted: string): void {
  const [regular, init, debug] = ['containers', 'initContainers', 'ephemeralContainers'].map((list) => objectsAt(pod, 'spec', list).map((container) => stringAt(container, 'name')));
  const name = pod.metadata.name ?? '';
  if (wanted !== '') {
    if ([regular, init, debug].some((names) => names?.includes(wanted))) return;
    throw newBadRequest(`container ${wanted} is not valid for pod ${name}`);
  }
  if (regular?.length === 1) return;
  throw newBadRequest(`a container name must be specified for pod ${name}, choose one of: [${[...init ?? [], ...regular ?? [], ...debug ?? []].join(' ')}]`);
}
