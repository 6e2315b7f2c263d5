import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { readFrames } from './write-ahead-frames.ts';
import type { LogFrame, WriteAheadFrames } from './write-ahead-frames.ts';

/** SQLite's default, which the store does not change. */
const usualPageBytes = 4096;
const fileHeadBytes = 100;
const magic = Buffer.from('SQLite format 3\0');

/** Types of a page in the pointer map of a file (https://sqlite.org/fileformat2.html#pointer_map_or_ptrmap_pages). */
const rootPage = 1;
const freePage = 2;
const treePage = 5;
/** Offset of the bytes that SQLite locks; the page that contains it is never used. */
const lockedByte = 0x4000_0000;

/**
 * The pages of a database with its write-ahead log, read without SQLite, which fails on everything below a damaged
 * inner page of a B-tree, or on the whole file.
 */
export class PageImages implements Disposable {
  readonly pageBytes: number;
  /** Bytes of a page that SQLite uses. */
  readonly usableBytes: number;
  readonly count: number;
  readonly #database: number;
  readonly #log: number | undefined;
  readonly #frames: WriteAheadFrames = { whole: [], damaged: [], unfinished: [] };
  readonly #newest = new Map<number, number>();
  readonly #doubtful = new Map<number, number>();
  readonly #listedFree: ReadonlySet<number>;
  readonly #hasMap: boolean;

  constructor(databasePath: string) {
    this.#database = openSync(databasePath, 'r');
    const head = Buffer.alloc(fileHeadBytes);
    readSync(this.#database, head, 0, fileHeadBytes, 0);
    const isWhole = head.subarray(0, magic.length).equals(magic);
    this.pageBytes = isWhole ? pageBytesOf(head.readUInt16BE(16)) : usualPageBytes;
    this.usableBytes = this.pageBytes - (isWhole && (head[20] as number) < 32 ? (head[20] as number) : 0);
    const logPath = `${databasePath}-wal`;
    if (existsSync(logPath)) {
      this.#log = openSync(logPath, 'r');
      this.#frames = readFrames(this.#log, fstatSync(this.#log).size, this.pageBytes);
      for (const { page, at } of this.#frames.whole) this.#newest.set(page, at);
      for (const { page, at } of [...this.#frames.damaged, ...this.#frames.unfinished]) this.#doubtful.set(page, at);
    }
    this.count = this.#frames.whole.reduce(
      (most, { page }) => Math.max(most, page),
      Math.ceil(fstatSync(this.#database).size / this.pageBytes),
    );
    const first = this.page(1);
    // If the file header is damaged, the pointer map is assumed: stores create their files with one.
    this.#hasMap = first?.subarray(0, magic.length).equals(magic) !== true || first.readUInt32BE(52) !== 0;
    this.#listedFree = this.#walkFreeList(first);
  }

  /** Whether some pages have a frame that is damaged or belongs to an unfinished commit. */
  get hasDoubtful(): boolean {
    return this.#doubtful.size > 0;
  }

  /**
   * The newest intact version of a page; undefined behind the end. Missing bytes at the end of a truncated file are
   * zero.
   * @param doubtful whether a frame that is damaged, or of an unfinished commit, is preferred
   */
  page(number: number, doubtful = false): Buffer | undefined {
    const at = (doubtful ? this.#doubtful.get(number) : undefined) ?? this.#newest.get(number);
    if (number < 1 || (number > this.count && at === undefined)) return undefined;
    const bytes = Buffer.alloc(this.pageBytes);
    if (at !== undefined) readSync(this.#log as number, bytes, 0, this.pageBytes, at);
    else readSync(this.#database, bytes, 0, this.pageBytes, (number - 1) * this.pageBytes);
    return bytes;
  }

  /** Pages that probably hold rows of a table, including those in damaged frames of the write-ahead log. */
  *leaves(): Iterable<Buffer> {
    for (let number = 2; number <= this.count; number++) {
      const bytes = this.page(number);
      if (bytes !== undefined && this.#mayBeLeaf(number, bytes)) yield bytes;
    }
    yield* this.#leavesOf(this.#frames.damaged);
  }

  /** The leaf pages in the frames of an unfinished commit. */
  unfinishedLeaves(): Iterable<Buffer> {
    return this.#leavesOf(this.#frames.unfinished);
  }

  *#leavesOf(frames: readonly LogFrame[]): Iterable<Buffer> {
    for (const { page, at } of frames) {
      const bytes = Buffer.alloc(this.pageBytes);
      readSync(this.#log as number, bytes, 0, this.pageBytes, at);
      if (isLeaf(bytes, this.#kindOf(page))) yield bytes;
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#database);
    if (this.#log !== undefined) closeSync(this.#log);
  }

  /** Whether a page may be a leaf. Free pages are excluded: they contain removed rows. */
  #mayBeLeaf(number: number, bytes: Buffer): boolean {
    const kind = this.#kindOf(number);
    return kind !== freePage && !this.#listedFree.has(number) && isLeaf(bytes, kind);
  }

  #kindOf(number: number): number | undefined {
    if (!this.#hasMap) return undefined;
    const mapped = Math.floor(this.usableBytes / 5) + 1;
    let map = Math.floor((number - 2) / mapped) * mapped + 2;
    if (map === lockedByte / this.pageBytes + 1) map++;
    return number <= map ? undefined : this.page(map)?.[5 * (number - map - 1)];
  }

  #walkFreeList(first: Buffer | undefined): ReadonlySet<number> {
    const free = new Set<number>();
    for (let trunk = first?.readUInt32BE(32) ?? 0; trunk !== 0 && !free.has(trunk);) {
      const bytes = this.page(trunk);
      if (bytes === undefined) break;
      free.add(trunk);
      const leaves = Math.min(bytes.readUInt32BE(4), Math.floor(this.usableBytes / 4) - 2);
      for (let i = 0; i < leaves; i++) free.add(bytes.readUInt32BE(8 + 4 * i));
      trunk = bytes.readUInt32BE(0);
    }
    return free;
  }
}

/**
 * Whether a page is a leaf by its first byte or, if that may be damaged, by the pointer map. A page that begins with 0
 * never counts: it may be an overflow page, whose bytes a client chose.
 */
function isLeaf(bytes: Buffer, kind: number | undefined): boolean {
  return bytes[0] === 0x0d || (bytes[0] !== 0 && (kind === treePage || kind === rootPage));
}

function pageBytesOf(stored: number): number {
  const bytes = stored === 1 ? 65_536 : stored;
  return bytes >= 512 && (bytes & (bytes - 1)) === 0 ? bytes : usualPageBytes;
}
