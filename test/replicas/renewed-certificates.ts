// Serving certificate, its key and the client CAs are replaced five times a second under load, key first and
// certificate first, written in place and by renaming:
//   REFERENCE_BIN=FOLDER node --import tsx test/replicas/renewed-certificates.ts [seconds]
// No request fails, no process ends, and new handshakes show the new certificate. Needs the bundles of dist.
import { readFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { ensureCertificates, ensureServingPair } from '#servers/launcher/pki/pki.ts';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { startCluster, type Cluster } from '#test/cluster.ts';
import { referenceProgram } from '#test/reference.ts';
import { writeTokens } from '#test/tokens.ts';
import { SteadyLoad } from './steady-load.ts';

const everyMs = 200;
const pairs = 10;
const hosts = ['localhost', '127.0.0.1'];
const seconds = Number(process.argv[2] ?? 60);
const kbench = referenceProgram('kbench');
if (kbench === undefined) throw new Error('REFERENCE_BIN holds no kbench');

interface Pair {
  readonly cert: string;
  readonly key: string;
}

const folder = mkdtempSync(join(tmpdir(), 'renewed-'));
const dataDir = join(folder, 'data');
const pki = pkiPaths(join(dataDir, 'pki'));
mkdirSync(dataDir, { recursive: true });
ensureCertificates(pki, hosts);
const files = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key'), clientCa: join(folder, 'client-ca.crt') };
const made = Array.from({ length: pairs }, (_, index) => makePair(index));
const clientCas = [
  readFileSync(pki.caCert, 'utf8'),
  `${readFileSync(pki.caCert, 'utf8')}\n${(await createTestCa('CN=another')).cert}`,
];
await write(made[0] as Pair, 0);

const cluster = await startCluster({
  bundled: true,
  dataDir,
  flags: [
    '--tls-cert-file',
    files.cert,
    '--tls-private-key-file',
    files.key,
    '--client-ca-file',
    files.clientCa,
    '--token-auth-file',
    writeTokens(folder),
  ],
});
const load = new SteadyLoad(cluster, kbench);
const shown = new Set<string>();
let failures: string[] = [];
try {
  await load.start();
  const until = performance.now() + seconds * 1000;
  let over = false;
  const handshakes = shakeHands(cluster, () => over);
  for (let round = 1; performance.now() < until; round++) {
    const startedAt = performance.now();
    await write(made[round % pairs] as Pair, round);
    await sleep(Math.max(0, everyMs - (performance.now() - startedAt)));
  }
  over = true;
  failures = [...(await load.stop()), ...(await handshakes)];
  if (shown.size < pairs) failures.push(`${shown.size} of ${pairs} certificates were shown`);
  if (/ended \(/.test(cluster.output())) failures.push(`a process ended:\n${cluster.output()}`);
} finally {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}
console.log(
  failures.length === 0
    ? `renewed certificates: no request failed in ${seconds} s`
    : `FAILED:\n${failures.slice(0, 20).join('\n')}`,
);
process.exitCode = failures.length === 0 ? 0 : 1;

function makePair(index: number): Pair {
  const paths = { cert: join(folder, `pair-${index}.crt`), key: join(folder, `pair-${index}.key`) };
  ensureServingPair(pki, paths, hosts);
  return { cert: readFileSync(paths.cert, 'utf8'), key: readFileSync(paths.key, 'utf8') };
}

/**
 * Half of the time the key comes first, half of the time a file is replaced by another; the two do not fit for a while.
 */
async function write({ cert, key }: Pair, round: number): Promise<void> {
  const put = (path: string, text: string): void => {
    if (round % 4 < 2) return writeFileSync(path, text);
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  };
  const steps = [() => put(files.key, key), () => put(files.cert, cert)];
  for (const step of round % 2 === 0 ? steps : steps.toReversed()) {
    step();
    if (round > 0) await sleep(everyMs / 3);
  }
  put(files.clientCa, clientCas[round % clientCas.length] ?? '');
}

/** A new connection with the administrator's certificate for each request. */
async function shakeHands({ url, pki: directory }: Cluster, isOver: () => boolean): Promise<string[]> {
  const { caCert, adminCert, adminKey } = pkiPaths(directory);
  const credentials = { ca: readFileSync(caCert), cert: readFileSync(adminCert), key: readFileSync(adminKey) };
  const wrong: string[] = [];
  while (!isOver()) {
    const failure = await new Promise<string>((resolve) => {
      request(`${url}/api/v1/namespaces/default`, { ...credentials, agent: new Agent() }, (answer) => {
        shown.add((answer.socket as TLSSocket).getPeerCertificate().serialNumber);
        answer.resume();
        resolve(
          answer.statusCode === 200 ? '' : `a handshake with the administrator's certificate: ${answer.statusCode}`,
        );
      })
        .on('error', (error) => resolve(`a handshake: ${error.message}`))
        .end();
    });
    if (failure !== '') wrong.push(failure);
    await sleep(10);
  }
  return wrong;
}
