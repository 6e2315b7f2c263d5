import { toStatus } from '#shared/apimachinery/errors/status.ts';
// A server whose handlers fail where nobody catches, in a process of its own: it says its port and serves until it is
// ended.
import { createLogger } from '#shared/observability/logger.ts';
import type { Handler } from '#shared/request/request-context.ts';
import { tlsListener } from '#shared/server/http/tls.ts';
import { resolveServerOptions } from '#shared/server/options/server-options.ts';
import { startServer } from '#shared/server/start-server.ts';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { surviveRequestFaults } from '#shared/server/uncaught-faults.ts';

const faults: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  [
    '/thrown',
    () => {
      throw new Error('fault: thrown');
    },
  ],
  ['/rejected', () => Promise.reject(new Error('fault: rejected'))],
  [
    '/timer',
    () =>
      void setTimeout(() => {
        throw new Error('fault: timer');
      }, 1),
  ],
  [
    '/floating',
    () =>
      void Promise.resolve().then(() => {
        throw new Error('fault: floating');
      }),
  ],
  [
    '/tick',
    () =>
      process.nextTick(() => {
        throw new Error('fault: tick');
      }),
  ],
  [
    '/body',
    ({ exchange }) =>
      void exchange.body.on('data', () => {
        throw new Error('fault: body');
      }),
  ],
  [
    '/closed',
    ({ exchange }) =>
      exchange.onClose(() => {
        throw new Error('fault: closed');
      }),
  ],
  [
    '/begun',
    ({ exchange }) => {
      exchange.stream(200, {}).write('half');
      setTimeout(() => {
        throw new Error('fault: begun');
      }, 20);
    },
  ],
  [
    '/twice',
    ({ exchange }) => {
      exchange.send(200, {}, 'whole');
      exchange.send(200, {}, 'again');
    },
  ],
  ['/header', ({ exchange }) => exchange.send(200, { 'x-broken': 'a\r\nb' }, 'never')],
  ['/well', ({ exchange }) => exchange.send(200, {}, 'well')],
]);

surviveRequestFaults();
const ca = await createTestCa();
const server = await startServer({
  name: 'faulty',
  options: resolveServerOptions({ requestTimeout: 60_000 }),
  logger: createLogger({ level: 0, format: 'text' }),
  listeners: [tlsListener({ host: '127.0.0.1', port: 0, ...(await ca.issue('CN=server')) })],
  chain: {
    apiAudiences: [],
    authenticator: { authenticate: () => ({ user: { name: 'alice', uid: '', groups: [], extra: {} } }) },
    authorizer: { authorize: () => ({ decision: 'allow', reason: '' }) },
    writeError({ exchange }, error) {
      const status = toStatus(error);
      exchange.send(status.code, { 'content-type': 'application/json' }, JSON.stringify(status));
    },
  },
  handler: (context) => faults.get(context.exchange.path)?.(context),
});
process.on('message', () =>
  setTimeout(() => {
    throw new Error('fault: of the process itself');
  }),
);
process.send?.({ port: server.listeners[0]?.port });
