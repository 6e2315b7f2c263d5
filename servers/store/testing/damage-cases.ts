import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

const pageBytes = 4096;

/** Kinds of damage to a file; each uses random numbers that the seed determines. */
const kinds = {
  bit: (file: Target) =>
    file.change(
      file.at(1),
      1,
      (bytes) => void (bytes[0] = (bytes[0] as number) ^ (1 << Math.floor(file.random() * 8))),
    ),
  bits: (file: Target) => {
    for (let i = 0; i < 100; i++) kinds.bit(file);
  },
  bytes: (file: Target) =>
    file.change(file.at(64), 64, (bytes) => {
      for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(file.random() * 256);
    }),
  zeroed: (file: Target) => file.change(file.page(), pageBytes, (bytes) => void bytes.fill(0)),
  /** A torn write: the second half of a page is that of another page. */
  torn: (file: Target) => {
    const other = file.read(file.page(), pageBytes);
    file.change(file.page(), pageBytes, (bytes) => void other.copy(bytes, pageBytes / 2, pageBytes / 2));
  },
  swapped: (file: Target) => {
    const [one, other] = [file.page(), file.page()];
    const [first, second] = [file.read(one, pageBytes), file.read(other, pageBytes)];
    file.change(one, pageBytes, (bytes) => void second.copy(bytes));
    file.change(other, pageBytes, (bytes) => void first.copy(bytes));
  },
  cut: (file: Target) => file.cut(file.at(1)),
} satisfies Record<string, (file: Target) => void>;

export type DamageKind = keyof typeof kinds;
export const damageKinds = Object.keys(kinds) as DamageKind[];

/** Copies the current files of a data directory, as a killed process would leave them. */
export function copyDataDir(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(from))
    if (name !== 'store.lock' && name !== 'store.reserve') copyFileSync(join(from, name), join(to, name));
}

/** Damages a file of a data directory in place, the same way for the same seed. */
export function damage(dataDir: string, name: string, kind: DamageKind, seed: number): void {
  const path = join(dataDir, name);
  if (!existsSync(path)) return;
  const file = new Target(path, seed);
  try {
    if (file.size >= 2 * pageBytes) kinds[kind](file);
  } finally {
    file.close();
  }
}

class Target {
  readonly size: number;
  readonly #file: number;
  #state: number;

  constructor(path: string, seed: number) {
    this.#file = openSync(path, 'r+');
    this.size = fstatSync(this.#file).size;
    this.#state = seed;
  }

  /** The random number generator mulberry32. */
  random(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  at(length: number): number {
    return Math.floor(this.random() * (this.size - length));
  }

  page(): number {
    return Math.floor(this.random() * Math.floor(this.size / pageBytes)) * pageBytes;
  }

  read(at: number, length: number): Buffer {
    const bytes = Buffer.alloc(length);
    readSync(this.#file, bytes, 0, length, at);
    return bytes;
  }

  change(at: number, length: number, edit: (bytes: Buffer) => void): void {
    const bytes = this.read(at, length);
    edit(bytes);
    writeSync(this.#file, bytes, 0, length, at);
  }

  cut(length: number): void {
    ftruncateSync(this.#file, length);
  }

  close(): void {
    closeSync(this.#file);
  }
}
