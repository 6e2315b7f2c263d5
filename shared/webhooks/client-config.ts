import { posix } from 'node:path';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { ServiceReference } from '#shared/services/resolve-service.ts';
import { WebhookCallError } from './webhook-call-error.ts';

/** Where a webhook is called: the `clientConfig` of `admissionregistration.k8s.io` and `apiextensions.k8s.io`. */
export interface WebhookTarget {
  /** Absent for a webhook with a url. */
  readonly service?: ServiceReference;
  /** `https://host:port` as errors show it. */
  readonly origin: string;
  /** With its port, 443 where the url has none: how credentials are found. */
  readonly hostPort: string;
  /** Whether HTTP/2 is offered: as in the reference, to a url on this machine; calls to others are to be spread. */
  readonly offersHttp2: boolean;
  readonly path: string;
  /** The name that the certificate of a Service has to be for. Empty: it has to be for the host of the url. */
  readonly serverName: string;
  /** PEM in base64. Empty: the certificate authorities of the system are trusted. */
  readonly caBundle: string;
}

const defaultPort = 443;

/** @throws WebhookCallError for a configuration that says no place */
export function webhookTarget(clientConfig: JsonObject): WebhookTarget {
  const caBundle = stringAt(clientConfig, 'caBundle');
  const service = objectAt(clientConfig, 'service');
  if (service !== undefined) {
    const name = stringAt(service, 'name');
    const namespace = stringAt(service, 'namespace');
    const port = numberAt(service, 'port') ?? defaultPort;
    const serverName = `${name}.${namespace}.svc`;
    return {
      service: { namespace, name, port },
      origin: `https://${serverName}:${port}`,
      hostPort: `${serverName}:${port}`,
      offersHttp2: false,
      path: cleanPath(encodeURI(stringAt(service, 'path'))),
      serverName,
      caBundle,
    };
  }
  const text = stringAt(clientConfig, 'url');
  if (text === '') throw unusable('webhook configuration must have either service or URL');
  const url = URL.parse(text);
  if (url === null) throw unusable(`Unparsable URL: parse ${goQuote(text)}: invalid URL`);
  // As written: `URL` leaves out the default port.
  const authority = /^[^:]+:\/\/([^/?#]*)/.exec(text)?.[1] ?? url.host;
  return {
    origin: `${url.protocol}//${authority}`,
    // As the reference joins them, an IPv6 address without a port gets a second pair of brackets.
    hostPort: /:\d+$/.test(authority) ? authority : `${authority}:${defaultPort}`,
    offersHttp2: /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(url.hostname),
    path: cleanPath(url.pathname),
    serverName: '',
    caBundle,
  };
}

/** As Go's `path.Join`: no empty segments and no slash at the end. */
function cleanPath(path: string): string {
  const clean = posix.join('/', path);
  return clean.length > 1 && clean.endsWith('/') ? clean.slice(0, -1) : clean;
}

function unusable(message: string): WebhookCallError {
  return new WebhookCallError(message, { isUnusable: true });
}
