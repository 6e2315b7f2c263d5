// Sends the requests of requests.ts through this project and through the reference to the same servers, and compares
// what the client sees: status, headers and body; what a target sees comes back in its echo. `--record` writes what the
// reference makes of the pages in odd-pages.ts beside the unit test that reads it.
//   node --import tsx test/conformance/proxies/run.ts [--only REGEXP] [--record]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestCa } from '../../../shared/server/testing/certificates.ts';
import { startCluster } from '../../cluster.ts';
import { freePort } from '../../free-port.ts';
import { startReference } from '../../reference.ts';
import { writeTokens } from '../../tokens.ts';
import { askAll, chosen, compare } from './compare.ts';
import { explained } from './explained.ts';
import { oddPages } from './odd-pages.ts';
import type { Seen } from './play.ts';
import { prepare } from './prepare.ts';
import { allRequests } from './requests.ts';
import { reachableAddress, startTarget } from './target-server.ts';

function recordPages(reference: ReadonlyMap<string, Seen>): void {
  const pages = oddPages.map((page, at) => ({
    page,
    seen: reference.get(`GET /api/v1/namespaces/default/pods/p/proxy/odd-page-${at}`)?.body ?? '',
  }));
  writeFileSync(
    new URL('../../../servers/core/proxy/testdata/pages.json', import.meta.url),
    `${JSON.stringify(pages, undefined, 1)}\n`,
  );
}

const address = reachableAddress();
if (address === undefined) {
  process.stdout.write(
    'LEFT OUT: this machine has no address but loopback and link-local ones, which no proxy reaches\n',
  );
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'proxies-'));
const ca = await createTestCa('CN=targets');
const targets = [
  await startTarget(address),
  await startTarget(address, await ca.issue('CN=target', 'server')),
] as const;
const ports = { plain: targets[0].port, tls: targets[1].port, closed: await freePort() };
const servers = await Promise.all([
  startReference(),
  startCluster({ flags: ['--token-auth-file', writeTokens(folder), '--kubelet-certificate-authority='] }),
]);
try {
  const requests = chosen(allRequests(ports));
  await Promise.all(servers.map(({ url }) => prepare(url, address, ports)));
  const [reference, ours] = await Promise.all(servers.map(({ url }) => askAll(url, requests)));
  if (process.argv.includes('--record')) recordPages(reference ?? new Map());
  process.exitCode = compare('proxies', reference, ours, explained);
} finally {
  await Promise.all([...servers.map((server) => server.close()), ...targets.map((target) => target.close())]);
  rmSync(folder, { recursive: true, force: true });
}
