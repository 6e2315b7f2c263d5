import { Buffer } from 'node:buffer';
import { levelHeader, materialHeader } from '#shared/audit/material/hop-material.ts';
import { withoutTokens } from '#shared/authentication/bearer-token.ts';
import { encodeIdentity, isHopHeader } from '#shared/authentication/hop-identity.ts';
import { ageHeader } from '#shared/request/age-header.ts';
import { requestHeadersOfHop } from '#shared/request/relay/connection-headers.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { traceHeader } from '#shared/request/trace-header.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { recordedSpan, slowWorkLog } from '#shared/spans/active-span.ts';
import { rememberedLines } from './remembered-lines.ts';

/** Headers that are not passed on; {@link isHopHeader} adds identity and credentials, and HTTP/2 has pseudo headers. */
const dropped: ReadonlySet<string> = new Set([...requestHeadersOfHop, 'x-forwarded-for']);
const protocolHeader = 'sec-websocket-protocol';

/** Identity lines by user object: authenticators hand out the same object for the same credential. */
const identityLines = new WeakMap<UserInfo, string>();

/**
 * Alternating names and values: the client's own headers as sent, then those that the gateway adds. Without framing
 * headers.
 */
export function forwardedHeaders(context: RequestContext): string[] {
  const headers = forwardedClientHeaders(context);
  headers.push(
    'host',
    'localhost',
    'audit-id',
    context.auditId,
    'x-forwarded-for',
    forwardedFor(context.exchange),
    ageHeader,
    ageOf(context),
    ...encodeIdentity(context.user, context.impersonator),
  );
  if (context.audit !== undefined) headers.push(materialHeader, levelHeader(context.audit));
  const trace = traceOf(context);
  if (trace !== undefined) headers.push(traceHeader, trace);
  return headers;
}

/** Header lines that differ in every request, for the transport that frames requests itself. */
export function ownHeaderLines(context: RequestContext): string {
  const { auditId, audit } = context;
  const level = audit === undefined ? '' : `${materialHeader}: ${levelHeader(audit)}\r\n`;
  const trace = traceOf(context);
  const line = trace === undefined ? '' : `${traceHeader}: ${trace}\r\n`;
  return `audit-id: ${auditId}\r\n${ageHeader}: ${ageOf(context)}\r\n${level}${line}`;
}

/** Undefined where nobody wants to know of the request's work. */
function traceOf({ exchange }: RequestContext): string | undefined {
  const span = recordedSpan();
  if (span?.headers === undefined) return slowWorkLog() === undefined ? undefined : `- HTTP/${exchange.httpVersion}`;
  const { traceparent, tracestate } = span.headers;
  const { protocol } = span.request;
  return tracestate === undefined
    ? `${traceparent} ${protocol}`
    : `${traceparent} ${protocol} ${tracestate.replaceAll(' ', '')}`;
}

function ageOf({ receivedAtMs }: RequestContext): string {
  return String(Math.round(performance.now() - receivedAtMs));
}

/** The remaining header lines, which the next request of the same client probably repeats. */
export function sharedHeaderLines(context: RequestContext): string {
  return rememberedLines(context, makeSharedLines);
}

function makeSharedLines(context: RequestContext): string {
  const lines = pairLines(forwardedClientHeaders(context));
  return `host: localhost\r\n${lines}x-forwarded-for: ${forwardedFor(context.exchange)}\r\n${identityOf(context)}`;
}

/** The value of X-Forwarded-For: what the client sent, followed by the client's own address. */
export function forwardedFor({ headers, remoteAddress }: RequestContext['exchange']): string {
  const before = headers['x-forwarded-for'];
  if (before === undefined || before === '') return remoteAddress;
  return `${typeof before === 'string' ? before : before.join(', ')}, ${remoteAddress}`;
}

/** The client's headers without connection headers and those that only a gateway may set. */
export function forwardedClientHeaders({ exchange }: RequestContext): string[] {
  const raw = exchange.rawHeaders ?? flatten(exchange.headers);
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    if (name.charCodeAt(0) === 0x3a || isHopHeader(name) || dropped.has(name.toLowerCase())) continue;
    const value = isProtocolHeader(name) ? withoutTokens(raw[at + 1] ?? '') : (raw[at + 1] ?? '');
    if (value !== undefined) kept.push(name, value);
  }
  return kept;
}

/** `Sec-WebSocket-Protocol`, in which browsers send their token. */
function isProtocolHeader(name: string): boolean {
  return name.length === protocolHeader.length && name.toLowerCase() === protocolHeader;
}

function identityOf({ user, impersonator }: RequestContext): string {
  if (impersonator !== undefined) return pairLines(encodeIdentity(user, impersonator));
  let lines = identityLines.get(user);
  if (lines === undefined) identityLines.set(user, (lines = pairLines(encodeIdentity(user))));
  return lines;
}

/** Header lines of names and values in turn. */
export function pairLines(headers: readonly string[]): string {
  let lines = '';
  for (let at = 0; at + 1 < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return lines;
}

function flatten(headers: RequestContext['exchange']['headers']): string[] {
  const encode = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined
      ? []
      : typeof value === 'string'
        ? [name, encode(value)]
        : value.flatMap((one) => [name, encode(one)]),
  );
}
