import { createHash } from 'node:crypto';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';

/** A finished document. The tag is quoted, as the ETag header requires. */
export interface OpenApiDocument {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Bytes copied or hashed in one step. */
const stride = 1024 * 1024;
/** Short texts are joined up to this length before they are encoded. */
const textLength = 64 * 1024;

/** Joins and hashes a document in steps: a document can have megabytes. */
export function* finishedDocument(chunks: readonly Buffer[]): Steps<OpenApiDocument> {
  const bytes = yield* joined(chunks);
  const hash = createHash('sha512');
  for (let at = 0; at < bytes.length; at += stride) {
    hash.update(bytes.subarray(at, at + stride));
    yield;
  }
  return { bytes, etag: `"${hash.digest('hex').toUpperCase()}"` };
}

function* joined(chunks: readonly Buffer[]): Steps<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += stride) at += chunk.copy(bytes, at, from, from + stride);
    yield;
  }
  return bytes;
}

/** Many short texts as UTF-8, with a step for each text. */
export function* encodedTexts(texts: Iterable<string>): Steps<Buffer[]> {
  const chunks: Buffer[] = [];
  let text = '';
  for (const one of texts) {
    text += one;
    if (text.length > textLength) {
      chunks.push(Buffer.from(text));
      text = '';
    }
    yield;
  }
  chunks.push(Buffer.from(text));
  return chunks;
}
