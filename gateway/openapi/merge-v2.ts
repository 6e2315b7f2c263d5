import { Buffer } from 'node:buffer';

const pathsStart = Buffer.from('"paths":{');
const definitionsStart = Buffer.from('"definitions":{');
const comma = Buffer.from(',');

interface SmallDocument {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly definitions: Readonly<Record<string, unknown>>;
}

/**
 * Puts paths and definitions of a small document into a large one, which is neither parsed nor printed: parsing megabytes
 * would hold up everything else. Both are compact JSON as `OpenApiDocuments` prints it, `paths` before `definitions`;
 * definitions that the large one has already are left out.
 */
export function mergeV2(large: Buffer, small: Buffer): Buffer {
  const { paths, definitions } = JSON.parse(small.toString('utf8')) as SmallDocument;
  const pathsAt = large.indexOf(pathsStart);
  const definitionsAt = large.indexOf(definitionsStart, pathsAt);
  if (pathsAt < 0 || definitionsAt < 0) throw new Error('an OpenAPI document without paths and definitions cannot be merged');
  const missing = Object.fromEntries(Object.entries(definitions).filter(([name]) => large.indexOf(`${JSON.stringify(name)}:{`, definitionsAt) < 0));
  const [afterPaths, afterDefinitions] = [pathsAt + pathsStart.length, definitionsAt + definitionsStart.length];
  return Buffer.concat([
    large.subarray(0, afterPaths), members(paths, large, afterPaths),
    large.subarray(afterPaths, afterDefinitions), members(missing, large, afterDefinitions),
    large.subarray(afterDefinitions),
  ]);
}

/** The same in protobuf: messages that are put one after the other are one message with the lists of both. */
export function mergeV2Protobuf(large: Buffer, small: Buffer): Buffer {
  return Buffer.concat([small, large]);
}

/** Members of an object as they stand before what is at an offset of the document. */
function members(object: Readonly<Record<string, unknown>>, document: Buffer, at: number): Buffer {
  const text = Buffer.from(JSON.stringify(object).slice(1, -1));
  const emptyThere = document[at] === '}'.charCodeAt(0);
  return text.length === 0 || emptyThere ? text : Buffer.concat([text, comma]);
}
