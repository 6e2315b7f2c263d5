import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { convertKeyFile } from './key-form.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { ensureCertificates } from './pki.ts';

const folder = mkdtempSync(join(tmpdir(), 'key-form-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The labels of RFC 5915 (SEC1) and RFC 5958 (PKCS#8). */
const sec1 = '-----BEGIN EC PRIVATE KEY-----\n';
const pkcs8 = '-----BEGIN PRIVATE KEY-----\n';

let count = 0;
/** Keys and certificates of a directory, with their EC keys in PKCS#8 as earlier releases wrote them. */
function oldDirectory() {
  const paths = pkiPaths(join(folder, String(count++)));
  ensureCertificates(paths, ['localhost']);
  const keys = keysOf(paths.directory);
  for (const path of keys) writeFileSync(path, inPkcs8(path));
  return { paths, keys };
}

function keysOf(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.key'))
    .map((name) => join(directory, name));
}

function inPkcs8(path: string): string {
  return createPrivateKey(readFileSync(path)).export({ type: 'pkcs8', format: 'pem' });
}

/** The key in a kubeconfig. */
function keyIn(kubeconfig: string): string {
  const data = /client-key-data: (\S+)/.exec(readFileSync(kubeconfig, 'utf8'))?.[1] ?? '';
  return Buffer.from(data, 'base64').toString();
}

/** Lets a write of the file fail as on a full disk. */
function fillDiskFor(path: string): void {
  symlinkSync('/dev/full', `${path}.${process.pid}.tmp`);
}

describe('form of private keys', () => {
  test('is SEC1 for every EC key of a new directory and for that in the kubeconfig', () => {
    const paths = pkiPaths(join(folder, String(count++)));
    ensureCertificates(paths, ['localhost']);
    const keys = keysOf(paths.directory);
    assert.equal(keys.length, 8);
    for (const path of keys) assert.ok(readFileSync(path, 'utf8').startsWith(sec1), path);
    const kubeconfig = join(folder, 'kubeconfig');
    writeKubeconfig(kubeconfig, 'https://127.0.0.1:6443', paths);
    assert.ok(keyIn(kubeconfig).startsWith(sec1));
  });

  test('is changed to SEC1 in an older directory, with the same keys, certificates and modes', () => {
    const { paths, keys } = oldDirectory();
    const before = keys.map((path) => createPrivateKey(readFileSync(path)));
    chmodSync(paths.adminKey, 0o640);
    assert.deepEqual(ensureCertificates(paths, ['localhost']), [], 'no certificate is renewed');
    for (const [at, path] of keys.entries()) {
      assert.ok(readFileSync(path, 'utf8').startsWith(sec1), path);
      assert.ok(before[at]?.equals(createPrivateKey(readFileSync(path))), path);
      assert.equal(statSync(path).mode & 0o777, path === paths.adminKey ? 0o640 : 0o600, path);
    }
    assert.deepEqual(
      readdirSync(paths.directory).filter((name) => name.endsWith('.tmp')),
      [],
    );
  });

  test('is changed behind a symbolic link, which stays', () => {
    const { paths } = oldDirectory();
    const real = join(folder, 'elsewhere.key');
    writeFileSync(real, readFileSync(paths.adminKey), { mode: 0o600 });
    rmSync(paths.adminKey);
    symlinkSync(real, paths.adminKey);
    ensureCertificates(paths, ['localhost']);
    assert.ok(lstatSync(paths.adminKey).isSymbolicLink());
    assert.ok(readFileSync(real, 'utf8').startsWith(sec1));
  });

  test('stays where a file holds more than the key, or a key that is not EC', () => {
    const { paths } = oldDirectory();
    const both = readFileSync(paths.backendKey, 'utf8') + readFileSync(paths.backendCert, 'utf8');
    writeFileSync(paths.backendKey, both);
    const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    const other = join(folder, 'ed25519.key');
    writeFileSync(other, ed25519);
    ensureCertificates(paths, ['localhost']);
    convertKeyFile(other);
    assert.equal(readFileSync(paths.backendKey, 'utf8'), both);
    assert.equal(readFileSync(other, 'utf8'), ed25519);
  });

  test('stays on a full disk, where a start succeeds with the kubeconfig of an earlier release', () => {
    const { paths, keys } = oldDirectory();
    const kubeconfig = join(folder, 'kubeconfig-full');
    writeKubeconfig(kubeconfig, 'https://127.0.0.1:6443', paths);
    const old = readFileSync(kubeconfig, 'utf8').replace(
      /client-key-data: \S+/,
      `client-key-data: ${readFileSync(paths.adminKey).toString('base64')}`,
    );
    writeFileSync(kubeconfig, old);
    for (const path of [...keys, kubeconfig]) fillDiskFor(path);
    ensureCertificates(paths, ['localhost']);
    for (const path of keys) assert.ok(readFileSync(path, 'utf8').startsWith(pkcs8), path);
    writeKubeconfig(kubeconfig, 'https://127.0.0.1:6443', paths);
    assert.equal(readFileSync(kubeconfig, 'utf8'), old);
    fillDiskFor(kubeconfig);
    assert.throws(() => writeKubeconfig(kubeconfig, 'https://127.0.0.1:7443', paths), /disk is full/);
  });
});
