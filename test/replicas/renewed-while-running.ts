// The launcher's certificates fall due some seconds after a start: it makes them anew under load, and no request fails.
//   node --import tsx test/replicas/renewed-while-running.ts [--due 20]
// Needs the bundles of dist.
import { X509Certificate } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { parseArgs } from 'node:util';
import { ensureCertificates, nextRenewal } from '#servers/launcher/pki/pki.ts';
import { validityAt } from '#servers/launcher/pki/validity.ts';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { http1Client, http2Client } from '#test/api-client.ts';
import type { ApiClient } from '#test/api-client.ts';
import { startCluster } from '#test/cluster.ts';

const { values } = parseArgs({ options: { due: { type: 'string', default: '20' } } });
const dueMs = Number(values.due) * 1000;
const afterMs = 10_000;
const day = 86_400_000;

const folder = mkdtempSync(join(tmpdir(), 'renewed-running-'));
const dataDir = join(folder, 'data');
const pki = pkiPaths(join(dataDir, 'pki'));
mkdirSync(dataDir, { recursive: true, mode: 0o700 });
const failures: string[] = [];
let requests = 0;

/** The serial number of the certificate that a new connection is shown. */
function shown(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(`${url}/readyz`, { ca: readFileSync(pki.caCert), agent: false }, (answer) => {
      const { serialNumber } = (answer.socket as TLSSocket).getPeerCertificate();
      answer.resume();
      resolve(serialNumber);
    })
      .on('error', reject)
      .end();
  });
}

async function load(client: ApiClient, name: string, stopped: AbortSignal): Promise<void> {
  const path = '/api/v1/namespaces/default/configmaps';
  for (let i = 0; !stopped.aborted; i++) {
    for (const [method, target, body, wanted] of [
      ['POST', path, { metadata: { name: `${name}-${i}` } }, 201],
      ['GET', `${path}/${name}-${i}`, undefined, 200],
      ['DELETE', `${path}/${name}-${i}`, undefined, 200],
    ] as const) {
      requests++;
      const failure = await client.send(method, target, body === undefined ? {} : { body }).then(
        ({ status, text }) => (status === wanted ? '' : `${status} ${text.slice(0, 200)}`),
        (error: unknown) => (error as Error).message,
      );
      if (failure !== '') failures.push(`${method} ${target}: ${failure}`);
    }
  }
}

try {
  // A first start makes what the launcher wants; then the same is made as of so long ago that it falls due soon.
  const first = await startCluster({ dataDir, bundled: true });
  await first.close();
  const { subjectAltName = '' } = new X509Certificate(readFileSync(pki.servingCert));
  const hosts = subjectAltName.split(', ').map((name) => name.replace(/^(?:DNS|IP Address):/, ''));
  for (const name of readdirSync(pki.directory).filter((each) => !each.startsWith('sa.')))
    rmSync(join(pki.directory, name));
  const madeAt = new Date(Date.now() - (365 - 60) * day + dueMs);
  ensureCertificates(pki, hosts, madeAt, (now, days) => validityAt(now, days, now.getTime()));
  const inMs = nextRenewal(pki) - Date.now();
  const cluster = await startCluster({ dataDir, bundled: true });
  const clients = [http1Client(cluster), http2Client(cluster)];
  const stopped = new AbortController();
  try {
    const before = await shown(cluster.url);
    const running = clients.map((client, index) => load(client, `client-${index}`, stopped.signal));
    while (!cluster.output().includes('certificates were renewed')) {
      if (performance.now() > inMs + dueMs + 60_000) throw new Error(`nothing was renewed:\n${cluster.output()}`);
      await sleep(200);
    }
    await sleep(afterMs);
    stopped.abort();
    await Promise.all(running);
    if ((await shown(cluster.url)) === before) failures.push('new connections are shown the old certificate');
    if ((cluster.output().match(/certificates were renewed/g) ?? []).length !== 1)
      failures.push(`not one line:\n${cluster.output()}`);
    const kubeconfig = readFileSync(join(dataDir, 'kubeconfig'), 'utf8');
    if (!kubeconfig.includes(readFileSync(pki.adminCert).toString('base64')))
      failures.push('the kubeconfig has the old certificate');
  } finally {
    for (const client of clients) client.close();
    await cluster.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  failures.length === 0
    ? `renewed while running: none of ${requests} requests failed`
    : `FAILED:\n${failures.slice(0, 20).join('\n')}`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
