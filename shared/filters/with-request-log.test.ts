import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, test } from 'node:test';
import { createLogger, type LeveledLogger } from '#shared/observability/logger.ts';
import type { Handler, RequestContext } from '#shared/request/request-context.ts';
import { withImpersonationLog, withRequestLog } from './with-request-log.ts';

interface Logged {
  readonly lines: Record<string, unknown>[];
  readonly logger: LeveledLogger;
}

function loggerAt(level: number): Logged {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { lines, logger: createLogger({ level, format: 'json', write }) };
}

/** Sends a request for a Pod through the filter; it is answered with the status and ends. */
async function serve(logger: LeveledLogger, statusCode: number, handler: Handler = () => undefined): Promise<void> {
  const events = new EventEmitter();
  const exchange = {
    method: 'GET',
    path: '/api/v1/namespaces/a/pods/b%20c',
    query: 'x=y',
    headers: { 'user-agent': 'client/1' },
    remoteAddress: '::ffff:10.0.0.1',
    remotePort: 4000,
    statusCode,
    onAnswer: (listener: () => void) => events.once('answer', listener),
    onClose: (listener: () => void) => events.once('close', listener),
  };
  const info = { isResourceRequest: true, verb: 'get', resource: 'pods', subresource: '', namespace: 'a', name: 'b' };
  const context = { exchange, info, auditId: 'i'.repeat(100), receivedAtMs: performance.now() - 1 };
  await withRequestLog(logger)(handler)(context as unknown as RequestContext);
  events.emit('answer');
  events.emit('close');
}

describe('withRequestLog', () => {
  test('logs the fields of a request at its end, with those of flow control', async () => {
    const { lines, logger } = loggerAt(3);
    await serve(logger, 200, (context) => {
      const seats = { initialSeats: 1, finalSeats: 2, additionalLatencyNs: 5_000_000, executionMs: 1.5 };
      context.flow = { priorityLevel: 'system', flowSchema: 's'.repeat(100), initLatencyMs: undefined, ...seats };
    });
    const [{ latency, ts: _, caller: _place, ...line } = {}] = lines;
    assert.match(String(latency), /^[\d.]+ms$/);
    assert.deepEqual(line, {
      msg: 'HTTP',
      v: 3,
      verb: 'GET',
      URI: '/api/v1/namespaces/a/pods/b%20c?x=y',
      userAgent: 'client/1',
      'audit-ID': 'i'.repeat(64),
      srcIP: '10.0.0.1:4000',
      apf_pl: 'system',
      apf_fs: 's'.repeat(64),
      apf_iseats: 1,
      apf_fseats: 2,
      apf_additionalLatency: '5ms',
      apf_execution_time: '1.5ms',
      resp: 200,
    });
  });

  test('shows where a fault of the server was answered, and which connections were taken', async () => {
    const { lines, logger } = loggerAt(3);
    await serve(logger, 500);
    await serve(logger, 101);
    assert.match(String(lines[0]?.['statusStack']), /with-request-log/);
    assert.deepEqual([lines[1]?.['hijacked'], lines[1]?.['resp']], [true, undefined]);
  });

  test('follows the level of the log while the server runs', async () => {
    const { lines, logger } = loggerAt(2);
    await serve(logger, 200);
    logger.levels.level = 3;
    await serve(logger, 200);
    assert.equal(lines.length, 1);
  });
});

describe('withImpersonationLog', () => {
  /** Serves a request of `admin` as another user, through both filters. */
  function serveAs(logger: LeveledLogger, name: string): void {
    const exchange = { onAnswer: () => undefined, onClose: () => undefined };
    const user = (own: string, ...groups: string[]): unknown => ({ name: own, groups });
    const context = { exchange, impersonator: user('admin', 'a', 'b'), user: user(name, 'c') };
    const chain = withRequestLog(logger)(withImpersonationLog(logger)(() => undefined));
    void chain(context as unknown as RequestContext);
  }

  test('tells who acts as whom in one line at level 2, and leaves it to the request from level 3 on', () => {
    for (const [level, said] of Object.entries({ 1: [], 2: ['admin[a,b] is impersonating ja\\nne[c]'], 3: [] })) {
      const { lines, logger } = loggerAt(Number(level));
      serveAs(logger, 'ja\nne');
      assert.deepEqual(
        lines.map(({ msg }) => msg),
        said,
      );
    }
  });
});
