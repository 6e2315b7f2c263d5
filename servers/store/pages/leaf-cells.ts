import type { PageImages } from './page-images.ts';

/** A row of a table, as a cell in a leaf page of its B-tree. */
export interface LeafCell {
  readonly rowId: number;
  /**
   * Assembles the record (https://sqlite.org/fileformat2.html#record_format); it is truncated if an overflow page is
   * missing.
   * @param doubtful whether overflow pages are read from damaged frames of the write-ahead log
   */
  readonly payload: (doubtful: boolean) => Buffer;
}

const leafHeadBytes = 8;
const smallestCell = 4;
/** Longer records cannot be rows of a store, whose requests have at most 1.5 MiB. */
const longestPayload = 2 * 1024 * 1024;

/**
 * The cells of a leaf. The caller checks each by the checksum of its row. If the cells do not fill the used space of
 * the page, its cell count may be damaged, and more cells are searched.
 */
export function* leafCells(page: Buffer, images: PageImages): Iterable<LeafCell> {
  const cellCount = page.readUInt16BE(3);
  let [used, lowest, last] = [0, images.usableBytes, 0];
  for (let i = 0; leafHeadBytes + 2 * i + 2 <= (i < cellCount ? images.usableBytes : lowest); i++) {
    if (i >= cellCount && used >= roomOfCells(page, images.usableBytes)) return;
    const at = page.readUInt16BE(leafHeadBytes + 2 * i);
    const head = readCell(page, at, images.usableBytes);
    if (head === undefined) continue;
    // Behind the counted cells, pointers of removed cells may remain. Their rows were seen already, or are out of
    // order.
    if (i >= cellCount && head.rowId <= last) continue;
    lowest = Math.min(lowest, at);
    used += head.end - at;
    last = Math.max(last, head.rowId);
    yield { rowId: head.rowId, payload: (doubtful) => payloadOf(page, head, images, doubtful) };
  }
}

interface CellHead {
  readonly rowId: number;
  readonly payloadBytes: number;
  readonly localFrom: number;
  readonly localTo: number;
  /** Offset after the cell, including the number of its first overflow page if there is one. */
  readonly end: number;
}

function readCell(page: Buffer, at: number, usable: number): CellHead | undefined {
  if (at < leafHeadBytes || at + smallestCell > usable) return undefined;
  const [payloadBytes, idFrom] = readVarint(page, at);
  const [rowId, localFrom] = readVarint(page, idFrom);
  if (payloadBytes > longestPayload || !Number.isSafeInteger(rowId)) return undefined;
  const local = localBytes(payloadBytes, usable);
  const localTo = localFrom + local;
  const end = Math.max(at + smallestCell, localTo + (local < payloadBytes ? 4 : 0));
  return end > usable ? undefined : { rowId, payloadBytes, localFrom, localTo, end };
}

function localBytes(payloadBytes: number, usable: number): number {
  if (payloadBytes <= usable - 35) return payloadBytes;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const kept = least + ((payloadBytes - least) % (usable - 4));
  return kept <= usable - 35 ? kept : least;
}

function payloadOf(
  page: Buffer,
  { payloadBytes, localFrom, localTo }: CellHead,
  images: PageImages,
  doubtful: boolean,
): Buffer {
  const local = page.subarray(localFrom, localTo);
  if (local.length === payloadBytes) return local;
  const parts = [local];
  let left = payloadBytes - local.length;
  for (let next = page.readUInt32BE(localTo); left > 0;) {
    const more = images.page(next, doubtful);
    if (more === undefined) break;
    const part = more.subarray(4, Math.min(images.usableBytes, 4 + left));
    parts.push(part);
    left -= part.length;
    next = more.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

/** Bytes of the page's cell content area, without those of removed cells. */
function roomOfCells(page: Buffer, usable: number): number {
  let room = usable - (page.readUInt16BE(5) || 65_536) - (page[7] as number);
  // Freed blocks are listed in ascending order.
  for (
    let [at, before] = [page.readUInt16BE(1), 0];
    at > before && at + 4 <= usable;
    [at, before] = [page.readUInt16BE(at), at]
  )
    room -= page.readUInt16BE(at + 2);
  return room;
}

/** @returns the number, and the offset after it */
export function readVarint(bytes: Buffer, from: number): readonly [number, number] {
  let value = 0;
  for (let at = from; at < from + 8; at++) {
    const byte = bytes[at];
    if (byte === undefined) return [Infinity, at];
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + 1];
  }
  return [value * 256 + (bytes[from + 8] ?? 0), from + 9];
}
