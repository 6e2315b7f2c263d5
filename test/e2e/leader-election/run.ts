// Runs upstream's kube-controller-manager and kube-scheduler, unmodified and two of each, with coordinated leader
// election against this server: one of each is elected by this server, and the other when that one is gone.
//   REFERENCE_BIN=FOLDER node --import tsx test/e2e/leader-election/run.ts
// Needs the bundles of dist (or QUARTERDECK_DIST), and root, for names of hosts.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { startOurs } from '#test/compare/pair.ts';
import { controllerManagerFlags } from '#test/e2e/controllers/control-plane.ts';
import { freePort } from '#test/free-port.ts';
import { startProgram, type Program } from '#test/program.ts';
import { referenceProgram } from '#test/reference.ts';

const gate = '--feature-gates=CoordinatedLeaderElection=true';
const names = ['kube-controller-manager', 'kube-scheduler'] as const;
type Name = (typeof names)[number];
const withinMs = 90_000;

const folder = mkdtempSync(join(tmpdir(), 'leader-election-'));
const server = await startOurs({ flags: [gate, '--runtime-config=coordination.k8s.io/v1beta1=true'] });
const running = new Map<string, Program>();

async function start(name: Name, host: string): Promise<void> {
  const shared =
    name === 'kube-controller-manager'
      ? await controllerManagerFlags(server)
      : [
          ...['--kubeconfig', '--authentication-kubeconfig', '--authorization-kubeconfig'].flatMap((flag) => [
            flag,
            server.kubeconfig,
          ]),
          '--bind-address',
          '127.0.0.1',
          '--secure-port',
          String(await freePort()),
        ];
  const program = [referenceProgram(name) ?? name, ...shared, gate];
  const [unshare, ...onHost] = ['unshare', '--uts', 'sh', '-c', 'hostname "$0" && exec "$@"', host] as const;
  running.set(`${name} ${host}`, startProgram(unshare, [...onHost, ...program], join(folder, `${name}-${host}.log`)));
}

/** The ends of what the programs printed. */
function logs(): string {
  const files = [...running.keys()].map((key) => join(folder, `${key.replace(' ', '-')}.log`));
  return files.map((file) => readFileSync(file, 'utf8').slice(-1500)).join('\n');
}

async function spec(name: Name): Promise<JsonObject> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/${name}`;
  const { body } = await server.json.call('GET', path);
  return objectAt(body as KubeObject, 'spec') ?? {};
}

async function holderUntil(name: Name, isSo: (holder: string) => boolean): Promise<string> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const holder = stringAt(await spec(name), 'holderIdentity');
    if (holder !== '' && isSo(holder)) return holder;
    if (performance.now() > deadline)
      throw new Error(`${name} is held by ${JSON.stringify(holder)}
${logs()}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

try {
  for (const name of names) for (const host of ['host-a', 'host-b']) await start(name, host);
  for (const name of names) {
    const first = await holderUntil(name, () => true);
    const { strategy } = await spec(name);
    if (strategy !== 'OldestEmulationVersion') throw new Error(`${name} was elected by ${JSON.stringify(strategy)}`);
    const host = first.startsWith('host-a') ? 'host-a' : 'host-b';
    await running.get(`${name} ${host}`)?.close();
    const second = await holderUntil(name, (holder) => !holder.startsWith(host));
    console.log(`${name}: ${first}, then ${second}`);
  }
} finally {
  await Promise.all([...running.values()].map((program) => program.close()));
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}
