import { readSync } from 'node:fs';

/** A version of a page in the write-ahead log. */
export interface LogFrame {
  readonly page: number;
  /** Offset of the page's bytes in the file. */
  readonly at: number;
}

export interface WriteAheadFrames {
  /** Intact frames in the order of writing; if none is damaged, only up to the last commit. */
  readonly whole: readonly LogFrame[];
  /** Frames whose checksum does not match. Rows in them may still be intact, by their own checksums. */
  readonly damaged: readonly LogFrame[];
  /**
   * Frames of a commit whose last frame is missing, as it was cut off or never written: intact ones, and possibly the
   * beginning of another.
   */
  readonly unfinished: readonly LogFrame[];
}

const logHeadBytes = 32;
const frameHeadBytes = 24;
const bigEndianSums = 0x377f_0683;

type Sums = readonly [number, number];

/**
 * Finds the frames of a write-ahead log (https://sqlite.org/fileformat2.html#walformat). SQLite stops at the first
 * damaged frame, since each checksum continues the previous one. The previous one is stored, so later frames can be
 * checked nevertheless.
 */
export function readFrames(file: number, fileBytes: number, pageBytes: number): WriteAheadFrames {
  const logHead = Buffer.alloc(logHeadBytes);
  const frame = Buffer.alloc(frameHeadBytes + pageBytes);
  const count = Math.floor((fileBytes - logHeadBytes) / frame.length);
  if (fileBytes < logHeadBytes + frameHeadBytes) return { whole: [], damaged: [], unfinished: [] };
  readSync(file, logHead, 0, logHeadBytes, 0);
  const isBigEndian = logHead.readUInt32BE(0) === bigEndianSums;
  const headIsWhole = sameSums(continued([0, 0], logHead.subarray(0, 24), isBigEndian), storedSums(logHead, 24));
  // Frames behind the end are left from an earlier use of the file and have other salts.
  let salts = headIsWhole ? logHead.subarray(16, 24) : undefined;
  let before = storedSums(logHead, 24);
  const whole: LogFrame[] = [];
  let [damaged, tail]: [LogFrame[], LogFrame[]] = [[], []];
  let committed = 0;
  for (let at = logHeadBytes, left = count; left > 0; left--, at += frame.length) {
    readSync(file, frame, 0, frame.length, at);
    salts ??= Buffer.from(frame.subarray(8, 16));
    const found = { page: frame.readUInt32BE(0), at: at + frameHeadBytes };
    const stored = storedSums(frame, 16);
    const sums = continued(
      continued(before, frame.subarray(0, 8), isBigEndian),
      frame.subarray(frameHeadBytes),
      isBigEndian,
    );
    before = stored;
    tail.push(found);
    // One matching salt is enough, as the other may be damaged.
    if (frame.compare(salts, 0, 4, 8, 12) !== 0 && frame.compare(salts, 4, 8, 12, 16) !== 0) continue;
    tail.pop();
    damaged = [...damaged, ...tail];
    tail = [];
    if (!sameSums(sums, stored) || !frame.subarray(8, 16).equals(salts)) {
      damaged.push(found);
      continue;
    }
    whole.push(found);
    if (frame.readUInt32BE(4) !== 0) committed = whole.length;
  }
  const cut = cutFrame(file, logHeadBytes + count * frame.length, salts);
  if (damaged.length > 0) return { whole, damaged: [...damaged, ...cut], unfinished: [] };
  return { whole: whole.slice(0, committed), damaged, unfinished: [...whole.slice(committed), ...cut] };
}

/** The frame that the end of the file cuts off, if any. */
function cutFrame(file: number, at: number, salts: Buffer | undefined): LogFrame[] {
  const head = Buffer.alloc(frameHeadBytes);
  if (
    readSync(file, head, 0, frameHeadBytes, at) < frameHeadBytes ||
    salts === undefined ||
    !head.subarray(8, 16).equals(salts)
  )
    return [];
  return [{ page: head.readUInt32BE(0), at: at + frameHeadBytes }];
}

function storedSums(bytes: Buffer, at: number): Sums {
  return [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
}

function sameSums(one: Sums, other: Sums): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

function continued([first, second]: Sums, bytes: Buffer, isBigEndian: boolean): Sums {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [one, other] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    one = (one + view.getUint32(at, !isBigEndian) + other) >>> 0;
    other = (other + view.getUint32(at + 4, !isBigEndian) + one) >>> 0;
  }
  return [one, other];
}
