import type { CoreContext } from '#servers/core/context/core-context.ts';
import type { KubeletConnections } from '#servers/core/kubelet/kubelet-connections.ts';
import { addFraming, clientHost, targetHeaders } from '#servers/core/kubelet/target-headers.ts';
import { failureStatus, newServiceUnavailable, StatusError } from '#shared/apimachinery/errors/status.ts';
import type { SubresourceDefinition } from '#shared/registry/define-resource.ts';
import { asksForUpgrade } from '#shared/request/ask-for-upgrade.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { decodePathBytes, encodePathBytes } from '#shared/request/request-path.ts';
import { carryRequest, UnwantedUpgradeError, type CarriedRequest } from './carry-request.ts';
import { describeFailure } from './describe-failure.ts';
import { cleanPath, withoutOuterSlashes } from './go-path.ts';
import { forwardedUri, proxiedPlace, type ProxiedPlace } from './links.ts';
import { nodeTarget } from './node-target.ts';
import { podTarget } from './pod-target.ts';
import { answerFrom } from './proxied-answer.ts';
import { serviceTarget } from './service-target.ts';
import { unreachable, type ProxyTarget } from './target.ts';
import { upgradeConnection } from './upgrade-connection.ts';

type Connect = NonNullable<SubresourceDefinition['connect']>;

/** `pods/<id>/proxy`. */
export function podProxy(core: CoreContext): Connect {
  return async (context, id) => proxyTo(context, await podTarget(core, context.info.namespace, id));
}

/** `services/<id>/proxy`. */
export function serviceProxy(core: CoreContext): Connect {
  return async (context, id) => proxyTo(context, await serviceTarget(core, context.info.namespace, id));
}

/** `nodes/<id>/proxy`. */
export function nodeProxy(kubelets: KubeletConnections): Connect {
  return async (context, id) => proxyTo(context, await nodeTarget(kubelets, context, id));
}

/** Sends the request on to the target, as the reference's UpgradeAwareHandler does (apimachinery/pkg/util/proxy). */
async function proxyTo(context: RequestContext, target: ProxyTarget): Promise<void> {
  const { exchange } = context;
  const asked = decodePathBytes(exchange.path);
  const base = targetPath(context, asked);
  if (asksForUpgrade(exchange)) return upgradeConnection(exchange, target, base === '' ? '/' : encodePathBytes(base));
  const path = asked.endsWith('/') && !base.endsWith('/') ? `${base}/` : base;
  const query = exchange.query === '' ? '' : `?${exchange.query}`;
  if (path === '' && (exchange.method === 'GET' || exchange.method === 'HEAD'))
    return exchange.send(301, { location: `${asked}/${query}` });
  const sent = path === '' ? '/' : path;
  const place = proxiedPlace(asked, base, sent, { targetHost: target.authority, clientHost: clientHost(exchange) });
  await carry(context, target, place, encodePathBytes(sent) + query);
}

/** The path after `proxy` (endpoints/handlers, getRequestOptions), without double slashes and dot segments. */
function targetPath({ info }: RequestContext, asked: string): string {
  const segments = withoutOuterSlashes(asked).split('/');
  const rest = segments.slice(segments.length - info.parts.length + 3).join('/');
  const path = rest === '' || rest.startsWith('/') ? rest : `/${rest}`;
  return cleanPath(asked.endsWith('/') && !path.endsWith('/') ? `${path}/` : path);
}

/** Sends the request on to the target. Resolves when the response has started. */
function carry({ exchange }: RequestContext, target: ProxyTarget, place: ProxiedPlace, path: string): Promise<void> {
  const { node } = exchange;
  if (node === undefined)
    throw newServiceUnavailable('requests to pods, services and nodes come over HTTP/1.1 from the gateway');
  const headers = targetHeaders(exchange);
  addFraming(headers, exchange);
  headers.set('X-Forwarded-Uri', forwardedUri(place));
  const encodings = headers.get('Accept-Encoding') ?? '';
  const unzips = encodings === '' && !headers.has('Range') && exchange.method !== 'HEAD';
  if (unzips) headers.set('Accept-Encoding', headers.has('Accept-Encoding') ? ['', 'gzip'] : 'gzip');
  const isRepeatable = /^(?:GET|HEAD|OPTIONS)$/.test(exchange.method) && !exchange.hasBody;
  return new Promise((resolve, reject) => {
    const attempt = (mayRepeat: boolean): void => {
      const call: CarriedRequest = {
        target,
        path,
        headers,
        isRepeatable: mayRepeat,
        onAnswer(answer) {
          answerFrom(exchange, answer, { place, unzips }).then(resolve, (error: unknown) => {
            answer.destroy();
            reject(error);
          });
        },
        onError(error, wasReused) {
          if (exchange.closed || exchange.responded) return resolve();
          // The target may have just closed a kept-alive connection, so the request is sent again on a new one.
          if (wasReused && (error as NodeJS.ErrnoException).code === 'ECONNRESET') return attempt(false);
          // The rest of the body is read and discarded, so that the client gets the response.
          node.request.resume();
          reject(asStatus(error, target));
        },
      };
      carryRequest(node, call).catch(reject);
    };
    attempt(isRepeatable);
  });
}

function asStatus(error: Error, target: ProxyTarget): StatusError {
  if (error instanceof UnwantedUpgradeError) return new StatusError(failureStatus(500, '', error.message));
  return unreachable(describeFailure(error, target));
}
