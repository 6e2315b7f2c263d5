import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { KubeletConnections } from '#servers/core/kubelet/kubelet-connections.ts';
import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { globalUnicast } from './global-unicast.ts';
import type { TargetAgents } from './target-agents.ts';
import { parseTargetId } from './target-id.ts';
import { targetAt, type ProxyTarget } from './target.ts';

export interface NodeTargetDependencies {
  readonly kubelets: KubeletConnections;
  readonly agents: TargetAgents;
}

/**
 * The target of `nodes/<id>/proxy`: the kubelet, with the certificates for kubelet connections, or another port of the
 * node (pkg/registry/core/node/strategy.go, ResourceLocation).
 */
export async function nodeTarget(
  { kubelets, agents }: NodeTargetDependencies,
  context: RequestContext,
  id: string,
): Promise<ProxyTarget> {
  const wanted = parseTargetId(id);
  if (wanted === undefined) throw newBadRequest(`invalid node request ${goQuote(id)}`);
  const { scheme, hostname, port, authority } = await kubelets.find(context, wanted.name);
  const addresses = await allowedAddresses(hostname);
  const judged: ProxyTarget =
    wanted.port === '' || wanted.port === String(port)
      ? { scheme, host: hostname, port, authority, ...reachedBy(kubelets) }
      : targetAt(wanted.scheme, hostname, wanted.port, agents);
  return isIP(hostname) === 0 ? { ...judged, lookup: always(addresses) } : judged;
}

function reachedBy(kubelets: KubeletConnections): Pick<ProxyTarget, 'agent' | 'isDialed' | 'bytesPerSecond'> {
  const { isDialed, bytesPerSecond } = kubelets;
  return { agent: () => kubelets.agent(), isDialed, bytesPerSecond };
}

/** Resolves a host name. All its addresses must be allowed; the proxy then connects to these, without a new lookup. */
async function allowedAddresses(hostname: string): Promise<readonly LookupAddress[]> {
  const found = await lookup(hostname, { all: true }).catch(() => {
    throw newBadRequest(`lookup ${hostname}: no such host`);
  });
  if (found.length === 0) throw newBadRequest('no addresses for hostname');
  if (found.some(({ address }) => globalUnicast(address) === undefined)) throw newBadRequest('address not allowed');
  return found;
}

function always(addresses: readonly LookupAddress[]): LookupFunction {
  return (_name, { all, family }, done) => {
    const wanted = addresses.filter(
      (one) => family === undefined || family === 0 || one.family === Number(String(family).replace('IPv', '')),
    );
    const [first] = wanted.length === 0 ? addresses : wanted;
    if (all === true) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family ?? 4);
  };
}
