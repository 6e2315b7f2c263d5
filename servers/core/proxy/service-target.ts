import type { CoreContext } from '#servers/core/context/core-context.ts';
import { hasReason, newBadRequest, newNotFound, newServiceUnavailable } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { globalUnicast } from './global-unicast.ts';
import { parseTargetId } from './target-id.ts';
import { targetAt, type ProxyTarget, type TargetDependencies } from './target.ts';

/**
 * The target of `services/<id>/proxy`: any ready address of its Endpoints that a pod of the namespace has
 * (pkg/registry/core/service/storage/storage.go, ResourceLocation).
 */
export async function serviceTarget(
  { core, agents }: TargetDependencies,
  namespace: string,
  id: string,
): Promise<ProxyTarget> {
  const wanted = parseTargetId(id);
  if (wanted === undefined) throw newBadRequest(`invalid service request ${goQuote(id)}`);
  const { name } = wanted;
  const port = isNumber(wanted.port) ? await portName(core, namespace, name, wanted.port) : wanted.port;
  const endpoints = core.store('', 'endpoints');
  const entry = await endpoints.get(namespace, name).catch((error: unknown) => {
    throw hasReason(error, 'NotFound') ? newNotFound({ group: '', resource: 'services' }, name) : error;
  });
  const subsets = objectsAt(endpoints.parse(entry), 'subsets');
  if (subsets.length === 0) throw newServiceUnavailable(`no endpoints available for service ${goQuote(name)}`);
  for (const subset of fromAnywhere(subsets)) {
    const taken = objectsAt(subset, 'ports').find((one) => stringAt(one, 'name') === port);
    if (taken === undefined) continue;
    for (const address of fromAnywhere(objectsAt(subset, 'addresses'))) {
      const found = await podAddress(core, namespace, address);
      if (found !== undefined) return targetAt(wanted.scheme, found, String(numberAt(taken, 'port') ?? 0), agents);
    }
  }
  throw newServiceUnavailable(`no endpoints available for service ${goQuote(id)}`);
}

/** Whether Go's ParseInt accepts the text as a 64-bit integer. */
function isNumber(text: string): boolean {
  return /^[+-]?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text.replace('+', ''))) === BigInt(text.replace('+', ''));
}

/** The name of the port in the Service, by which Endpoints list it. */
async function portName(core: CoreContext, namespace: string, name: string, port: string): Promise<string> {
  const services = core.store('', 'services');
  const service = services.parse(await services.get(namespace, name));
  const number = BigInt(port.replace('+', ''));
  const declared = objectsAt(service, 'spec', 'ports').find((one) => BigInt(numberAt(one, 'port') ?? 0) === number);
  if (declared === undefined)
    throw newServiceUnavailable(`no service port ${number} found for service ${goQuote(name)}`);
  return stringAt(declared, 'name');
}

/**
 * Returns the address only if a pod of this namespace has it: otherwise a user who may write Endpoints could reach any
 * address through the proxy.
 */
async function podAddress(core: CoreContext, namespace: string, address: JsonObject): Promise<string | undefined> {
  const ip = stringAt(address, 'ip');
  if (address['targetRef'] === undefined || stringAt(address, 'targetRef', 'namespace') !== namespace) return undefined;
  const pods = core.store('', 'pods');
  try {
    const pod = pods.parse(await pods.get(namespace, stringAt(address, 'targetRef', 'name')));
    return objectsAt(pod, 'status', 'podIPs').some((one) => stringAt(one, 'ip') === ip) ? globalUnicast(ip) : undefined;
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** The items in their order, rotated to start at a random one. */
function fromAnywhere<T>(items: readonly T[]): readonly T[] {
  const start = Math.floor(Math.random() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}
