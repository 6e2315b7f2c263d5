// Attacks by way of an authorization webhook: it answers gigabytes, never ends, hangs or resets while many requests
// wait for it, and its configuration changes all the time. Nobody gets in, all others are served, no process ends:
//   node --import tsx test/robustness/attacks/identity/authorizers/run.ts [--bounded]
// Needs the bundles of dist (or QUARTERDECK_DIST). `--bounded` judges how long the administrator waits, too.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster } from '#test/cluster.ts';
import { sendJson, serverAt, type Server } from '#test/compare/exchange.ts';
import { adminToken, bobToken, writeTokens } from '#test/tokens.ts';

const isBounded = process.argv.includes('--bounded');
const requests = 240;
const reloads = 40;
const betweenReloadsMs = 60;
const servedWithinMs = 3_000;
const folder = mkdtempSync(join(tmpdir(), 'authorizers-'));
const file = join(folder, 'authorization.json');
const kubeconfig = join(folder, 'kubeconfig');
let misbehave: (response: ServerResponse) => void = deny;

function deny(response: ServerResponse): void {
  response.end('{"status":{"allowed":false,"denied":true}}');
}

/** Answers as `status` says, after which the body goes on for as long as it is read. */
function endless(status: string): (response: ServerResponse) => void {
  return (response) => {
    const blanks = ' '.repeat(1024 * 1024);
    const more = (): void => void (response.destroyed || response.write(blanks, () => setImmediate(more)));
    response.write(`{"status":${status}`);
    more();
  };
}

const behaviours: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'allows in an answer without an end': endless('{"allowed":true}'),
  hangs: () => undefined,
  resets: (response) => void response.socket?.resetAndDestroy(),
  'allows and denies': (response) => response.end('{"status":{"allowed":true,"denied":true}}'),
  'allows with an error': (response) => response.writeHead(500).end('{"status":{"allowed":true}}'),
  'allows in another kind': (response) =>
    response.end('{"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","status":{"allowed":true}}'),
  'allows in text that is no JSON': (response) => response.end('{"status":{"allowed":true}'),
  denies: deny,
};

function configure(...last: readonly object[]): void {
  const webhook = {
    timeout: '1s',
    subjectAccessReviewVersion: 'v1',
    failurePolicy: 'Deny',
    cacheUnauthorizedRequests: false,
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: kubeconfig },
  };
  const text = JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthorizationConfiguration',
    authorizers: [{ type: 'Webhook', name: 'w', webhook }, ...last],
  });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** Many requests of somebody who has no rights; meanwhile the administrator is served. */
async function attack(what: string, bobs: readonly Server[], admin: Server): Promise<void> {
  const asked = Array.from({ length: requests }, (_, index) => {
    const bob = bobs[index % bobs.length] as Server;
    return sendJson(bob, 'GET', `/api/v1/namespaces/n${index}/pods`);
  });
  const startMs = performance.now();
  assert.equal((await sendJson(admin, 'GET', '/api/v1/namespaces')).status, 200, what);
  const servedMs = performance.now() - startMs;
  assert.ok(!isBounded || servedMs < servedWithinMs, `${what}: the administrator waited ${Math.round(servedMs)} ms`);
  const codes = new Set((await Promise.all(asked)).map(({ status }) => status));
  assert.ok(
    [...codes].every((code) => code === 403 || code === 500),
    `${what}: ${[...codes].join(' ')}`,
  );
  console.log(`${what}: ${[...codes].join(' ')}, the administrator waited ${Math.round(servedMs)} ms`);
}

const reviewer = createServer((request, response) => {
  request.resume();
  misbehave(response);
});
reviewer.listen(0, '127.0.0.1');
await once(reviewer, 'listening');
writeFileSync(
  kubeconfig,
  `current-context: c\ncontexts: [{name: c, context: {cluster: k}}]\nclusters: [{name: k, cluster: {server: "http://127.0.0.1:${(reviewer.address() as AddressInfo).port}"}}]\n`,
);
configure();
const cluster = await startCluster({
  bundled: true,
  flags: ['--token-auth-file', writeTokens(folder), `--authorization-config=${file}`],
});
try {
  // Each has eight connections: all requests wait at the same time.
  const bobs = Array.from({ length: requests / 8 }, () => serverAt(cluster.url, bobToken));
  const admin = serverAt(cluster.url, adminToken);
  for (const [name, behaviour] of Object.entries(behaviours)) {
    misbehave = behaviour;
    await attack(name, bobs, admin);
  }
  const last = { type: 'AlwaysAllow', name: 'alwaysallow' };
  const changes = (async () => {
    // What allows everything comes after what denies everything.
    for (let change = 0; change < reloads; change++) {
      configure(...(change % 2 === 0 ? [last] : []));
      await sendJson(admin, 'GET', '/api/v1/namespaces');
      await sleep(betweenReloadsMs);
    }
  })();
  for (let round = 0; round < 5; round++) await attack(`reloads, round ${round}`, bobs, admin);
  await changes;
  assert.doesNotMatch(cluster.output(), /ended \(/);
} finally {
  await cluster.close();
  reviewer.closeAllConnections();
  reviewer.close();
  rmSync(folder, { recursive: true, force: true });
}
