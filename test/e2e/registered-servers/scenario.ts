import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { freePort } from '#test/free-port.ts';
import type { Api } from './api-access.ts';
import { Background, writeServerFiles } from './extension-server.ts';
import type { ExtensionServer } from './extension-server.ts';
import type { Kubectl } from './kubectl.ts';
import { identityObjects, registrationObjects } from './registration.ts';
import type { Routing } from './registration.ts';

export interface ScenarioOptions {
  readonly kubectl: Kubectl;
  readonly server: ExtensionServer;
  readonly routing: Routing;
  readonly api: Api;
  /** An address of this machine that an EndpointSlice may hold. */
  readonly host: string;
  readonly say: (line: string) => void;
}

const recoverWithinMs = 10_000;

/**
 * A server is registered, used with kubectl, killed and started again. Rejects at the first thing that is not as it
 * should be.
 */
export async function runScenario({ kubectl, server, routing, api, host, say }: ScenarioOptions): Promise<void> {
  await kubectl.apply(...identityObjects(server));
  const token = (await kubectl.must('create', 'token', server.name, '-n', server.name)).trim();
  const ca = await createTestCa('CN=extension-ca');
  const serving = await ca.issue(`CN=${server.name}`, 'server', undefined, `${server.name}.${server.name}.svc`);
  const port = await freePort();
  const files = writeServerFiles({
    apiUrl: api.url,
    apiCa: api.caFile,
    token,
    cert: serving.cert,
    key: serving.key,
    host,
    port,
  });
  const start = async (): Promise<Background> => {
    const running = new Background(server.command(files), `${files.folder}/server.log`);
    try {
      await running.listening(host, port);
      return running;
    } catch (error) {
      await running.end('SIGKILL');
      throw error;
    }
  };
  let running = await start();
  try {
    await kubectl.apply(...registrationObjects(server, routing, { host, port, caBundle: ca.cert }));
    await kubectl.must('wait', '--for=condition=Available', '--timeout=30s', ...services(server));
    say(`registered: ${await availability(kubectl, server)}`);
    await use(kubectl, server, say);
    await running.end('SIGKILL');
    await checkAway(kubectl, api, server, say);
    running = await start();
    await recover(kubectl, api, server, say);
  } finally {
    await running.end('SIGKILL');
    await kubectl.run('delete', '--wait=false', ...services(server));
    await kubectl.run('delete', '--wait=false', 'namespace', server.name);
    files.remove();
  }
}

function services({ group, versions }: ExtensionServer): string[] {
  return versions.map((version) => `apiservice/${version}.${group}`);
}

async function use(kubectl: Kubectl, server: ExtensionServer, say: (line: string) => void): Promise<void> {
  const [version = ''] = server.versions;
  const type = `${server.resource}.${server.group}`;
  const listed = await kubectl.must('api-resources', '--api-group', server.group);
  assert.match(listed, new RegExp(`^${server.resource} .* ${server.kind}$`, 'm'));
  assert.match(
    await kubectl.must('explain', server.resource, '--api-version', `${server.group}/${version}`, '--recursive'),
    server.explained,
  );
  if (server.readOnly === true) {
    assert.match((await kubectl.run('get', type)).err, /^No resources found/);
    say('used: api-resources, explain, get');
    return;
  }
  const object = { apiVersion: `${server.group}/${version}`, kind: server.kind, ...server.example };
  await kubectl.apply({ ...object, metadata: { name: 'first', namespace: 'default' } });
  assert.match(await kubectl.must('get', type), /^first /m);
  assert.match(await kubectl.must('get', type, 'first', '-o', 'yaml'), /name: first/);
  const events = await kubectl.watch(['get', type, '--watch', '--output-watch-events', '--no-headers'], 4, async () => {
    await kubectl.apply({ ...object, metadata: { name: 'second', namespace: 'default' } });
    await kubectl.must('label', type, 'second', 'ripe=yes');
    await kubectl.must('delete', type, 'second');
  });
  assert.deepEqual(
    events
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/).slice(0, 2).join(' ')),
    ['ADDED first', 'ADDED second', 'MODIFIED second', 'DELETED second'],
  );
  say('used: api-resources, create, get, watch, label, delete, explain');
}

async function checkAway(
  kubectl: Kubectl,
  api: Api,
  server: ExtensionServer,
  say: (line: string) => void,
): Promise<void> {
  const since = Date.now();
  const [version = ''] = server.versions;
  const path = `/apis/${server.group}/${version}/namespaces/default/${server.resource}`;
  const first = await kubectl.run('get', '--raw', path);
  assert.match(first.err, /unavailable|unable to handle the request|connection refused/);
  await until('Available=False', async () => /False FailedDiscoveryCheck/.test(await availability(kubectl, server)));
  say(`killed: after ${Date.now() - since} ms ${await availability(kubectl, server)}`);
  assert.match(
    (await kubectl.run('get', '--raw', path)).err,
    /the server is currently unable to handle the request|service unavailable/,
  );
  await until('a stale mark', async () => (await api.freshness(server.group)).own === 'Stale');
  assert.equal((await api.freshness(server.group)).others, 'Current');
  await kubectl.must('get', 'deployments', '-A');
  // One that remembers a resource of the category `all` from before insists on it, with every server.
  const all = await kubectl.withoutMemory('get', 'all', '-n', 'default');
  assert.equal(all.code, 0, all.err);
  assert.match(all.out, /service\/kubernetes/);
  say(
    `while it is away: 503, its group stale, others current, kubectl get all works and says ${JSON.stringify(all.err.split('\n')[0])}`,
  );
}

async function recover(
  kubectl: Kubectl,
  api: Api,
  server: ExtensionServer,
  say: (line: string) => void,
): Promise<void> {
  const since = Date.now();
  await until('recovery', async () => (await kubectl.run('get', `${server.resource}.${server.group}`)).code === 0);
  const took = Date.now() - since;
  assert.ok(took < recoverWithinMs, `it took ${took} ms`);
  await until('a current mark', async () => (await api.freshness(server.group)).own === 'Current');
  say(`started again: used after ${took} ms, ${await availability(kubectl, server)}`);
}

/** Condition `Available` of the first version: status, reason, message. */
async function availability(kubectl: Kubectl, server: ExtensionServer): Promise<string> {
  const [name = ''] = services(server);
  return await kubectl.must(
    'get',
    name,
    '-o',
    'jsonpath={.status.conditions[0].status} {.status.conditions[0].reason} {.status.conditions[0].message}',
  );
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 45_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`there was no ${what} in time`);
    await pause(50);
  }
}
