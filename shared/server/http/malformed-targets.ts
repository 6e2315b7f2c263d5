import type { Exchange } from '#shared/request/exchange.ts';
import { parseRequestInfo } from '#shared/request/parse-request-info.ts';

/** Methods of RFC 9110 section 9.3 and RFC 5789. */
const methods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
]);

const originForm = /^\/[\x21-\x7e\x80-\xff]*$/;
/** Matches escapes of control characters, and malformed escapes. */
const refusedEscape = /%(?:[01][0-9a-fA-F]|7[fF]|(?![0-9a-fA-F]{2}))/;

/**
 * Answers malformed requests before any filter interprets them: targets that do not begin with `/`, control characters
 * in the path (escaped ones too), a scheme other than that of the listener, and invalid methods that would be
 * authorized as a verb. `OPTIONS *` is answered as Go's net/http does. Returns false for all other requests.
 */
export function answerMalformedTarget(exchange: Exchange): boolean {
  const { method, path } = exchange;
  if (
    originForm.test(path) &&
    !(path.includes('%') && refusedEscape.test(path)) &&
    hasOwnScheme(exchange) &&
    (methods.has(method) || isOfResource(exchange))
  )
    return false;
  if (method === 'OPTIONS' && path === '*') exchange.send(200, {});
  else
    exchange.send(
      400,
      {
        'content-type': 'text/plain; charset=utf-8',
        ...(exchange.httpVersion === '1.1' ? { connection: 'close' } : {}),
      },
      '400 Bad Request',
    );
  return true;
}

/** Whether the scheme is https. HTTP/2 sends it with each request, and every public listener uses TLS. */
function hasOwnScheme({ headers }: Exchange): boolean {
  const scheme = headers[':scheme'];
  return scheme === undefined || scheme === 'https';
}

/**
 * Whether the request is for a resource: for these, an unknown method gives an empty verb
 * (apiserver/pkg/endpoints/request/requestinfo.go).
 */
function isOfResource(exchange: Exchange): boolean {
  try {
    return parseRequestInfo(exchange).isResourceRequest;
  } catch {
    // The path belongs to the API but names no resource: the chain answers it.
    return true;
  }
}
