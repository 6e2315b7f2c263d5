import { encodePathBytes } from '#shared/request/request-path.ts';
import { joinPath } from './go-path.ts';
import { formatGoUrl, parseGoUrl } from './go-url.ts';

/** How the paths and hosts of a target map to those that the client uses. */
export interface ProxiedUrlMapping {
  /** The prefix that the proxy adds to the target's paths. */
  readonly prefix: string;
  /** The target's path, decoded. */
  readonly path: string;
  /** The target's own host, which its links may contain. */
  readonly targetHost: string;
  /** The host in the client's request, which is sent to the target too. */
  readonly clientHost: string;
}

/**
 * The mapping of a request for the path `asked` that goes to `path` of a target; `base` is this path before a slash was
 * added to it.
 */
export function proxiedUrlMapping(
  asked: string,
  base: string,
  path: string,
  hosts: Pick<ProxiedUrlMapping, 'targetHost' | 'clientHost'>,
): ProxiedUrlMapping {
  const suffix = asked.endsWith('/') && !base.endsWith('/') ? `${base}/` : base;
  return { prefix: asked.endsWith(suffix) ? asked.slice(0, asked.length - suffix.length) : asked, path, ...hosts };
}

/** The value of `X-Forwarded-Uri` (apimachinery/pkg/util/proxy/transport.go). */
export function forwardedUri({ prefix, path }: ProxiedUrlMapping): string {
  const uri = joinPath(prefix, encodePathBytes(path));
  return path.endsWith('/') ? `${uri}/` : uri;
}

/**
 * Rewrites a link of the target so that it leads through the proxy; links to other hosts are kept.
 * @throws GoUrlError for a text that is not a URL
 */
export function rewriteLink(text: string, { prefix, targetHost, clientHost }: ProxiedUrlMapping): string {
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
