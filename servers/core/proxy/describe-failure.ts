import { goNetworkError } from '#shared/request/go-network-error.ts';
import { maxAnswerHeaderBytes } from './carry-request.ts';
import type { ProxyTarget } from './target.ts';

/** The error of Go's net/http for a target that could not be reached or did not respond. */
export function describeFailure(error: NodeJS.ErrnoException, target: ProxyTarget): string {
  const { code = '' } = error;
  if (code === 'HPE_HEADER_OVERFLOW')
    return `${broken}net/http: server response headers exceeded ${maxAnswerHeaderBytes} bytes; aborted`;
  if (code.startsWith('HPE_')) return `${broken}malformed HTTP response`;
  if (code === 'ECONNECT_TIMEOUT') return `dial tcp ${target.authority}: i/o timeout`;
  const text = goNetworkError(error, target.authority);
  // The first text is from Go's http.Client; the reference uses only the transport, which has the second.
  return text === 'http: server gave HTTP response to HTTPS client'
    ? 'tls: first record does not look like a TLS handshake'
    : text;
}

const broken = 'net/http: HTTP/1.x transport connection broken: ';
