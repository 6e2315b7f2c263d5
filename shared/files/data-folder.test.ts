import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { ensureDataFolder } from './data-folder.ts';

const base = mkdtempSync(join(tmpdir(), 'data-folder-'));
after(() => rmSync(base, { recursive: true, force: true }));

const path = join(base, 'folder');
const rules = { flag: '--data-dir', marks: [join('pki', 'mark')], own: ['pki', 'run'] };

beforeEach(() => {
  rmSync(path, { recursive: true, force: true });
});

function makeWithMode(mode: number): void {
  mkdirSync(path);
  chmodSync(path, mode);
}

const modeNow = (): number => statSync(path).mode & 0o7777;

describe('ensureDataFolder', () => {
  test('makes a missing folder with mode 0700', () => {
    ensureDataFolder(path, rules);
    assert.equal(modeNow(), 0o700);
  });

  test('keeps the mode of an existing folder', () => {
    for (const mode of [0o700, 0o755, 0o750, 0o775, 0o2775]) {
      makeWithMode(mode);
      ensureDataFolder(path, rules);
      assert.equal(modeNow(), mode);
      rmSync(path, { recursive: true });
    }
  });

  test('rejects a folder that every user may write, and changes nothing in it', () => {
    for (const [mode, remedy] of [
      [0o1777, 'name a new folder, such as'],
      [0o777, 'chmod o-w it, or name a new folder, such as'],
      [0o2757, 'chmod o-w it, or name a new folder, such as'],
    ] as const) {
      makeWithMode(mode);
      // What was kept there before makes it no safer.
      mkdirSync(join(path, 'pki'));
      writeFileSync(join(path, 'pki', 'mark'), '');
      assert.throws(() => ensureDataFolder(path, rules), {
        name: 'UnusableFileError',
        message: `${path} may be written by every user (mode ${mode.toString(8)}): keys and data are not safe there; ${remedy} --data-dir ${path}/quarterdeck`,
      });
      assert.deepEqual([modeNow(), readdirSync(path)], [mode, ['pki']]);
      rmSync(path, { recursive: true });
    }
  });

  test('rejects a folder that other programs use, and names some of what it holds', () => {
    mkdirSync(join(path, 'conf.d'), { recursive: true });
    assert.throws(() => ensureDataFolder(path, rules), {
      name: 'UnusableFileError',
      message: `${path} holds what is not of Quarterdeck (such as conf.d): name an empty or a new folder with --data-dir`,
    });
    rmSync(path, { recursive: true });
    mkdirSync(path);
    for (let i = 0; i <= 20; i++) writeFileSync(join(path, `program-${i}`), '');
    assert.throws(() => ensureDataFolder(path, rules), /holds what is not of Quarterdeck \(such as program-\d+, /);
  });

  test('takes a folder with its own entries, hidden ones, and files that other flags name', () => {
    for (const name of ['run', 'lost+found', '.npm', 'certs']) mkdirSync(join(path, name), { recursive: true });
    writeFileSync(join(path, 'tokens.csv'), '');
    ensureDataFolder(path, { ...rules, named: [join(path, 'certs', 'tls.crt')] });
  });

  test('takes a folder that it used before, whatever was put there since', () => {
    for (const name of ['pki', 'backups']) mkdirSync(join(path, name), { recursive: true });
    writeFileSync(join(path, 'pki', 'mark'), '');
    ensureDataFolder(path, rules);
  });

  test('rejects the folders of the system', () => {
    for (const system of ['/', '/etc', '/usr', '/var', '/proc', '/sys', '/dev', '/tmp', '/dev/shm', '/dev/null']) {
      const before = statSync(system).mode;
      assert.throws(() => ensureDataFolder(system, rules), { name: 'UnusableFileError' }, system);
      assert.equal(statSync(system).mode, before, system);
    }
  });
});
