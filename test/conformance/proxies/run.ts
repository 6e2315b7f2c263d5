// Sends the requests of requests.ts through this project and through the reference to the same servers, and compares what the
// client sees: status, headers and body; what a target sees comes back in its echo.
// `--record` writes what the reference makes of the pages in odd-pages.ts beside the unit test that reads it.
//   node --import tsx test/conformance/proxies/run.ts [--only REGEXP] [--record]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createTestCa } from '../../../shared/server/testing/certificates.ts';
import { freePort, startCluster } from '../../cluster.ts';
import { startReference } from '../../reference.ts';
import { writeTokens } from '../../tokens.ts';
import { explained } from './explained.ts';
import { oddPages } from './odd-pages.ts';
import { play, type Seen } from './play.ts';
import { prepare } from './prepare.ts';
import { allRequests } from './requests.ts';
import { reachableAddress, startTarget } from './target-server.ts';

const atOnce = 4;
const onlyAt = process.argv.indexOf('--only');
const only = onlyAt < 0 ? undefined : new RegExp(process.argv[onlyAt + 1] ?? '');

async function askAll(url: string, requests: ReturnType<typeof allRequests>): Promise<Map<string, Seen>> {
  const waiting = [...requests];
  const seen = new Map<string, Seen>();
  const next = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) seen.set(one[0], await play(url, one[1]));
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  return seen;
}

function recordPages(reference: ReadonlyMap<string, Seen>): void {
  const pages = oddPages.map((page, at) => ({ page, seen: reference.get(`GET /api/v1/namespaces/default/pods/p/proxy/odd-page-${at}`)?.body ?? '' }));
  writeFileSync(new URL('../../../servers/core/proxy/testdata/pages.json', import.meta.url), `${JSON.stringify(pages, undefined, 1)}\n`);
}

const address = reachableAddress();
if (address === undefined) {
  process.stdout.write('LEFT OUT: this machine has no address but loopback and link-local ones, which no proxy reaches\n');
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'proxies-'));
const ca = await createTestCa('CN=targets');
const targets = [await startTarget(address), await startTarget(address, await ca.issue('CN=target', 'server'))] as const;
const ports = { plain: targets[0].port, tls: targets[1].port, closed: await freePort() };
const servers = await Promise.all([startReference(), startCluster({ flags: ['--token-auth-file', writeTokens(folder), '--kubelet-certificate-authority='] })]);
try {
  const all = allRequests(ports);
  const requests = only === undefined ? all : new Map([...all].filter(([name]) => only.test(name)));
  await Promise.all(servers.map(({ url }) => prepare(url, address, ports)));
  const [reference, ours] = await Promise.all(servers.map(({ url }) => askAll(url, requests)));
  if (process.argv.includes('--record')) recordPages(reference ?? new Map());
  let differences = 0;
  let known = 0;
  for (const name of requests.keys()) {
    const [wanted, got] = [reference?.get(name), ours?.get(name)];
    if (isDeepStrictEqual(wanted, got)) continue;
    if (explained.some(({ names }) => names.test(name))) {
      known++;
      continue;
    }
    differences++;
    process.stdout.write(`${name}\n  reference ${JSON.stringify(wanted).slice(0, 1500)}\n  ours      ${JSON.stringify(got).slice(0, 1500)}\n`);
  }
  process.stdout.write(`proxies: ${requests.size} requests, ${differences} differences, ${known} explained\n`);
  process.exitCode = differences === 0 ? 0 : 1;
} finally {
  await Promise.all([...servers.map((server) => server.close()), ...targets.map((target) => target.close())]);
  rmSync(folder, { recursive: true, force: true });
}
