import { Buffer } from 'node:buffer';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { isObject, setKey } from '#shared/apimachinery/json/json.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { documentJson } from '#shared/endpoints/openapi/document-json.ts';
import { definitionEntry, documentChunks, parameterEntry, pathEntry } from '#shared/endpoints/openapi/v2-protobuf.ts';
import { parsePrinted } from '#shared/serializer/json/parse.ts';
import { isSameDefinition, renameConflicts, selectV2 } from './select-v2.ts';
import type { SelectedV2 } from './select-v2.ts';
import { splitDocument } from './split-document.ts';
import type { SplitDocument } from './split-document.ts';

/** Members that are added to the first document, as JSON texts by name. */
export interface Additions {
  readonly paths: ReadonlyMap<string, Buffer>;
  readonly definitions: ReadonlyMap<string, Buffer>;
  /** Their names hold hashes, so that those of one name are one. */
  readonly parameters: ReadonlyMap<string, Buffer>;
}

/**
 * The members that our own further documents and registered servers add to a document (k8s.io/kube-openapi,
 * pkg/aggregator). Existing paths win; definitions that only an omitted path refers to are omitted as well. A
 * definition that differs from an existing one of the same name is renamed.
 */
export function* addedTo(
  base: SplitDocument,
  own: readonly Buffer[],
  registered: readonly SelectedV2[],
): Steps<Additions> {
  const paths = new Map<string, Buffer>();
  const definitions = new Map<string, Buffer>();
  const parameters = new Map<string, Buffer>();
  const known = (name: string): Buffer | undefined => base.definitions.get(name) ?? definitions.get(name);
  const hasPath = (path: string): boolean => base.paths.has(path) || paths.has(path);
  const add = (
    to: Map<string, Buffer>,
    there: ReadonlyMap<string, Buffer>,
    members: Iterable<readonly [string, Buffer]>,
  ): void => {
    for (const [name, text] of members) if (!there.has(name) && !to.has(name)) to.set(name, text);
  };
  const addParts = function* (parts: SelectedV2): Steps<void> {
    const renamed = yield* renameConflicts(parts, (name) => parsed(known(name)));
    add(paths, base.paths, yield* printed(renamed.paths));
    add(definitions, base.definitions, yield* printed(renamed.definitions));
  };
  for (const bytes of own) {
    const document = yield* splitDocument(bytes);
    add(parameters, base.parameters, document.parameters);
    if (yield* isDisjoint(document, hasPath, known)) {
      add(paths, base.paths, document.paths);
      add(definitions, base.definitions, document.definitions);
    } else {
      yield* addParts(selectV2(yield* withoutPaths(document, hasPath), ''));
    }
  }
  for (const parts of registered) {
    yield* addParts(parts);
    yield;
  }
  return { paths, definitions, parameters };
}

/**
 * Whether a document can be added unchanged: none of its paths exists already, and definitions with an existing name
 * are identical.
 */
function* isDisjoint(
  { paths, definitions }: SplitDocument,
  hasPath: (path: string) => boolean,
  known: (name: string) => Buffer | undefined,
): Steps<boolean> {
  for (const path of paths.keys()) if (hasPath(path)) return false;
  for (const [name, text] of definitions) {
    const other = known(name);
    if (other === undefined || other.equals(text)) continue;
    if (!(yield* isSameDefinition(yield* parsed(other), yield* parsed(text)))) return false;
    yield;
  }
  return true;
}

function* withoutPaths(document: SplitDocument, hasPath: (path: string) => boolean): Steps<JsonObject> {
  const paths = yield* parsedMembers([...document.paths].filter(([path]) => !hasPath(path)));
  return { swagger: '2.0', info: {}, paths, definitions: yield* parsedMembers(document.definitions) };
}

function* parsedMembers(members: Iterable<readonly [string, Buffer]>): Steps<JsonObject> {
  const object = Object.create(null) as JsonObject;
  for (const [name, text] of members) {
    setKey(object, name, (yield* parsed(text)) ?? null);
    if (sliceIsOver()) yield;
  }
  return object;
}

/** The document with the additions, in chunks. */
export function* mergeV2(
  { bytes, pathsAt, definitionsAt, parametersAt }: SplitDocument,
  { paths, definitions, parameters }: Additions,
): Steps<Buffer[]> {
  return [
    bytes.subarray(0, pathsAt),
    ...(yield* membersBefore(bytes, pathsAt, paths)),
    bytes.subarray(pathsAt, definitionsAt),
    ...(yield* membersBefore(bytes, definitionsAt, definitions)),
    bytes.subarray(definitionsAt, parametersAt),
    ...(yield* membersBefore(bytes, parametersAt, parameters)),
    bytes.subarray(parametersAt),
  ];
}

/** Told the name of a member that could not be encoded, and why. */
export type ReportUnencoded = (name: string, error: unknown) => void;

/** The same in protobuf, where concatenated messages are one message with the lists of both. */
export function* mergeV2Protobuf(
  base: Buffer,
  { paths, definitions, parameters }: Additions,
  report: ReportUnencoded,
): Steps<Buffer[]> {
  return [
    ...documentChunks(
      { swagger: '2.0', info: {} },
      {
        paths: yield* entries(paths, pathInSteps, report),
        definitions: yield* entries(definitions, definitionEntry, report),
        parameters: yield* entries(parameters, parameterInSteps, report),
      },
    ),
    base,
  ];
}

function* pathInSteps(name: string, value: JsonObject): Steps<Buffer> {
  yield;
  return pathEntry(name, value);
}

function* parameterInSteps(name: string, value: JsonObject): Steps<Buffer> {
  yield;
  return parameterEntry(name, value);
}

function* entries(
  of: ReadonlyMap<string, Buffer>,
  encode: (name: string, value: JsonObject) => Steps<Buffer>,
  report: ReportUnencoded,
): Steps<Buffer[]> {
  const encoded: Buffer[] = [];
  for (const [name, text] of of) {
    const value = yield* parsed(text);
    yield;
    if (isObject(value)) encoded.push(yield* encodedOrPlain(name, value, encode, report));
  }
  return encoded;
}

/** A member that cannot be encoded is an object of any content: it must not take the others away. */
function* encodedOrPlain(
  name: string,
  value: JsonObject,
  encode: (name: string, value: JsonObject) => Steps<Buffer>,
  report: ReportUnencoded,
): Steps<Buffer> {
  try {
    return yield* encode(name, value);
  } catch (error) {
    report(name, error);
    return yield* encode(name, { type: 'object' });
  }
}

/** Members as text to insert at an offset of the document, with the comma if other members follow. */
function* membersBefore(bytes: Buffer, at: number, members: ReadonlyMap<string, Buffer>): Steps<Buffer[]> {
  const emptyThere = bytes[at] === '}'.charCodeAt(0);
  const chunks: Buffer[] = [];
  for (const [name, text] of members) {
    chunks.push(Buffer.from(`${chunks.length === 0 ? '' : ','}${JSON.stringify(name)}:`), text);
    if (sliceIsOver()) yield;
  }
  if (chunks.length > 0 && !emptyThere) chunks.push(Buffer.from(','));
  return chunks;
}

function* printed(object: JsonObject): Steps<[string, Buffer][]> {
  const members: [string, Buffer][] = [];
  for (const [name, value] of Object.entries(object))
    if (isObject(value)) members.push([name, Buffer.from(yield* documentJson(value))]);
  return members;
}

function* parsed(text: Buffer | undefined): Steps<JsonValue | undefined> {
  return text === undefined ? undefined : yield* parsePrinted(text.toString('utf8'));
}
