// Two gateways of their own, restarted one after the other under load, four times; no request may fail:
//   node --import tsx test/replicas/several-gateways.ts [KBENCH]
// First behind a TCP balancer that asks /readyz, then on one port (`--permit-port-sharing`).
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#test/free-port.ts';
import { referenceProgram } from '#test/reference.ts';
import type { SupervisedProcess } from '#test/robustness/faults/supervised-process.ts';
import { ServerFolders, startProgram } from '#test/robustness/setups/server-folder.ts';
import { writeTokens } from '#test/tokens.ts';
import { SteadyLoad } from './steady-load.ts';
import { TcpBalancer } from './tcp-balancer.ts';

const restarts = 4;
const askEveryMs = 300;
/** More than the balancer needs to learn that one is going. */
const shutdownDelay = '4s';
const betweenRestartsMs = 1_000;
const kbench = process.argv[2] ?? referenceProgram('kbench');
if (kbench === undefined) throw new Error('there is no kbench: REFERENCE_BIN names its folder');

for (const way of ['balancer', 'one port'] as const) {
  const failures = await restartUnderLoad(way, kbench);
  console.log(
    failures.length === 0
      ? `${way}: ${restarts} restarts, 0 failed requests`
      : `${way}: FAILED:\n${failures.join('\n')}`,
  );
  if (failures.length > 0) process.exitCode = 1;
}

async function restartUnderLoad(way: 'balancer' | 'one port', program: string): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'gateways-'));
  const own = await freePort();
  const ports = way === 'balancer' ? [own, await freePort()] : [own, own];
  const folders = await ServerFolders.make(root, own);
  const etcd = `http://127.0.0.1:${await freePort()}`;
  const backends = [
    startProgram(
      'store',
      ['store', '--data-dir', join(root, 'store'), '--listen-client-urls', etcd],
      join(root, 'store.clock'),
    ),
    ...(['core', 'extensions'] as const).map((name) => {
      symlinkSync(folders.socket('gateway-1', 'gateway'), folders.socket(name, 'gateway'));
      return folders.start(name, name, ['--etcd-servers', etcd]);
    }),
  ];
  const gateways = ports.map((port, index) => {
    const name = `gateway-${index + 1}`;
    for (const server of ['core', 'extensions'] as const)
      symlinkSync(folders.socket(server, server), folders.socket(name, server));
    const flags = [
      '--secure-port',
      String(port),
      '--etcd-servers',
      etcd,
      '--token-auth-file',
      writeTokens(folders.folder(name)),
      '--shutdown-delay-duration',
      shutdownDelay,
    ];
    return folders.start('gateway', name, way === 'balancer' ? flags : [...flags, '--permit-port-sharing']);
  });
  const balancer = way === 'balancer' ? new TcpBalancer({ targets: ports, everyMs: askEveryMs }) : undefined;
  try {
    await Promise.all([...backends, ...gateways].map((process) => process.ready()));
    const port = (await balancer?.open()) ?? own;
    const isBack = async (index: number): Promise<void> => {
      while (balancer?.isGreen(ports[index] ?? 0) === false) await sleep(20);
    };
    await Promise.all([isBack(0), isBack(1)]);
    const load = new SteadyLoad({ url: `https://127.0.0.1:${port}`, pki: folders.pki }, program);
    await load.start();
    for (let count = 0; count < restarts; count++) {
      await sleep(betweenRestartsMs);
      await restart(gateways[count % 2]);
      await isBack(count % 2);
    }
    return await load.stop();
  } finally {
    balancer?.close();
    for (const process of [...gateways, ...backends.toReversed()]) await process.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

/** As a supervisor asks it to; it is started again when it has ended. */
async function restart(gateway: SupervisedProcess | undefined): Promise<void> {
  const pid = gateway?.pid;
  if (gateway === undefined || pid === undefined) throw new Error('the gateway is not running');
  const started = performance.now();
  process.kill(pid, 'SIGTERM');
  while (gateway.pid === pid || !gateway.serves) await sleep(20);
  console.log(`${gateway.name} ${pid} ended and another serves after ${Math.round(performance.now() - started)} ms`);
}
