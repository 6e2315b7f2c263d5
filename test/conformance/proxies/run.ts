// Sends the requests of requests.ts through this project and through the reference to the same servers, and compares
// what the client sees: status, headers and body; what a target sees comes back in its echo. `--record` writes what the
// reference makes of the pages in odd-pages.ts beside the unit test that reads it.
//   node --import tsx test/conformance/proxies/run.ts [--only REGEXP] [--record]
import { writeFileSync } from 'node:fs';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { startPair } from '#test/compare/pair.ts';
import { freePort } from '#test/free-port.ts';
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
const ca = await createTestCa('CN=targets');
const targets = [
  await startTarget(address),
  await startTarget(address, await ca.issue('CN=target', 'server')),
] as const;
const ports = { plain: targets[0].port, tls: targets[1].port, closed: await freePort() };
const { ours, theirs, close } = await startPair({ ours: ['--kubelet-certificate-authority='] });
try {
  const requests = chosen(allRequests(ports));
  await Promise.all([ours, theirs].map(({ url }) => prepare(url, address, ports)));
  const [here, there] = await Promise.all([askAll(ours.url, requests), askAll(theirs.url, requests)]);
  if (process.argv.includes('--record')) recordPages(there);
  process.exitCode = compare('proxies', there, here, explained);
} finally {
  await Promise.all([close(), ...targets.map((target) => target.close())]);
}
