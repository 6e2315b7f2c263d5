// Tokens that are bound to a service account, a pod, a secret and a node, used at two gateways a hundred times a second
// while that object is deleted, and made again under its name:
//   node --import tsx test/replicas/bound-tokens.ts [--within SECONDS]
// Afterwards every request is a 401 and every TokenReview of the core a refusal. `--within` judges how soon: the last
// request that was let in has to be sent at most so long after the answer to the deletion; 1 on a quiet machine.
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { http1Client, http2Client, type ApiClient } from '#test/api-client.ts';
import { freePort } from '#test/free-port.ts';
import { ServerFolders, startProgram } from '#test/robustness/setups/server-folder.ts';
import { writeTokens } from '#test/tokens.ts';

const { values: flags } = parseArgs({ options: { within: { type: 'string' } } });
const withinMs = flags.within === undefined ? undefined : Number(flags.within) * 1000;
const everyMs = 20;
const beforeMs = 2000;
const afterMs = 3000;
/** After this time nothing may be let in, however busy the machine is: a token is checked again by then. */
const latestMs = 11_000;
const kinds = ['ServiceAccount', 'Pod', 'Secret', 'Node'] as const;
type Kind = (typeof kinds)[number];

const namespace = '/api/v1/namespaces/default';
const pathOf: Readonly<Record<Kind, string>> = {
  ServiceAccount: `${namespace}/serviceaccounts`,
  Pod: `${namespace}/pods`,
  Secret: `${namespace}/secrets`,
  Node: '/api/v1/nodes',
};

const root = mkdtempSync(join(tmpdir(), 'bound-tokens-'));
const { urls, pki, stop } = await startServers();
const admin = http2Client({ url: urls[0] ?? '', pki });
try {
  let failed = false;
  for (const kind of kinds) {
    const { lastMs, let200, reviewMs } = await deleteUnderLoad(kind);
    const bad = Math.max(lastMs, reviewMs) > (withinMs ?? latestMs) || let200 === 0;
    failed ||= bad;
    const times = `requests ${Math.round(lastMs)} ms, reviews ${Math.round(reviewMs)} ms`;
    console.log(
      `${bad ? 'FAILED' : 'ok'} ${kind}: ${let200} requests before; last let in after the deletion: ${times}`,
    );
  }
  process.exitCode = failed ? 1 : 0;
} finally {
  admin.close();
  await stop();
  rmSync(root, { recursive: true, force: true });
}

interface Outcome {
  readonly lastMs: number;
  readonly let200: number;
  readonly reviewMs: number;
}

async function deleteUnderLoad(kind: Kind): Promise<Outcome> {
  const name = `bound-${kind.toLowerCase()}`;
  const account = kind === 'ServiceAccount' ? name : 'user';
  if (kind !== 'ServiceAccount') await created('ServiceAccount', account, true);
  await created(kind, name);
  const token = await tokenFor(account, kind, name);
  const clients = urls.flatMap((url) => [http1Client({ url, pki }, { token }), http2Client({ url, pki }, { token })]);
  const load = { over: false, letIn: [] as number[], reviewed: [] as number[] };
  const running = [...clients.map((client, index) => use(client, index, load)), reviewOften(token, load)];
  await sleep(beforeMs);
  const { status, text } = await admin.send('DELETE', `${pathOf[kind]}/${name}?gracePeriodSeconds=0`);
  const deletedMs = performance.now();
  if (status !== 200) throw new Error(`deleting ${name}: ${status} ${text}`);
  await created(kind, name);
  await sleep(afterMs);
  load.over = true;
  await Promise.all(running);
  for (const client of clients) client.close();
  const after = (times: readonly number[]): number => Math.max(0, (times.at(-1) ?? 0) - deletedMs);
  return {
    lastMs: after(load.letIn.toSorted((a, b) => a - b)),
    let200: load.letIn.length,
    reviewMs: after(load.reviewed),
  };
}

interface Load {
  over: boolean;
  /** When the requests that were let in were sent. */
  readonly letIn: number[];
  readonly reviewed: number[];
}

/** Sends a request each 40 ms, whether or not those before are answered. */
async function use(client: ApiClient, index: number, load: Load): Promise<void> {
  await sleep(index * 10);
  const pending = new Set<Promise<void>>();
  while (!load.over) {
    const sentMs = performance.now();
    const one = client.send('GET', '/api').then(({ status, text }) => {
      if (status === 200) load.letIn.push(sentMs);
      else if (status !== 401) throw new Error(`${status} ${text}`);
    });
    pending.add(one);
    void one.finally(() => pending.delete(one)).catch(() => undefined);
    await sleep(2 * everyMs);
  }
  await Promise.all(pending);
}

async function reviewOften(token: string, load: Load): Promise<void> {
  while (!load.over) {
    const sentMs = performance.now();
    const { json } = await admin.send('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } },
    });
    if (json.status?.authenticated === true) load.reviewed.push(sentMs);
    await sleep(everyMs);
  }
}

async function created(kind: Kind, name: string, mayExist = false): Promise<void> {
  const spec = kind === 'Pod' ? { spec: { serviceAccountName: 'user', containers: [{ name: 'c', image: 'i' }] } } : {};
  const { status, text } = await admin.send('POST', pathOf[kind], {
    body: { apiVersion: 'v1', kind, metadata: { name }, ...spec },
  });
  if (status !== 201 && !(mayExist && status === 409)) throw new Error(`creating ${name}: ${status} ${text}`);
}

async function tokenFor(account: string, kind: Kind, name: string): Promise<string> {
  const bound = kind === 'ServiceAccount' ? {} : { boundObjectRef: { apiVersion: 'v1', kind, name } };
  const { status, text, json } = await admin.send('POST', `${namespace}/serviceaccounts/${account}/token`, {
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: bound },
  });
  if (status !== 201) throw new Error(`a token for ${name}: ${status} ${text}`);
  return json.status.token as string;
}

/** A store, a core, an extensions server and two gateways. */
async function startServers(): Promise<{ urls: string[]; pki: string; stop: () => Promise<void> }> {
  const ports = [await freePort(), await freePort()];
  const folders = await ServerFolders.make(root, ports[0] ?? 0);
  const etcd = `http://127.0.0.1:${await freePort()}`;
  const store = ['store', '--data-dir', join(root, 'store'), '--listen-client-urls', etcd];
  const backends = [
    startProgram('store', store, join(root, 'store.clock')),
    ...(['core', 'extensions'] as const).map((name) => {
      symlinkSync(folders.socket('gateway-1', 'gateway'), folders.socket(name, 'gateway'));
      return folders.start(name, name, ['--etcd-servers', etcd]);
    }),
  ];
  const gateways = ports.map((port, index) => {
    const name = `gateway-${index + 1}`;
    for (const server of ['core', 'extensions'] as const)
      symlinkSync(folders.socket(server, server), folders.socket(name, server));
    const tokens = writeTokens(folders.folder(name));
    const own = ['--secure-port', String(port), '--etcd-servers', etcd, '--token-auth-file', tokens];
    return folders.start('gateway', name, own);
  });
  const all = [...gateways, ...backends.toReversed()];
  await Promise.all(all.map((process) => process.ready()));
  return {
    urls: ports.map((port) => `https://127.0.0.1:${port}`),
    pki: folders.pki,
    async stop() {
      for (const process of all) await process.stop();
    },
  };
}
