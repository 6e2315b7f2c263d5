import { createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';

/**
 * A private key in the PEM form that clients of every language read. fabric8 (Java) reads no EC key in PKCS#8 and no
 * client lacks SEC1; RSA keys in PKCS#8 are read everywhere.
 */
export function keyPem(key: KeyObject): string {
  return key.export({ type: key.asymmetricKeyType === 'ec' ? 'sec1' : 'pkcs8', format: 'pem' });
}

const loneKey = /^-----BEGIN PRIVATE KEY-----[^-]*-----END PRIVATE KEY-----\s*$/;

/**
 * Changes a file with an EC key in PKCS#8, as earlier releases made it, to the form of {@link keyPem}: the same key,
 * with the file's mode and owner, behind a link if the file is one. Any other content belongs to the user and stays. A
 * file that cannot be written (full disk, read-only volume) stays, too: the old form serves as well as before.
 */
export function convertKeyFile(path: string): void {
  if (!existsSync(path)) return;
  try {
    const pem = readFileSync(path, 'latin1');
    if (!loneKey.test(pem)) return;
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ec') replaceContents(realpathSync(path), keyPem(key));
  } catch {
    // A file that cannot be read is reported by the reader that needs the key.
  }
}

/** The bytes are on the disk before they get the file's name: with the key of an authority a cluster would be lost. */
function replaceContents(path: string, contents: string): void {
  const { mode, uid, gid } = statSync(path);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = openSync(temporary, 'w', 0o600);
    try {
      writeFileSync(file, contents);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    chownSync(temporary, uid, gid);
    chmodSync(temporary, mode & 0o7777);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
