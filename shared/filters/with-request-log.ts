import { textOfBytes } from '#shared/apimachinery/text/byte-text.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { formatDuration } from '#shared/apimachinery/values/duration.ts';
import type { LogValue } from '#shared/observability/log-line.ts';
import type { LeveledLogger, Logger } from '#shared/observability/logger.ts';
import type { FlowFacts } from '#shared/request/flow-facts.ts';
import { headerValue } from '#shared/request/header-values.ts';
import { reportedVerb } from '#shared/request/reported-verb.ts';
import type { Filter, RequestContext } from '#shared/request/request-context.ts';
import type { UserInfo } from '#shared/request/user.ts';

/** Requests are logged from this level on (apiserver/pkg/server/httplog). */
export const requestLogLevel = 3;
const impersonationLogLevel = 2;
/** Of an id that a client chose, as in apiserver/pkg/audit. */
const longestAuditId = 64;
/** Of names in lines, as in server/filters/priority-and-fairness.go. */
const longestFlowName = 64;

/** Logs each request at its end, with the fields of klog's `HTTP` line. Below level 3 it costs a comparison. */
export function withRequestLog(logger: Logger): Filter {
  return (next) => (context) => {
    if (!logger.enabled(requestLogLevel)) return next(context);
    const { exchange } = context;
    const loggedMs: [string, number][] = (context.loggedMs = []);
    let isTaken = false;
    let stack: string | undefined;
    exchange.onAnswer(() => {
      isTaken = exchange.statusCode === 101;
      if (showsStack(exchange.statusCode)) stack = stackHere();
    });
    exchange.onClose(() =>
      logger.info(requestLogLevel, 'HTTP', {
        ...requestFields(context),
        ...durationFields(loggedMs.filter(isOfFilter)),
        ...(context.flow === undefined ? {} : flowFields(context.flow)),
        ...durationFields(loggedMs.filter((entry) => !isOfFilter(entry))),
        ...(isTaken
          ? { hijacked: true }
          : { resp: exchange.statusCode, statusStack: stack, addedInfo: addedInfo(context) }),
      }),
    );
    return next(context);
  };
}

function requestFields(context: RequestContext): Record<string, LogValue> {
  const { exchange, auditId, receivedAtMs } = context;
  return {
    verb: reportedVerb(context),
    URI: textOfBytes(exchange.query === '' ? exchange.path : `${exchange.path}?${exchange.query}`),
    latency: durationText(performance.now() - receivedAtMs),
    userAgent: textOfBytes(headerValue(exchange, 'user-agent')),
    'audit-ID': textOfBytes(auditId.slice(0, longestAuditId)),
    srcIP: peerText(exchange.remoteAddress, exchange.remotePort),
  };
}

type LoggedDuration = readonly [key: string, ms: number];

function isOfFilter([key]: LoggedDuration): boolean {
  return key.startsWith('fl_');
}

function durationFields(loggedMs: readonly LoggedDuration[]): Record<string, LogValue> {
  return Object.fromEntries(loggedMs.map(([key, ms]) => [key, durationText(ms)]));
}

/**
 * Logs as whom a client acts at level 2. Of a request that is logged at its end, its line says so. Stands behind
 * impersonation.
 */
export function withImpersonationLog(logger: LeveledLogger): Filter {
  return (next) => (context) => {
    if (context.impersonator !== undefined && context.loggedMs === undefined && logger.enabled(impersonationLogLevel))
      logger.plain(inOneLine(addedInfo(context) ?? ''), impersonationLogLevel);
    return next(context);
  };
}

/** Names may hold whatever a provider of identities says. */
function inOneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- those that end lines, and steer terminals
  return text.replaceAll(/[\u0000-\u001f\u007f]/g, (character) => goQuote(character).slice(1, -1));
}

/** As whom a client acts (filters/impersonation). */
function addedInfo({ impersonator, user }: RequestContext): string | undefined {
  return impersonator === undefined ? undefined : `${userText(impersonator)} is impersonating ${userText(user)}`;
}

/** `jane[group,other]` */
function userText({ name, groups }: UserInfo): string {
  const text = `${name === '' ? '<empty>' : name}${groups.length === 0 ? '' : `[${groups.join(',')}]`}`;
  return textOfBytes(text);
}

/** What priority and fairness says of the request (server/filters/priority-and-fairness.go, util/flowcontrol). */
function flowFields(flow: FlowFacts): Record<string, LogValue> {
  return {
    apf_pl: flow.priorityLevel.slice(0, longestFlowName),
    apf_fs: flow.flowSchema.slice(0, longestFlowName),
    apf_iseats: flow.initialSeats,
    apf_fseats: flow.finalSeats,
    apf_additionalLatency: durationText(flow.additionalLatencyNs / 1e6),
    apf_init_latency: flow.initLatencyMs === undefined ? undefined : durationText(flow.initLatencyMs),
    apf_execution_time: flow.executionMs === undefined ? undefined : durationText(flow.executionMs),
  };
}

function durationText(ms: number): string {
  return formatDuration(BigInt(Math.round(ms * 1e6)));
}

/** Faults of the server show where they were answered. */
function showsStack(status: number): boolean {
  return (status < 200 || status >= 500) && status !== 101;
}

function stackHere(): string {
  const { stack = '' } = new Error('answered');
  return stack.slice(stack.indexOf('\n'));
}

/** `127.0.0.1:40000`, `[::1]:40000`. A listener for both families tells IPv4 addresses as `::ffff:127.0.0.1`. */
function peerText(address: string, port: number): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  return plain.includes(':') ? `[${plain}]:${port}` : `${plain}:${port}`;
}
