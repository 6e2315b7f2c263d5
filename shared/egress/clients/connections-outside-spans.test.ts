import assert from 'node:assert/strict';
import { createServer, get, type Server } from 'node:http';
import { get as getSecurely, createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { Agent, buildConnector, request } from 'undici';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import { EgressMetrics } from '#shared/egress/egress-metrics.ts';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { activeSpan, runInSpan, traceBy } from '#shared/spans/active-span.ts';
import { KeptSpan, untracedSource } from '#shared/spans/testing/kept-span.ts';
import { httpAgent, httpsAgent } from './node-agents.ts';
import { connectVerified } from './undici-connector.ts';

const servers: Server[] = [];
const ports: number[] = [];
const dial = new EgressMetrics().counted(async (address) => connect(Number(address.split(':')[1]), '127.0.0.1'), {
  protocol: 'http_connect',
  transport: 'tcp',
});

/** For which span the listeners of a socket run. */
function spanOf(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('data', () => resolve(activeSpan())));
}

function nodeConnection(port: number, isSecure: boolean, by: EgressDial | undefined): Promise<unknown> {
  const agent = isSecure ? httpsAgent({ rejectUnauthorized: false }, by) : httpAgent({}, by);
  return new Promise((resolve, reject) => {
    const asked = (isSecure ? getSecurely : get)({ port, agent }, (answer) => answer.resume());
    asked.on('socket', (socket) => resolve(spanOf(socket))).on('error', reject);
  });
}

async function undiciConnection(port: number, isSecure: boolean, by: EgressDial | undefined): Promise<unknown> {
  const made = Promise.withResolvers<unknown>();
  const verified = connectVerified(by, { allowH2: false }, { verifies: false }, buildConnector);
  const agent = new Agent({
    connect: (asked, onMade) =>
      verified(asked, (error, socket) => {
        if (error !== null) return onMade(error, null);
        made.resolve(spanOf(socket));
        onMade(null, socket);
      }),
  });
  const { body } = await request(`${isSecure ? 'https' : 'http'}://127.0.0.1:${port}/`, { dispatcher: agent });
  await body.dump();
  await agent.close();
  return await made.promise;
}

describe('a connection that a request needs first', () => {
  before(async () => {
    const answer = (_request: unknown, response: { readonly end: (text: string) => void }): void => response.end('ok');
    const ca = await createTestCa('CN=ca');
    servers.push(createServer(answer), createTlsServer(await ca.issue('CN=localhost', 'server'), answer));
    for (const server of servers) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      ports.push((server.address() as AddressInfo).port);
    }
    traceBy(untracedSource);
  });
  after(() => {
    traceBy(undefined);
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  for (const [client, connection] of Object.entries({ 'node:http': nodeConnection, undici: undiciConnection }))
    for (const [index, scheme] of ['http', 'https'].entries())
      for (const [way, by] of Object.entries({ direct: undefined, 'by a proxy': dial }))
        test(`is no part of it (${client}, ${scheme}, ${way})`, async () => {
          const work = (): Promise<unknown> => connection(ports[index] ?? 0, scheme === 'https', by);
          assert.equal(await runInSpan(new KeptSpan('request'), work), undefined);
        });
});
