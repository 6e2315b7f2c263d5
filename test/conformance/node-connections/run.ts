// Sends the requests of requests.ts (logs, commands, attaching, port forwarding) to this project and to the reference,
// whose nodes are missing, do not listen, or say what they were asked, and compares what the client sees: status,
// headers and body.
//   node --import tsx test/conformance/node-connections/run.ts [--only REGEXP]
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { startPair } from '#test/compare/pair.ts';
import { askAll, chosen, compare } from '#test/conformance/proxies/compare.ts';
import type { Seen } from '#test/conformance/proxies/play.ts';
import { startTarget } from '#test/conformance/proxies/target-server.ts';
import { freePort } from '#test/free-port.ts';
import { explained } from './explained.ts';
import { prepareNodes } from './prepare.ts';
import { connectionRequests } from './requests.ts';

/** Of the two HTTP clients: no kubelet compresses logs, or closes a connection for want of a word. */
const ofClients = /"(?:Accept-Encoding: gzip|Connection: keep-alive)",/g;

function withoutClients(all: ReadonlyMap<string, Seen>): Map<string, Seen> {
  return new Map(
    [...all].map(([name, seen]) => [
      name,
      seen.body.includes('"/containerLogs/') ? { ...seen, body: seen.body.replace(ofClients, '') } : seen,
    ]),
  );
}

const target = await startTarget('127.0.0.1', await (await createTestCa('CN=targets')).issue('CN=target', 'server'));
const ports = { echoing: target.port, closed: await freePort() };
const { ours, theirs, close } = await startPair({ ours: ['--kubelet-certificate-authority='] });
try {
  const requests = chosen(connectionRequests());
  await Promise.all([ours, theirs].map(({ url }) => prepareNodes(url, ports)));
  const [here, there] = await Promise.all([askAll(ours.url, requests), askAll(theirs.url, requests)]);
  process.exitCode = compare('connections to nodes', withoutClients(there), withoutClients(here), explained);
} finally {
  await Promise.all([close(), target.close()]);
}
