import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { contentRange, type ByteRange } from './byte-ranges.ts';

const bytesPerRead = 64 * 1024;

/** The body of an answer. */
export interface FileBody {
  readonly length: number;
  pieces(): AsyncGenerator<Buffer>;
}

/** Reads part of a file. Ends with an error if the file ends before. */
export function partOf(file: FileHandle, { start, length }: ByteRange): FileBody {
  return { length, pieces: () => piecesOf(file, start, length) };
}

async function* piecesOf(file: FileHandle, start: number, length: number): AsyncGenerator<Buffer> {
  const end = start + length;
  for (let at = start; at < end;) {
    const buffer = Buffer.allocUnsafe(Math.min(bytesPerRead, end - at));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) throw new Error('the file was cut while it was sent');
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

export interface MultipartBody extends FileBody {
  readonly contentType: string;
}

/** Several parts of a file, as `multipart/byteranges` (RFC 9110 14.6). */
export function multipartOf(
  file: FileHandle,
  ranges: readonly ByteRange[],
  { size, contentType }: { readonly size: number; readonly contentType: string },
): MultipartBody {
  const boundary = randomBytes(30).toString('hex');
  const heads = ranges.map((range, at) => {
    const headers = `Content-Range: ${contentRange(range, size)}\r\nContent-Type: ${contentType}\r\n\r\n`;
    return Buffer.from(`${at === 0 ? '' : '\r\n'}--${boundary}\r\n${headers}`);
  });
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const length = [...ranges, ...heads, tail].reduce((sum, part) => sum + part.length, 0);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (const [at, range] of ranges.entries()) {
      const head = heads[at];
      if (head !== undefined) yield head;
      yield* piecesOf(file, range.start, range.length);
    }
    yield tail;
  }
  return { contentType: `multipart/byteranges; boundary=${boundary}`, length, pieces };
}
