import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Snapshots } from './snapshots.ts';

/** Stands in for the program: `store snapshot save FILE --data-dir DIR [--with-pki]`. */
const program = `
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
const [, , , , , file, , dir, withPki] = process.argv;
if (existsSync(dir + '/full')) { process.stderr.write('store: the disk is full\\n'); process.exit(1); }
writeFileSync(file, '');
if (withPki) mkdirSync(file + '.pki');
`;

describe('Snapshots', () => {
  test(
    'saves at intervals that continue over restarts and removes old snapshots only after a success',
    { timeout: 60_000 },
    async () => {
      const home = mkdtempSync(join(tmpdir(), 'snapshots-'));
      const folder = join(home, 'kept');
      const reports: string[] = [];
      let nowMs = Date.UTC(2026, 0, 1);
      const intervalMs = 6 * 3_600_000;
      writeFileSync(join(home, 'program.mjs'), program);
      const options = {
        entry: join(home, 'program.mjs'),
        storeDir: home,
        folder,
        intervalMs,
        retention: 2,
        withPki: true,
        report: (line: string) => void reports.push(line),
      };
      const until = async (holds: () => boolean): Promise<void> => {
        while (!holds()) await pause(20);
      };
      try {
        // A clock that runs so fast that each look finds the next one due.
        const fastClock = (): number => (nowMs += intervalMs);
        const snapshots = new Snapshots(options, fastClock, fastClock);
        writeFileSync(join(folder, 'of-somebody-else.db'), '');
        // Of a process that was killed: no system gives out this id.
        for (const name of ['snapshot-20251231T000000Z.db', 'snapshot-20251231T000000Z.db.pki'])
          writeFileSync(join(folder, `${name}.4194305.part`), '');
        const made = (): string[] =>
          readdirSync(folder)
            .filter((name) => /^snapshot-.*\.db$/.test(name))
            .toSorted();
        await until(() => made().length > 0);
        const [first = ''] = made();
        await until(() => !made().includes(first));
        assert.ok(made().length >= 2);
        writeFileSync(join(home, 'full'), '');
        await until(() => reports.length > 0);
        snapshots.stop();
        assert.match(
          reports[0] ?? '',
          /kept\/snapshot-\d{8}T\d{6}Z\.db was not made, the next is tried in 21600 s: store: the disk is full$/,
        );
        const left = made();
        assert.equal(left.length, 2, 'a failure removes nothing');
        assert.deepEqual(
          readdirSync(folder).toSorted(),
          ['of-somebody-else.db', ...left.flatMap((name) => [name, `${name}.pki`])].toSorted(),
        );
        // The newest is a moment old: the next is due in six hours.
        rmSync(join(home, 'full'));
        const again = new Snapshots(options);
        await pause(500);
        again.stop();
        assert.deepEqual(made(), left);
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    },
  );

  test('replaces snapshots dated in the future when the clock was set back', { timeout: 60_000 }, async () => {
    const home = mkdtempSync(join(tmpdir(), 'snapshots-'));
    const folder = join(home, 'kept');
    writeFileSync(join(home, 'program.mjs'), program);
    const made = (): string[] => readdirSync(folder).toSorted();
    try {
      mkdirSync(folder);
      const ahead = ['snapshot-20990101T000000Z.db', 'snapshot-20990102T000000Z.db'];
      for (const name of ahead) {
        writeFileSync(join(folder, name), '');
        utimesSync(join(folder, name), 4_070_908_800, 4_070_908_800);
      }
      const snapshots = new Snapshots({
        entry: join(home, 'program.mjs'),
        storeDir: home,
        folder,
        intervalMs: 1000,
        retention: 2,
        withPki: false,
        report: assert.fail,
      });
      while (ahead.some((name) => made().includes(name)) || made().length < 2) await pause(20);
      snapshots.stop();
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
