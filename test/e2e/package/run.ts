/**
 * Packs what `dist/` holds, installs it in an empty project, and uses it there by commands and imports, under the
 * oldest Node.js that runs it, this one, and one that is too old. Takes other releases of Node.js from the registry.
 * Usage: run.ts
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#test/free-port.ts';
import { environmentFor, installInto, installNode, pack, runIn, type Ended } from './packed.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const mostBytes = 50_000_000;
const firstUses = 4;
const readyWithinMs = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-package-'));
const project = join(folder, 'project');
const dist = join(project, 'node_modules', 'quarterdeck', 'dist');
let failures = 0;

function check(what: string, isGood: boolean, output: unknown = ''): void {
  if (!isGood) failures++;
  process.stdout.write(`${isGood ? 'ok' : 'FAILED'}: ${what}${isGood ? '' : `\n${String(output)}`}\n`);
}

const words = ({ code, stdout, stderr }: Ended): string => `code ${code}\n${stdout}${stderr}`;

/** What a folder takes on the disk. */
function bytesOf(path: string): number {
  const own = lstatSync(path);
  const below = own.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0) : 0;
  return own.blocks * 512 + below;
}

function checkInstalled(): void {
  const bytes = bytesOf(join(project, 'node_modules'));
  check(`the project takes ${Math.round(bytes / 1e6)} MB`, bytes <= mostBytes, `${bytes} bytes`);
  check('the project gets no node of its own', !existsSync(join(project, 'node_modules', '.bin', 'node')));
  const needless = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(map|cache|tmp)$/.test(name),
  );
  check('the package holds neither source maps nor code caches', needless.length === 0, needless);
}

/** `npx quarterdeck` in an empty folder, with flags, until it is ready and is ended by SIGTERM. */
async function checkCommand(packed: string, node: string, version: string): Promise<void> {
  const cwd = mkdtempSync(join(folder, 'empty-'));
  const port = await freePort();
  const child = spawn('npx', ['--yes', '--package', packed, 'quarterdeck', '--secure-port', String(port)], {
    cwd,
    // Where npx installs what it runs.
    env: { ...environmentFor(node), npm_config_cache: join(folder, 'npx') },
    // A process group of its own, which gets the signal as from a terminal.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (more: string) => {
        text += more;
        if (text.includes(` is ready at https://127.0.0.1:${port} `)) resolve();
      });
  });
  const closed = once(child, 'close');
  const timer = setTimeout(() => child.kill('SIGKILL'), readyWithinMs);
  await Promise.race([ready, closed]);
  clearTimeout(timer);
  check(`npx quarterdeck is ready under ${version}`, text.includes(' is ready at '), text);
  check(
    `npx quarterdeck keeps its data in the folder where it runs`,
    existsSync(join(cwd, '.quarterdeck', 'kubeconfig')),
  );
  if (child.exitCode === null) process.kill(-(child.pid as number), 'SIGTERM');
  await closed;
}

async function checkTooOld(node: string): Promise<void> {
  const said = /^quarterdeck: Node\.js \d+ or later is needed, and this is \d\S+; .*npm install node@\d+.*\n$/;
  const command = await runIn(project, 'npx', ['quarterdeck'], { node });
  check(
    'an older Node.js tells which one the command needs',
    command.code === 1 && said.test(command.stderr),
    words(command),
  );
  const test = await runIn(project, 'node', ['use.mjs'], { node });
  check(
    'an older Node.js tells which one tests need',
    /needs Node\.js \d+ or later, and this is \d/.test(test.stderr),
    words(test),
  );
}

const use = `
const clusters = await Promise.all([startCluster(), startCluster()]);
if (new Set(clusters.map(({ url }) => url)).size !== 2) throw new Error('two clusters have one address');
await Promise.all(clusters.map((cluster) => cluster.close()));
console.log('used');
`;

async function checkImports(node: string, version: string): Promise<void> {
  for (const name of ['use.mjs', 'use.cjs']) {
    const used = await runIn(project, 'node', [name], { node });
    check(
      `${name} starts clusters under ${version} and ends`,
      used.stdout === 'used\n' && used.code === 0,
      words(used),
    );
  }
}

async function checkLoading(): Promise<void> {
  const look = `
    const before = [Reflect.ownKeys(globalThis), Object.keys(process.env), process.eventNames()].flat().length;
    const modules = ['quarterdeck', 'quarterdeck/global-setup', 'quarterdeck/global-teardown'].map((name) => require(name));
    const after = [Reflect.ownKeys(globalThis), Object.keys(process.env), process.eventNames()].flat().length;
    console.log(after - before, process.getActiveResourcesInfo().length, modules.map((each) => Object.keys(each).join()).join(' '));`;
  const loaded = await runIn(project, 'node', ['-e', look]);
  check(
    'importing patches nothing and starts nothing',
    loaded.stdout === '0 0 startCluster default,globalSetup,globalTeardown default\n',
    words(loaded),
  );
}

const typed = (take: (from: string) => string): string => `${take('quarterdeck')}
const cluster: TestCluster = await startCluster({ flags: ['--v=1'] });
const changed: number = await cluster.rollback(await cluster.mark());
// @ts-expect-error Flags are a list.
void startCluster({ flags: 1 });
console.log(changed);
`;

async function checkTypes(): Promise<void> {
  writeFileSync(
    join(project, 'typed.mts'),
    `import setUp, { globalSetup } from 'quarterdeck/global-setup';
import tearDown from 'quarterdeck/global-teardown';
${typed((from) => `import { startCluster, type TestCluster } from '${from}';`)}
{ await using other = await startCluster(); console.log(other.url, setUp, globalSetup, tearDown); }
`,
  );
  writeFileSync(
    join(project, 'typed.cts'),
    `import setUp = require('quarterdeck/global-setup');
async function main(): Promise<void> {
${typed((from) => `const { startCluster } = require('${from}') as typeof import('${from}');`).replace('TestCluster', "import('quarterdeck').TestCluster")}
console.log(setUp.default); }
void main();
`,
  );
  const common = [
    '--noEmit',
    '--strict',
    '--target',
    'es2024',
    '--lib',
    'es2024',
    '--types',
    'node',
    '--typeRoots',
    join(root, 'node_modules', '@types'),
  ];
  for (const [module, resolution] of [
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['preserve', 'bundler'],
  ] as const) {
    const files = module === 'preserve' ? ['typed.mts'] : ['typed.mts', 'typed.cts'];
    const settings = [...common, '--module', module, '--moduleResolution', resolution];
    const compiled = await runIn(project, join(root, 'node_modules', '.bin', 'tsc'), [...settings, ...files]);
    check(`declarations are found by ${resolution}`, compiled.code === 0, words(compiled));
  }
}

const hostCaches = (): string[] => readdirSync(dist).filter((name) => /^host\.js\.\w+\.cache/.test(name));

/** Hosts end after the processes that started them. */
async function hostsEnded(): Promise<void> {
  const running = async (): Promise<boolean> =>
    (await runIn(project, 'ps', ['-A', '-o', 'args='])).stdout.includes(dist);
  while (await running()) await sleep(50);
}

/** Processes that are the first to use an installed package, all at once. */
async function checkFirstUses(): Promise<void> {
  const uses = await Promise.all(Array.from({ length: firstUses }, () => runIn(project, 'node', ['use.mjs'])));
  check(
    `${firstUses} first uses at once succeed`,
    uses.every(({ code }) => code === 0),
    uses.map(words).join('\n'),
  );
  await hostsEnded();
  check('they leave one code cache', /^\S+\.cache$/.test(hostCaches().join(' ')), hostCaches().join(' '));
  const writtenMs = (): number => statSync(join(dist, hostCaches()[0] ?? '')).mtimeMs;
  const before = writtenMs();
  const again = await runIn(project, 'node', ['use.mjs']);
  check('a later use takes the code cache of an earlier one', again.code === 0 && writtenMs() === before, words(again));
}

try {
  const [packed, oldest, tooOld] = await Promise.all([
    pack(folder),
    installNode(join(folder, 'oldest'), '24'),
    installNode(join(folder, 'too-old'), '20'),
  ]);
  await installInto(project, packed);
  writeFileSync(join(project, 'use.mjs'), `import { startCluster } from 'quarterdeck';\n${use}`);
  writeFileSync(
    join(project, 'use.cjs'),
    `const { startCluster } = require('quarterdeck');\n(async () => {${use}})();\n`,
  );
  checkInstalled();
  await checkFirstUses();
  await checkTooOld(tooOld);
  for (const [node, version] of [
    [oldest, 'Node.js 24'],
    [process.execPath, `Node.js ${process.versions.node}`],
  ] as const) {
    await checkImports(node, version);
    await checkCommand(packed, node, version);
  }
  await checkLoading();
  await checkTypes();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;
