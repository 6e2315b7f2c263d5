import { encodePathBytes } from '../../../shared/request/request-path.ts';
import { joinPath } from './go-path.ts';
import { formatGoUrl, parseGoUrl } from './go-url.ts';

/** How the paths of a target look from outside, behind the proxy. */
export interface ProxiedPlace {
  /** What stands in front of the target's paths. */
  readonly prefix: string;
  /** The target's path, decoded. */
  readonly path: string;
  /** The host of the target, by which it may name itself. */
  readonly targetHost: string;
  /** The host in the client's request, which is sent to the target too. */
  readonly clientHost: string;
}

/**
 * The place of a request for `asked` that goes to `path` of a target; `base` is that path before a slash was added to
 * it.
 */
export function proxiedPlace(
  asked: string,
  base: string,
  path: string,
  hosts: Pick<ProxiedPlace, 'targetHost' | 'clientHost'>,
): ProxiedPlace {
  const suffix = asked.endsWith('/') && !base.endsWith('/') ? `${base}/` : base;
  return { prefix: asked.endsWith(suffix) ? asked.slice(0, asked.length - suffix.length) : asked, path, ...hosts };
}

/** The value of `X-Forwarded-Uri` (apimachinery/pkg/util/proxy/transport.go). */
export function forwardedUri({ prefix, path }: ProxiedPlace): string {
  const uri = joinPath(prefix, encodePathBytes(path));
  return path.endsWith('/') ? `${uri}/` : uri;
}

/**
 * A link of the target as the client has to follow it; what leads elsewhere stays.
 * @throws GoUrlError for what is no URL
 */
export function rewriteLink(text: string, { prefix, targetHost, clientHost }: ProxiedPlace): string {
  const url = parseGoUrl(text);
  const isElsewhere = url.host !== '' && url.host !== targetHost && url.host !== clientHost;
  if (isElsewhere || !url.path.startsWith('/')) return formatGoUrl(url);
  if (url.host !== clientHost) url.scheme = url.host = '';
  if (!url.path.startsWith(prefix)) {
    const { path } = url;
    url.path = joinPath(prefix, path);
    if (path.endsWith('/')) url.path += '/';
  }
  return formatGoUrl(url);
}
