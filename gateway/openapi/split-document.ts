import type { Steps } from '#shared/apimachinery/slices/slices.ts';

const pathsStart = Buffer.from('"paths":{');
const definitionsStart = Buffer.from('"definitions":{');
const parametersStart = Buffer.from('"parameters":{');
const [quote, backslash, open, close, comma] = [0x22, 0x5c, 0x7b, 0x7d, 0x2c] as const;
/** Number of bytes processed between two yields. */
const stride = 64 * 1024;

/** An OpenAPI v2 document that is split but not parsed: the members of its large objects as JSON text. */
export interface SplitDocument {
  readonly bytes: Buffer;
  /** Offset of the first member of `paths`, or of its closing brace if it is empty. */
  readonly pathsAt: number;
  readonly definitionsAt: number;
  readonly parametersAt: number;
  /** JSON text by name. */
  readonly paths: ReadonlyMap<string, Buffer>;
  readonly definitions: ReadonlyMap<string, Buffer>;
  readonly parameters: ReadonlyMap<string, Buffer>;
}

/**
 * Splits compact JSON as `OpenApiDocuments` prints it: `paths`, then `definitions`, then `parameters`. Parsing
 * megabytes would block the event loop; this function yields in between. Throws if one of the three objects is missing.
 */
export function* splitDocument(bytes: Buffer): Steps<SplitDocument> {
  const pathsAt = after(bytes, pathsStart, 0);
  const [paths, pathsEnd] = yield* members(bytes, pathsAt);
  const definitionsAt = after(bytes, definitionsStart, pathsEnd);
  const [definitions, definitionsEnd] = yield* members(bytes, definitionsAt);
  const parametersAt = after(bytes, parametersStart, definitionsEnd);
  const [parameters] = yield* members(bytes, parametersAt);
  return { bytes, pathsAt, definitionsAt, parametersAt, paths, definitions, parameters };
}

function after(bytes: Buffer, start: Buffer, from: number): number {
  const at = bytes.indexOf(start, from);
  if (at < 0) throw new Error('an OpenAPI document without paths, definitions and parameters cannot be merged');
  return at + start.length;
}

/** Members of the object whose first member begins at an offset, and the offset of its closing brace. */
function* members(bytes: Buffer, from: number): Steps<[Map<string, Buffer>, number]> {
  const found = new Map<string, Buffer>();
  let at = from;
  let yieldAt = at + stride;
  while (bytes[at] === quote) {
    const nameEnd = stringEnd(bytes, at);
    const name = JSON.parse(bytes.toString('utf8', at, nameEnd)) as string;
    const valueAt = nameEnd + 1;
    at = valueEnd(bytes, valueAt);
    found.set(name, bytes.subarray(valueAt, at));
    if (bytes[at] === comma) at++;
    if (at > yieldAt) {
      yield;
      yieldAt = at + stride;
    }
  }
  if (bytes[at] !== close) throw new Error('the document ends within an object');
  return [found, at];
}

/** Offset after the closing quote of the string that begins at an offset. */
function stringEnd(bytes: Buffer, from: number): number {
  for (let at = from + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === backslash) at++;
    else if (byte === quote) return at + 1;
  }
  throw new Error('the document ends within a text');
}

/** Offset after the object that begins at an offset. */
function valueEnd(bytes: Buffer, from: number): number {
  if (bytes[from] !== open) throw new Error('a member of the document is not an object');
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = stringEnd(bytes, at) - 1;
    else if (byte === open) depth++;
    else if (byte === close && --depth === 0) return at + 1;
  }
  throw new Error('the document ends within an object');
}
