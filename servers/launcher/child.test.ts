import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, mock, test } from 'node:test';
import { Child, type ChildOptions } from './child.ts';

const folder = mkdtempSync(join(tmpdir(), 'child-'));
const entry = join(folder, 'entry.mjs');
/** Sends a message, unless it is `none`, and ends with a code; without one it runs until SIGTERM, or even longer. */
writeFileSync(
  entry,
  `const [, , name, message, end] = process.argv;
   const leave = () => {
     if (end === 'deaf') process.on('SIGTERM', () => {});
     if (end === 'deaf' || end === 'stays') setInterval(() => {}, 1000);
     else process.exit(Number(end));
   };
   if (message === 'none') leave();
   else process.send({ type: message, reason: 'no ' + name }, leave);`,
);

/** What a child reported, one promise for each line. */
class Reports {
  readonly lines: string[] = [];
  readonly lost: string[] = [];
  #tell = Promise.withResolvers<void>();

  child(argv: readonly string[], more: Partial<ChildOptions> = {}): Child {
    const told = (list: string[], line: string): void => {
      list.push(line);
      this.#tell.resolve();
      this.#tell = Promise.withResolvers<void>();
    };
    return new Child({
      name: 'core',
      entry,
      argv,
      report: (line) => told(this.lines, line),
      onLost: (why) => told(this.lost, why),
      ...more,
    });
  }

  next(): Promise<void> {
    return this.#tell.promise;
  }
}

describe('Child', () => {
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('doubles the pause before each restart up to a second, and begins anew after a healthy run', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const lastsMs = [0, 0, 0, 0, 0, 30_000, 30_001, 0];
    const clock = lastsMs.flatMap((ms) => [0, ms]);
    mock.method(performance, 'now', () => clock.shift() ?? 0);
    const reports = new Reports();
    const child = reports.child(['ready', '7']);
    for (const _ of lastsMs) {
      await reports.next();
      mock.timers.tick(reports.lines.length < lastsMs.length ? 1000 : 0);
    }
    child.kill();
    assert.deepEqual(
      reports.lines,
      [100, 200, 400, 800, 1000, 1000, 100, 200].map((ms) => `core ended (code 7), starting it again in ${ms} ms`),
    );
  });

  test('is not restarted if it ended before it was ready, and tells why', async () => {
    const reports = new Reports();
    await assert.rejects(reports.child(['failed', '1'], { replica: 2 }).ready, {
      message: 'core-2 ended (code 1) before it was ready: no core',
    });
    await assert.rejects(reports.child(['none', '1'], { replica: 1 }).ready, {
      message: 'core ended (code 1) before it was ready',
    });
    assert.deepEqual([reports.lines, reports.lost], [[], []]);
  });

  for (const code of [65, 78])
    test(`is not restarted after exit code ${code}`, async () => {
      const reports = new Reports();
      const child = reports.child(['ready', String(code)]);
      await child.ready;
      await reports.next();
      assert.deepEqual([reports.lines, reports.lost], [[], [`core ended (code ${code}) and cannot go on`]]);
    });

  test('is not restarted when it was stopped', async () => {
    const reports = new Reports();
    const child = reports.child(['ready', 'stays']);
    await child.ready;
    await child.stop(60_000);
    assert.deepEqual([reports.lines, reports.lost], [[], []]);
    await child.stop(60_000);
  });

  test('is not restarted, and reports nothing, where a supervisor signals it before the launcher', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const reports = new Reports();
    const child = reports.child(['ready', '0']);
    await child.ready;
    const isOver = Promise.withResolvers<void>();
    const other = reports.child(['failed', '1']);
    other.ready.catch(() => isOver.resolve());
    await isOver.promise;
    child.announceEnd();
    await child.stop(10_000);
    mock.timers.tick(1_000);
    assert.deepEqual([reports.lines, reports.lost], [[], []]);
  });

  test('is killed when it does not end in time', async () => {
    const reports = new Reports();
    const child = reports.child(['ready', 'deaf']);
    await child.ready;
    await child.stop(50);
    assert.deepEqual([reports.lines, reports.lost], [[], []]);
  });

  test('tells once that the child accepts no more connections: when it says so while it is stopped', async () => {
    let told = 0;
    const child = new Reports().child(['not-accepting', 'stays'], { onNotAccepting: () => told++ });
    await child.stop(10_000);
    await child.stop(10_000);
    assert.equal(told, 1);
  });

  test('is not started again while what it needs is gone, and tells so once', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const needed = join(folder, 'needed');
    writeFileSync(needed, '');
    const reports = new Reports();
    const needs = [{ path: needed, remedy: 'put it back' }];
    const child = reports.child(['ready', '1'], { needs });
    await child.ready;
    rmSync(needed);
    await reports.next();
    mock.timers.tick(100);
    mock.timers.tick(1_000);
    mock.timers.tick(1_000);
    assert.deepEqual(reports.lines, [
      'core ended (code 1), starting it again in 100 ms',
      `core cannot be started again, as ${needed} is gone: put it back`,
    ]);
    await child.stop(10_000);
  });

  test('ends everything when it would lose data by a start', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const reports = new Reports();
    const path = join(folder, 'missing');
    const child = reports.child(['ready', '1'], { needs: [{ path, remedy: 'put it back', isFatal: true }] });
    await child.ready;
    await reports.next();
    mock.timers.tick(100);
    assert.deepEqual(reports.lost, [`core cannot be started again, as ${path} is gone: put it back`]);
    await child.stop(10_000);
  });
});
