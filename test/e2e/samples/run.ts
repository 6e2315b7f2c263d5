/**
 * Installs the packed package into copies of `test/samples` and runs their tests: as they are, then eight files of ten
 * tests in parallel, several times; each run has to end by itself, and to leave nothing. Then in watch mode with a test
 * that fails and one that throws in a hook, and with an interrupt, in watch mode and while a test waits.
 * Where there is a Go, the tests of the sample for kubebuilder run several times, too.
 * Usage: run.ts [--times N] [node-test | vitest | jest | kubebuilder]…
 */
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installInto, pack, runIn } from '#test/e2e/package/packed.ts';
import { hostsGone, hostsOf, startRunner, type Runner } from './runner.ts';
import { dialects, testFile, type Behaviour, type Sample } from './test-files.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '5' } },
});
const isChosen = (name: string): boolean => positionals.length === 0 || positionals.includes(name);
const samples: readonly Sample[] = (['node-test', 'vitest', 'jest'] as const).filter(isChosen);
const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-samples-'));
const files = 8;
/** What a runner prints when a run in watch mode is over. */
const runOver: Readonly<Record<Sample, RegExp>> = {
  'node-test': /duration_ms \d/,
  vitest: /(?:Waiting|Watching) for file changes/,
  jest: /Ran all test suites/,
};
let failures = 0;

function report(what: string, wrong: string): void {
  if (wrong !== '') failures++;
  process.stdout.write(`${wrong === '' ? 'ok' : 'FAILED'}: ${what}${wrong === '' ? '' : `\n${wrong}`}\n`);
}

/** Runs a step; an error is what is wrong. */
async function step(what: string, play: () => Promise<string>): Promise<void> {
  report(what, await play().catch((error: Error) => error.message));
}

class Copy {
  readonly #sample: Sample;
  readonly #path: string;
  #notes = 0;

  constructor(sample: Sample) {
    this.#sample = sample;
    this.#path = join(folder, sample);
    cpSync(join(import.meta.dirname, '..', '..', 'samples', sample), this.#path, { recursive: true });
  }

  async install(packed: string): Promise<void> {
    const { code, stderr } = await runIn(this.#path, 'npm', ['install', '--no-audit', '--no-fund', packed]);
    if (code !== 0) throw new Error(`npm install failed:\n${stderr}`);
  }

  write(name: string, notes: string, behaviour: Behaviour): void {
    writeFileSync(join(this.#path, dialects[this.#sample].file(name)), testFile(this.#sample, notes, behaviour));
  }

  remove(name: string): void {
    rmSync(join(this.#path, dialects[this.#sample].file(name)), { force: true });
  }

  newNotes(): string {
    return join(folder, `${this.#sample}-${++this.#notes}.txt`);
  }

  start(script: 'test' | 'watch'): Runner {
    return startRunner(this.#path, script);
  }

  /** One run from its start to its end. */
  async run(wantedCode: 0 | 1, hosts: number, notes: string): Promise<string> {
    const runner = this.start('test');
    const code = await runner.ended;
    await hostsGone(notes);
    const found = hostsOf(notes).length;
    if (code !== wantedCode) return `ended with ${code ?? 'SIGKILL, as it did not end by itself'}:\n${runner.output()}`;
    return found === hosts ? '' : `the files had ${found} hosts, not ${hosts}`;
  }

  async playParallel(times: number): Promise<void> {
    for (let time = 1; time <= times; time++) {
      const notes = this.newNotes();
      for (let at = 0; at < files; at++) this.write(`load-${at}`, notes, 'passes');
      await step(`${this.#sample}: ${files} files of ten tests, run ${time}`, async () => this.run(0, 1, notes));
    }
    for (let at = 0; at < files; at++) this.remove(`load-${at}`);
  }

  async playFailures(): Promise<void> {
    for (const behaviour of ['fails', 'throws in a hook'] as const) {
      const notes = this.newNotes();
      this.write('bad', notes, behaviour);
      await step(`${this.#sample}: a test that ${behaviour}`, async () => this.run(1, 1, notes));
    }
    const notes = this.newNotes();
    this.write('bad', notes, 'never ends');
    await step(`${this.#sample}: an interrupt while a test waits`, async () => this.#interrupt(notes));
    this.remove('bad');
  }

  async #interrupt(notes: string): Promise<string> {
    const runner = this.start('test');
    while (hostsOf(notes).length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    runner.signal('SIGINT');
    const code = await runner.ended;
    await hostsGone(notes);
    return code === undefined ? `did not end:\n${runner.output()}` : '';
  }

  /** Changes a test file while the runner watches it: all runs have one host, which ends with the runner. */
  async playWatch(): Promise<void> {
    const notes = this.newNotes();
    const over = runOver[this.#sample];
    await step(`${this.#sample}: watch mode keeps the host, and ends with an interrupt`, async () => {
      this.write('bad', notes, 'passes');
      const runner = this.start('watch');
      let runs = 0;
      for (const behaviour of ['fails', 'throws in a hook', 'passes'] as const) {
        await runner.printed(over, ++runs);
        this.write('bad', notes, behaviour);
      }
      await runner.printed(over, ++runs);
      const hosts = hostsOf(notes);
      runner.signal('SIGINT');
      const code = await runner.ended;
      await hostsGone(notes);
      if (code === undefined) return `did not end:\n${runner.output()}`;
      return hosts.length === 1 ? '' : `${runs} runs had ${hosts.length} hosts:\n${runner.output()}`;
    });
    this.remove('bad');
  }
}

/** Tests of controller-runtime in Go, with the programs of the package. */
async function playGo(packed: string, times: number): Promise<void> {
  const [programs, project] = [join(folder, 'programs'), join(folder, 'kubebuilder')];
  await installInto(programs, packed);
  cpSync(join(import.meta.dirname, '..', '..', 'samples', 'kubebuilder'), project, { recursive: true });
  const there = readdirSync(project);
  const env = { XDG_CACHE_HOME: folder };
  const { stdout } = await runIn(programs, 'npx', ['quarterdeck', 'envtest'], { env });
  for (let time = 1; time <= times; time++)
    await step(`kubebuilder: the tests of the sample, run ${time}`, async () => {
      const tested = await runIn(project, 'go', ['test', '-count=1', './...'], {
        env: { KUBEBUILDER_ASSETS: stdout.trim() },
      });
      const left = readdirSync(project).filter((name) => !there.includes(name));
      if (left.length > 0) return `left in the working directory: ${left.join(' ')}`;
      return tested.code === 0 ? '' : tested.stdout + tested.stderr;
    });
}

try {
  const packed = await pack(folder);
  for (const sample of samples) {
    const copy = new Copy(sample);
    await copy.install(packed);
    await step(`${sample}: the tests of the sample`, async () => copy.run(0, 0, copy.newNotes()));
    await copy.playParallel(Number(values.times));
    await copy.playFailures();
    await copy.playWatch();
  }
  if (isChosen('kubebuilder')) {
    if ((await runIn(folder, 'go', ['version'])).code === 0) await playGo(packed, Number(values.times));
    else process.stdout.write('!!! LEFT OUT: the sample for kubebuilder: there is no go\n');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;
