import type { Facts } from '#shared/api/facts.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { documentJson } from './document-json.ts';
import type { ServedVersion } from './document-paths.ts';
import { modelSchema } from './model-schema.ts';
import type { Describe, Dialect, ModelOptions } from './model-schema.ts';
import type { Paths } from './operation.ts';
import { pathItem } from './path-item.ts';
import type { PathReferences } from './path-item.ts';
import { V2Parameters } from './v2-parameters.ts';
import { definitionEntry, documentChunks, parameterEntry, pathEntry } from './v2-protobuf.ts';

/** The inputs of every document. `apiVersion` is the minor version that `info` names, such as `1.36`. */
export interface DocumentOptions {
  readonly facts: Facts;
  readonly describe: Describe;
  readonly apiVersion: string;
  /** Whether the server serves CBOR; documents of custom resources do not list it. */
  readonly cbor?: boolean;
  /** Documents of custom resources, whose paths and models are not in the facts. */
  readonly custom?: CustomDocuments;
}

export interface CustomDocuments {
  readonly info: JsonObject;
  paths(version: ServedVersion): Steps<Paths>;
  /** Whether models of every group, such as DeleteOptions, list this built-in group. */
  knowsGroup(group: string): boolean;
  /** Returns undefined for built-in models. Calls `refer` with the name of every model that this model refers to. */
  model(name: string, dialect: Dialect, refer: (model: string) => void): Steps<JsonObject> | undefined;
}

/** Text of the v3 document of one group version or of one general path. */
export function* v3Document(
  context: DocumentOptions,
  paths: Paths,
  of?: { group: string; version: string },
): Generator<string> {
  yield `{"openapi":"3.0.0","info":${JSON.stringify(infoOf(context))},"paths":`;
  const models = new Set<string>();
  yield* object(pathEntries(paths, { dialect: 'v3', models }));
  yield ',"components":{';
  if (models.size > 0) {
    yield '"schemas":';
    yield* object(
      schemaEntries(
        {
          ...context,
          dialect: 'v3',
          gvks: (struct) =>
            context.custom === undefined
              ? v3Gvks(struct, of)
              : v2Gvks(struct, context.facts).filter(({ group }) => context.custom?.knowsGroup(String(group))),
        },
        models,
      ),
      context.custom !== undefined,
    );
    if (context.custom === undefined) yield ',';
  }
  yield context.custom === undefined ? `"securitySchemes":${JSON.stringify(bearer)}}}` : '}}';
}

/** Text of the v2 document, all groups in one. */
export function* v2Document(context: DocumentOptions, paths: Paths): Generator<string> {
  const { info, swagger, ...tail } = v2Head(context);
  const parameters = new V2Parameters();
  yield `{"swagger":${JSON.stringify(swagger)},"info":${JSON.stringify(info)},"paths":`;
  const models = new Set<string>();
  yield* object(pathEntries(paths, { dialect: 'v2', models, parameters }));
  yield ',"definitions":';
  yield* object(v2Definitions(context, models), context.custom !== undefined);
  yield ',"parameters":';
  yield* object(parameters.shared());
  yield `,${JSON.stringify(tail).slice(1)}`;
}

/** The v2 document as one protobuf message, in pieces. */
export function* v2Message(context: DocumentOptions, paths: Paths): Steps<Buffer[]> {
  const models = new Set<string>();
  const encodedPaths: Buffer[] = [];
  const parameters = new V2Parameters();
  for (const [name, item] of pathEntries(paths, { dialect: 'v2', models, parameters })) {
    encodedPaths.push(pathEntry(name, item));
    yield;
  }
  const definitions: Buffer[] = [];
  for (const entry of v2Definitions(context, models)) {
    if (entry !== undefined) definitions.push(yield* definitionEntry(...entry));
    yield;
  }
  return documentChunks(v2Head(context), {
    paths: encodedPaths,
    definitions,
    parameters: parameters.shared().map(([name, value]) => parameterEntry(name, value)),
  });
}

function v2Definitions(
  context: DocumentOptions,
  models: ReadonlySet<string>,
): Generator<[string, JsonObject] | undefined> {
  return schemaEntries({ ...context, dialect: 'v2', gvks: (struct) => v2Gvks(struct, context.facts) }, models);
}

function v2Head(context: DocumentOptions): JsonObject {
  return { swagger: '2.0', info: infoOf(context), securityDefinitions: bearer, security: [{ BearerToken: [] }] };
}

const bearer = {
  BearerToken: { description: 'Bearer Token authentication', type: 'apiKey', name: 'authorization', in: 'header' },
};

function infoOf({ apiVersion, custom }: DocumentOptions): JsonObject {
  return custom?.info ?? { title: 'Kubernetes', version: apiVersion };
}

/** The text of a JSON object. An undefined entry becomes an empty text, where the caller may pause. */
function* object(entries: Iterable<[string, JsonValue] | undefined>, isCustom = false): Generator<string> {
  let separator = '{';
  for (const entry of entries) {
    if (entry === undefined) {
      yield '';
      continue;
    }
    const [key, value] = entry;
    const text = isCustom ? yield* pausing(documentJson(value), '') : JSON.stringify(value);
    yield `${separator}${JSON.stringify(key)}:${text}`;
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
}

function* pathEntries(paths: Paths, references: PathReferences): Generator<[string, JsonObject]> {
  for (const [path, operations] of paths) yield [path, pathItem(operations, references)];
}

/** The given models and all models that they refer to, sorted by name. Yields undefined where the caller may pause. */
function* schemaEntries(
  options: ModelOptions & Pick<DocumentOptions, 'custom'>,
  roots: ReadonlySet<string>,
): Generator<[string, JsonObject] | undefined> {
  const found = new Map<string, JsonObject>();
  const pending = [...roots];
  for (let model = pending.pop(); model !== undefined; model = pending.pop()) {
    if (found.has(model)) continue;
    const refer = (other: string): void => void pending.push(other);
    const custom = options.custom?.model(model, options.dialect, refer);
    const schema = custom === undefined ? modelSchema(model, options, refer) : yield* pausing(custom, undefined);
    if (schema !== undefined) found.set(model, schema);
    yield undefined;
  }
  yield* [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Runs steps and yields `pause` for each, so that the caller may pause there. */
export function* pausing<T, Pause>(steps: Steps<T>, pause: Pause): Generator<Pause, T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield pause;
  }
}

/** Kinds of every group version: a document lists them under the core group and under its own. */
const everywhere = new Set(['DeleteOptions', 'WatchEvent']);

function v3Gvks(struct: StructSchema, of: { group: string; version: string } | undefined): JsonObject[] {
  const { gvk } = struct;
  if (gvk === undefined) return [];
  const own = [gvkOf(gvk)];
  if (of !== undefined && of.group !== '' && everywhere.has(gvk.kind) && gvk.group === '')
    own.push(gvkOf({ ...of, kind: gvk.kind }));
  return own;
}

function v2Gvks(struct: StructSchema, facts: Facts): JsonObject[] {
  const { gvk } = struct;
  if (gvk === undefined) return [];
  if (gvk.group !== '' || !everywhere.has(gvk.kind)) return [gvkOf(gvk)];
  return facts.registeredVersions().map(({ group, version }) => gvkOf({ group, version, kind: gvk.kind }));
}

function gvkOf({ group, version, kind }: { group: string; version: string; kind: string }): JsonObject {
  return { group, kind, version };
}
