import { isIP } from 'node:net';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';

/**
 * Errors of connections in the words of the reference, since they appear in conditions and answers, and users search
 * for them.
 */
export function goNetworkError(error: unknown, address: string): string {
  if (!(error instanceof Error)) return String(error);
  // Several addresses of a host name were tried; the last error counts.
  if (error instanceof AggregateError && error.errors.length > 0) return goNetworkError(error.errors.at(-1), address);
  const {
    code = '',
    hostname = '',
    address: ip = '',
    port = 0,
    syscall,
  } = error as Error & { code?: string; hostname?: string; address?: string; port?: number; syscall?: string };
  const dialed = ip === '' ? address : `${ip.includes(':') ? `[${ip}]` : ip}:${port}`;
  const refused = ofDialing.get(code);
  if (refused !== undefined) return `dial tcp ${dialed}: ${refused}`;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${hostname}: no such host`;
  if (code === 'EAI_AGAIN') return `dial tcp: lookup ${hostname}: server misbehaving`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `tls: failed to verify certificate: x509: ${otherName(error)}`;
  const certificate = ofCertificates.get(code);
  if (certificate !== undefined) return `tls: failed to verify certificate: x509: ${certificate}`;
  // Node.js uses this code also for a connection that was closed normally but before the answer.
  if (code === 'ECONNRESET' && syscall === undefined) return 'EOF';
  if (code === 'ECONNRESET') return 'read: connection reset by peer';
  if (code === 'UND_ERR_SOCKET' || code === 'EPIPE') return 'EOF';
  const reset = streamReset(error, code);
  if (reset !== undefined) return reset;
  if (error.name === 'HTTPParserError') return malformed((error as Error & { readonly data?: string }).data ?? '');
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return 'net/http: timeout awaiting response headers';
  if (/wrong version number|packet length too long/.test(error.message))
    return 'http: server gave HTTP response to HTTPS client';
  return error.message;
}

/** Codes of HTTP/2 (RFC 9113, section 7), in their order. */
const streamErrors = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
];

/** The error of an HTTP/2 stream that the server ended; Go tells the stream's number, too, which is not known here. */
function streamReset(error: Error & { readonly http2ErrorCode?: number }, code: string): string | undefined {
  const isCut =
    code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' || error.message === 'HTTP/2: stream half-closed (remote)';
  if (error.http2ErrorCode === undefined && !isCut) return undefined;
  const number = error.http2ErrorCode ?? 0;
  return `stream error: ${streamErrors[number] ?? `unknown error code 0x${number.toString(16)}`}; received from peer`;
}

/** The error for an answer that is no HTTP, from its first line on. */
function malformed(data: string): string {
  const [line = ''] = data.split(/\r?\n/, 1);
  return `net/http: HTTP/1.x transport connection broken: malformed HTTP response ${goQuote(line)}`;
}

/** The error for a certificate that is for other names, as Go's crypto/x509 words it. */
function otherName(
  error: Error & { readonly host?: string; readonly cert?: { readonly subjectaltname?: string } },
): string {
  const { host = '', cert } = error;
  const names = (cert?.subjectaltname ?? '').split(', ');
  const wanted = isIP(host) === 0 ? 'DNS:' : 'IP Address:';
  const valid = names.flatMap((name) => (name.startsWith(wanted) ? name.slice(wanted.length) : []));
  if (wanted === 'IP Address:' && valid.length === 0)
    return `cannot validate certificate for ${host} because it doesn't contain any IP SANs`;
  if (valid.length === 0) return `certificate is not valid for any names, but wanted to match ${host}`;
  return `certificate is valid for ${valid.join(', ')}, not ${host}`;
}

const ofDialing: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'connect: connection refused'],
  ['EHOSTUNREACH', 'connect: no route to host'],
  ['ENETUNREACH', 'connect: network is unreachable'],
  ['EADDRNOTAVAIL', 'connect: cannot assign requested address'],
  ['ETIMEDOUT', 'connect: connection timed out'],
  ['UND_ERR_CONNECT_TIMEOUT', 'i/o timeout'],
]);

const unknownAuthority = 'certificate signed by unknown authority';

const ofCertificates: ReadonlyMap<string, string> = new Map([
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', unknownAuthority],
  ['SELF_SIGNED_CERT_IN_CHAIN', unknownAuthority],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', unknownAuthority],
  ['CERT_SIGNATURE_FAILURE', unknownAuthority],
  ['CERT_HAS_EXPIRED', 'certificate has expired or is not yet valid'],
  ['CERT_NOT_YET_VALID', 'certificate has expired or is not yet valid'],
]);
