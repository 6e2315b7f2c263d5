import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** A data directory in which one thing is wrong. */
export interface UnfitCase {
  readonly name: string;
  /** Makes it wrong. @param dataDir of a cluster that ran and ended */
  readonly spoil: (dataDir: string) => void;
  /** What the line has to name, below the data directory. */
  readonly file: string;
  readonly cause: RegExp;
  readonly remedy: RegExp;
  /** Below the data directory, instead of itself. */
  readonly dataDir?: string;
  /** Further flags; `%` stands for the data directory. */
  readonly flags?: readonly string[];
}

type Spoil = UnfitCase['spoil'];

/** Where `process.geteuid()` is root, no mode keeps anybody out; in this folder of Linux nobody can make anything. */
export const unwritableFolder = '/sys/quarterdeck';

const emptied =
  (file: string): Spoil =>
  (dataDir) =>
    writeFileSync(join(dataDir, file), '');
const garbled =
  (file: string): Spoil =>
  (dataDir) =>
    writeFileSync(join(dataDir, file), '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n');
const removed =
  (...files: readonly string[]): Spoil =>
  (dataDir) => {
    for (const file of files) rmSync(join(dataDir, file), { recursive: true });
  };
const replacedBy =
  (other: string, file: string): Spoil =>
  (dataDir) =>
    copyFileSync(join(dataDir, other), join(dataDir, file));
const madeFile =
  (file: string): Spoil =>
  (dataDir) => {
    rmSync(join(dataDir, file), { recursive: true, force: true });
    mkdirSync(dirname(join(dataDir, file)), { recursive: true });
    writeFileSync(join(dataDir, file), 'x');
  };
const madeFolder =
  (file: string): Spoil =>
  (dataDir) => {
    rmSync(join(dataDir, file), { recursive: true, force: true });
    mkdirSync(join(dataDir, file));
  };
const overwritten =
  (file: string, at: number, length: number): Spoil =>
  (dataDir) => {
    const opened = openSync(join(dataDir, file), 'r+');
    writeSync(opened, Buffer.alloc(length, 0xa5), 0, length, at);
    closeSync(opened);
  };

const backup = /put both files of the authority back from a backup/;
const again = /remove \S+ and \S+, and both are made anew/;
const signer = /put it back from a backup; or remove \S+.*, and both are made anew, which ends all tokens/;
const copy =
  /"quarterdeck store verify" lists what is damaged; make a new data directory .* "quarterdeck store snapshot restore"/;

/** Met by the launcher, before any server starts. */
export const unfitForLauncher: readonly UnfitCase[] = [
  {
    name: 'the data directory is a file',
    spoil: madeFile('file'),
    dataDir: 'file',
    file: 'file',
    cause: /is a file where a folder is needed/,
    remedy: /name another folder/,
  },
  {
    name: 'the data directory lies below a file',
    spoil: madeFile('file'),
    dataDir: 'file/data',
    file: 'file/data',
    cause: /lies below a file/,
    remedy: /name another folder/,
  },
  {
    name: 'the data directory is a link to itself',
    spoil: (dataDir) => symlinkSync('loop', join(dataDir, 'loop')),
    dataDir: 'loop',
    file: 'loop',
    cause: /is a link that leads to itself|is a file where/,
    remedy: /remove the link|name another/,
  },
  {
    name: 'the folder of sockets is a file',
    spoil: madeFile('run'),
    file: 'run',
    cause: /is a file where a folder is needed/,
    remedy: /move it away/,
  },
  {
    name: 'the folder of keys is a file',
    spoil: madeFile('pki'),
    file: 'pki',
    cause: /is a file where a folder is needed/,
    remedy: /move it away/,
  },
  { name: 'ca.crt is empty', spoil: emptied('pki/ca.crt'), file: 'pki/ca.crt', cause: /is empty/, remedy: backup },
  {
    name: 'ca.crt is a folder',
    spoil: madeFolder('pki/ca.crt'),
    file: 'pki/ca.crt',
    cause: /is a folder where a file is needed/,
    remedy: /move it away/,
  },
  {
    name: 'ca.crt holds a key',
    spoil: replacedBy('pki/ca.key', 'pki/ca.crt'),
    file: 'pki/ca.crt',
    cause: /holds no certificate/,
    remedy: backup,
  },
  {
    name: 'ca.crt is gone',
    spoil: removed('pki/ca.crt'),
    file: 'pki/ca.crt',
    cause: /is missing beside \S+ca\.key/,
    remedy: backup,
  },
  {
    name: 'ca.key is gone',
    spoil: removed('pki/ca.key'),
    file: 'pki/ca.key',
    cause: /is missing beside \S+ca\.crt/,
    remedy: backup,
  },
  {
    name: 'ca.key is garbled',
    spoil: garbled('pki/ca.key'),
    file: 'pki/ca.key',
    cause: /holds no private key that can be read/,
    remedy: backup,
  },
  {
    name: 'ca.key is that of another authority',
    spoil: replacedBy('pki/front-proxy-ca.key', 'pki/ca.key'),
    file: 'pki/ca.key',
    cause: /is not the key of \S+ca\.crt/,
    remedy: backup,
  },
  {
    name: 'front-proxy-ca.key is gone',
    spoil: removed('pki/front-proxy-ca.key'),
    file: 'pki/front-proxy-ca.key',
    cause: /is missing beside/,
    remedy: backup,
  },
  {
    name: 'front-proxy-ca.key is empty',
    spoil: emptied('pki/front-proxy-ca.key'),
    file: 'pki/front-proxy-ca.key',
    cause: /is empty/,
    remedy: backup,
  },
  {
    name: 'apiserver.crt is empty',
    spoil: emptied('pki/apiserver.crt'),
    file: 'pki/apiserver.crt',
    cause: /is empty/,
    remedy: again,
  },
  {
    name: 'apiserver.key is that of another certificate',
    spoil: replacedBy('pki/admin.key', 'pki/apiserver.key'),
    file: 'pki/apiserver.key',
    cause: /is not the key of \S+apiserver\.crt/,
    remedy: again,
  },
  {
    name: 'backend.key is garbled',
    spoil: garbled('pki/backend.key'),
    file: 'pki/backend.key',
    cause: /holds no private key/,
    remedy: again,
  },
  {
    name: 'sa.key is garbled',
    spoil: garbled('pki/sa.key'),
    file: 'pki/sa.key',
    cause: /holds no private key/,
    remedy: signer,
  },
  { name: 'sa.key is empty', spoil: emptied('pki/sa.key'), file: 'pki/sa.key', cause: /is empty/, remedy: signer },
  {
    name: 'sa.key is gone',
    spoil: removed('pki/sa.key'),
    file: 'pki/sa.key',
    cause: /is missing beside sa\.pub/,
    remedy: signer,
  },
  {
    name: 'sa.pub is empty',
    spoil: emptied('pki/sa.pub'),
    file: 'pki/sa.pub',
    cause: /is empty/,
    remedy: /remove it, and it is made of \S+sa\.key/,
  },
  {
    name: 'sa.pub is that of another key',
    spoil: replacedBy('pki/ca.crt', 'pki/sa.pub'),
    file: 'pki/sa.pub',
    cause: /does not hold the public key of \S+sa\.key/,
    remedy: /remove it, and it is made of/,
  },
  {
    name: 'the key named by --tls-private-key-file is that of another certificate',
    spoil: () => undefined,
    flags: ['--tls-cert-file', '%/pki/apiserver.crt', '--tls-private-key-file', '%/pki/admin.key'],
    file: 'pki/admin.key',
    cause: /is not the key of \S+apiserver\.crt/,
    remedy: /name a certificate and its own key/,
  },
];

/** Met by the store. */
export const unfitForStore: readonly UnfitCase[] = [
  {
    name: 'the folder of the store is a file',
    spoil: madeFile('store'),
    file: 'store',
    cause: /is a file where a folder is needed/,
    remedy: /move it away/,
  },
  {
    name: 'store.db is a folder',
    spoil: madeFolder('store/store.db'),
    file: 'store/store.db',
    cause: /is a folder where a file is needed/,
    remedy: /move it away/,
  },
  {
    name: 'store.lock is no lock',
    spoil: (dataDir) => writeFileSync(join(dataDir, 'store/store.lock'), 'x'.repeat(4096)),
    file: 'store/store.lock',
    cause: /is no lock: /,
    remedy: /remove it/,
  },
  {
    name: 'store.lock is a folder',
    spoil: madeFolder('store/store.lock'),
    file: 'store/store.lock',
    cause: /is a folder where a file is needed/,
    remedy: /move it away/,
  },
  {
    name: 'the head of store.db is overwritten',
    spoil: overwritten('store/store.db', 0, 100),
    file: 'store/store.db',
    cause: /is damaged: file is not a database/,
    remedy: copy,
  },
  {
    name: 'pages of store.db are overwritten',
    spoil: overwritten('store/store.db', 4096, 3 * 4096),
    file: 'store/store.db',
    cause: /is damaged/,
    remedy: copy,
  },
  {
    name: 'store.db is cut',
    spoil: (dataDir) =>
      truncateSync(join(dataDir, 'store/store.db'), Math.floor(statSync(join(dataDir, 'store/store.db')).size / 2)),
    file: 'store/store.db',
    cause: /is damaged/,
    remedy: copy,
  },
  {
    name: 'store.db is empty',
    spoil: emptied('store/store.db'),
    file: 'store/store.db',
    cause: /is damaged: it ends at revision 1, and writes up to revision \d+ were acknowledged/,
    remedy: copy,
  },
  {
    name: 'store.db is gone',
    spoil: removed('store/store.db'),
    file: 'store/store.db',
    cause: /is damaged: it ends at revision 1, and/,
    remedy: copy,
  },
];

/** What a store that was killed leaves: its write-ahead log. */
export const cutLog: UnfitCase = {
  name: 'the write-ahead log is cut',
  spoil: (dataDir) => truncateSync(join(dataDir, 'store/store.db-wal'), 32),
  file: 'store/store.db',
  cause: /is damaged: .*write-ahead log is damaged or missing|is damaged/,
  remedy: copy,
};

export function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.isDirectory()) copyFolder(join(from, entry.name), join(to, entry.name));
    else if (entry.isFile()) copyFileSync(join(from, entry.name), join(to, entry.name));
  }
}

/** What is wrong with `line` as an answer to the case; empty when nothing is. */
export function judgeLine(line: string, unfit: UnfitCase, dataDir: string): string {
  const faults = [
    line.includes('\n') ? 'more than one line' : '',
    line.includes(join(dataDir, unfit.file)) ? '' : `it does not name ${unfit.file}`,
    unfit.cause.test(line) ? '' : `no cause ${unfit.cause}`,
    unfit.remedy.test(line) ? '' : `no remedy ${unfit.remedy}`,
  ].filter((fault) => fault !== '');
  return faults.length === 0 ? '' : `${faults.join(', ')}: ${line}`;
}
