import { Buffer } from 'node:buffer';
import { clientHost } from '#servers/core/kubelet/target-headers.ts';
import { newServiceUnavailable } from '#shared/apimachinery/errors/status.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import type { SubresourceDefinition } from '#shared/registry/define-resource.ts';
import { asksForUpgrade } from '#shared/request/ask-for-upgrade.ts';
import { relay } from '#shared/request/relay/relay.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { decodePathBytes, encodePathBytes } from '#shared/request/request-path.ts';
import { cleanPath, withoutOuterSlashes } from './go-path.ts';
import { proxiedUrlMapping, type ProxiedUrlMapping } from './links.ts';
import { nodeTarget, type NodeTargetDependencies } from './node-target.ts';
import { podTarget } from './pod-target.ts';
import { serviceTarget } from './service-target.ts';
import { TargetRoute } from './target-route.ts';
import type { ProxyTarget, TargetDependencies } from './target.ts';
import { upgradeConnection } from './upgrade-connection.ts';

/** `pods/<id>/proxy`. */
export function podProxy(dependencies: TargetDependencies): SubresourceDefinition {
  return proxy((context, id) => podTarget(dependencies, context.info.namespace, id));
}

/** `services/<id>/proxy`. */
export function serviceProxy(dependencies: TargetDependencies): SubresourceDefinition {
  return proxy((context, id) => serviceTarget(dependencies, context.info.namespace, id));
}

/** `nodes/<id>/proxy`. */
export function nodeProxy(dependencies: NodeTargetDependencies): SubresourceDefinition {
  return proxy((context, id) => nodeTarget(dependencies, context, id));
}

function proxy(findTarget: (context: RequestContext, id: string) => Promise<ProxyTarget>): SubresourceDefinition {
  return {
    connectOptions({ info }) {
      const path = pathAfterProxy(info, info.path);
      return path === '' ? {} : { path };
    },
    async connect(context, id, changed) {
      const target = await findTarget(context, id);
      const path = changed === undefined ? undefined : Buffer.from(stringAt(changed, 'path')).toString('latin1');
      await proxyTo(context, target, path);
    },
  };
}

/**
 * Sends the request on to the target, as the reference's UpgradeAwareHandler does (apimachinery/pkg/util/proxy).
 * @param wanted the path at the target, with one character per byte, if it is not that of the request
 */
async function proxyTo(context: RequestContext, target: ProxyTarget, wanted?: string): Promise<void> {
  const { exchange } = context;
  const asked = decodePathBytes(exchange.path);
  // Without double slashes and dot segments.
  const base = cleanPath(wanted ?? pathAfterProxy(context.info, asked));
  if (asksForUpgrade(exchange)) return upgradeConnection(exchange, target, base === '' ? '/' : encodePathBytes(base));
  const path = asked.endsWith('/') && !base.endsWith('/') ? `${base}/` : base;
  const query = exchange.query === '' ? '' : `?${exchange.query}`;
  if (path === '' && (exchange.method === 'GET' || exchange.method === 'HEAD'))
    return exchange.send(301, { location: `${asked}/${query}` });
  const sent = path === '' ? '/' : path;
  const mapping = proxiedUrlMapping(asked, base, sent, {
    targetHost: target.authority,
    clientHost: clientHost(exchange),
  });
  await carry(context, target, mapping, encodePathBytes(sent) + query);
}

/** The path after `proxy` (endpoints/handlers, getRequestOptions). */
function pathAfterProxy({ parts }: RequestContext['info'], asked: string): string {
  const segments = withoutOuterSlashes(asked).split('/');
  const rest = segments.slice(segments.length - parts.length + 3).join('/');
  const path = rest === '' || rest.startsWith('/') ? rest : `/${rest}`;
  return asked.endsWith('/') && !path.endsWith('/') ? `${path}/` : path;
}

/** Sends the request on to the target. Resolves when the response has started. */
function carry(
  { exchange }: RequestContext,
  target: ProxyTarget,
  mapping: ProxiedUrlMapping,
  path: string,
): Promise<void> {
  const { node } = exchange;
  if (node === undefined)
    throw newServiceUnavailable('requests to pods, services and nodes come over HTTP/1.1 from the gateway');
  return relay(exchange, new TargetRoute(exchange, node, { target, mapping, path }));
}
