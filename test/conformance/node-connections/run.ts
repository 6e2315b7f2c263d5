// Sends the requests of requests.ts (logs, commands, attaching, port forwarding) to this project and to the reference,
// whose nodes are missing, do not listen, or say what they were asked, and compares what the client sees: status,
// headers and body.
//   node --import tsx test/conformance/node-connections/run.ts [--only REGEXP]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestCa } from '../../../shared/server/testing/certificates.ts';
import { startCluster } from '../../cluster.ts';
import { freePort } from '../../free-port.ts';
import { startReference } from '../../reference.ts';
import { writeTokens } from '../../tokens.ts';
import { askAll, chosen, compare } from '../proxies/compare.ts';
import type { Seen } from '../proxies/play.ts';
import { startTarget } from '../proxies/target-server.ts';
import { explained } from './explained.ts';
import { prepareNodes } from './prepare.ts';
import { connectionRequests } from './requests.ts';

/** Of the two HTTP clients: no kubelet compresses logs, or closes a connection for want of a word. */
const ofClients = /"(?:Accept-Encoding: gzip|Connection: keep-alive)",/g;

function withoutClients(all: ReadonlyMap<string, Seen> = new Map()): Map<string, Seen> {
  return new Map(
    [...all].map(([name, seen]) => [
      name,
      seen.body.includes('"/containerLogs/') ? { ...seen, body: seen.body.replace(ofClients, '') } : seen,
    ]),
  );
}

const folder = mkdtempSync(join(tmpdir(), 'node-connections-'));
const target = await startTarget('127.0.0.1', await (await createTestCa('CN=targets')).issue('CN=target', 'server'));
const ports = { told: target.port, closed: await freePort() };
const servers = await Promise.all([
  startReference(),
  startCluster({ flags: ['--token-auth-file', writeTokens(folder), '--kubelet-certificate-authority='] }),
]);
try {
  const requests = chosen(connectionRequests());
  await Promise.all(servers.map(({ url }) => prepareNodes(url, ports)));
  const [reference, ours] = await Promise.all(servers.map(({ url }) => askAll(url, requests)));
  process.exitCode = compare('connections to nodes', withoutClients(reference), withoutClients(ours), explained);
} finally {
  await Promise.all([...servers.map((server) => server.close()), target.close()]);
  rmSync(folder, { recursive: true, force: true });
}
