// What many objects and many watches cost: memory of each over all processes, start and reads with them.
//   node --import tsx test/benchmark/stored-objects.ts [--pods 20000] [--configmaps 50000] [--only ours|reference] [--write]
// Takes some minutes. Fails when ours misses a target. --write puts the figures into README.md.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { referenceProgram } from '#test/reference.ts';
import { memoryMiB } from './processes.ts';
import { figureIn, kbenchOn, ours, reference, type RunningSubject, type Subject } from './subjects.ts';
import { writeFigures } from './write-figures.ts';

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '20000' },
    configmaps: { type: 'string', default: '50000' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
const pods = Number(values.pods);
const configMaps = Number(values.configmaps);
const settleMs = 2500;
const timed = ['-d', '3s'];
const reads = ['get', 'list500', 'watch'] as const;
type Reads = Readonly<Record<(typeof reads)[number], number>>;

interface Figures {
  readonly watchKiB: { readonly thousand: number; readonly fiveThousand: number };
  readonly listAllMiB: number;
  readonly before: Reads;
  readonly podKiB: number;
  readonly configMapKiB: number;
  readonly after: Reads;
  readonly restartMs: number;
  readonly restartedMiB: number;
}

async function fresh<T>(
  make: () => Subject | Promise<Subject>,
  use: (server: RunningSubject) => Promise<T>,
): Promise<T> {
  const subject = await make();
  try {
    const server = await subject.start();
    await sleep(settleMs);
    const result = await use(server);
    await server.stop();
    return result;
  } finally {
    await subject.end();
  }
}

async function cpuOfReads(server: RunningSubject): Promise<Reads> {
  const figures: Record<string, number> = {};
  // Unmeasured first, so that what is compiled meanwhile does not count for the server that has just started.
  for (const run of reads) await kbenchOn(server, ['-run', run, ...timed]);
  for (const run of reads) figures[run] = figureIn(await kbenchOn(server, ['-run', run, ...timed]), 'CPU');
  return figures as Reads;
}

async function measure(make: () => Subject | Promise<Subject>): Promise<Figures> {
  const idle = (watchers: number): Promise<number> =>
    fresh(make, async (server) =>
      figureIn(
        await kbenchOn(server, [
          '-run',
          'idlewatch',
          '-watchers',
          String(watchers),
          '-conns',
          String(Math.ceil(watchers / 90)),
        ]),
        'KiB',
      ),
    );
  const watchKiB = { thousand: await idle(1000), fiveThousand: await idle(5000) };
  const listAllMiB = await fresh(make, async (server) =>
    figureIn(await kbenchOn(server, ['-run', 'listall', '-objects', '5300', ...timed]), 'MiB'),
  );
  const before = await fresh(make, cpuOfReads);
  const subject = await make();
  try {
    let server = await subject.start();
    await sleep(settleMs);
    const podKiB = figureIn(await kbenchOn(server, ['-run', 'fillpods', '-objects', String(pods)]), 'KiB');
    const configMapKiB = figureIn(
      await kbenchOn(server, ['-run', 'fillconfigmaps', '-objects', String(configMaps)]),
      'KiB',
    );
    const after = await cpuOfReads(server);
    await server.stop();
    server = await subject.start();
    const restartMs = server.readyMs;
    await sleep(settleMs);
    const restartedMiB = memoryMiB(Object.values(server.pids));
    await server.stop();
    return { watchKiB, listAllMiB, before, podKiB, configMapKiB, after, restartMs, restartedMiB };
  } finally {
    await subject.end();
  }
}

const own = values.only === 'reference' ? undefined : await measure(ours);
const theirs =
  values.only === 'ours' || referenceProgram('kube-apiserver') === undefined ? undefined : await measure(reference);
let missed = false;
function row(
  what: string,
  of: (figures: Figures) => number,
  most: number | undefined,
  aim = most === undefined ? '' : `≤ ${most}`,
): string {
  const [mine, other] = [own && of(own), theirs && of(theirs)];
  const fits = mine === undefined || most === undefined || mine <= most;
  if (!fits) missed = true;
  const show = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(value < 100 ? 1 : 0));
  return `| ${what} | ${fits ? show(mine) : `**${show(mine)}**`} | ${show(other)} | ${aim} |`;
}
const slower = reads.map((run) =>
  row(
    `CPU of ${run} with them, to that without`,
    ({ before, after }) => after[run] / before[run],
    run === 'watch' ? undefined : 1.2,
  ),
);
const table = [
  `${pods} pods and ${configMaps} ConfigMaps, ${new Date().toISOString().slice(0, 10)}:`,
  '',
  '| | ours | reference | target |',
  '|---|---|---|---|',
  row('KiB a watch, 1,000 idle', ({ watchKiB }) => watchKiB.thousand, 40),
  row('KiB a watch, 5,000 idle', ({ watchKiB }) => watchKiB.fiveThousand, 40),
  row(
    'MiB while 5,300 pods are listed at 32 clients',
    ({ listAllMiB }) => listAllMiB,
    theirs && theirs.listAllMiB * 0.4,
    '≤ 0.4 of the reference',
  ),
  row('KiB a pod, all processes', ({ podKiB }) => podKiB, 12),
  row('KiB a ConfigMap, all processes', ({ configMapKiB }) => configMapKiB, 7),
  ...slower,
  row('ms to ready again with them', ({ restartMs }) => restartMs, 5000),
  row('MiB after that, before anybody reads', ({ restartedMiB }) => restartedMiB, undefined),
].join('\n');
console.log(table);
if (values.write) writeFigures('stored objects', table);
if (missed) process.exitCode = 1;
