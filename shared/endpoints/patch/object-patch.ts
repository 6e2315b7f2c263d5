import { cloneInSteps, cloneJson } from '../../apimachinery/clone.ts';
import { invalid, path } from '../../apimachinery/field-error.ts';
import { compareUtf8, goPrint, goQuote } from '../../apimachinery/go-format.ts';
import { isObject, type JsonObject, type JsonValue } from '../../apimachinery/json.ts';
import type { KubeObject } from '../../apimachinery/object.ts';
import { applyJsonPatch, checkJsonPatch, decodeJsonPatch } from '../../apimachinery/patch/json-patch.ts';
import { applyMergePatch } from '../../apimachinery/patch/merge-patch.ts';
import { PatchError } from '../../apimachinery/patch/patch-error.ts';
import { applyStrategicMergePatch } from '../../apimachinery/patch/strategic-merge.ts';
import type { Steps } from '../../apimachinery/slices.ts';
import { newInternalError, newInvalid } from '../../apimachinery/status.ts';
import { formatGroupVersion, parseGroupVersion } from '../../apimachinery/gvk.ts';
import { asKubeObject, stringAt } from '../../apimachinery/object.ts';
import type { FieldValidation } from '../../serializer/codec.ts';
import { notRegisteredText, schemeName } from '../../serializer/decode-errors.ts';
import { conform, type Conformed } from '../../serializer/json/conform.ts';
import { jsonTextInSteps } from '../../serializer/json/encode-in-steps.ts';
import { goValueName } from '../../serializer/json/decode-walk.ts';
import { parseJson, parseJsonText, parsePrinted, parsePrintedInSteps } from '../../serializer/json/parse.ts';
import { maxJsonDepth, scanJson } from '../../serializer/json/scan.ts';
import type { RequestScope } from '../request-scope.ts';
import { conformRestored } from './restore.ts';
import { holdsRawJson } from './raw-json.ts';
import { enteredBy, mergedText, patchedText } from './patched-text.ts';

export type PatchType = 'application/json-patch+json' | 'application/merge-patch+json' | 'application/strategic-merge-patch+json';

export interface PatchOutcome {
  readonly object: KubeObject;
  readonly warnings: readonly string[];
  /** What to answer where the object cannot be brought into the storage version. */
  readonly refusal: (reason: string) => Error;
}

/** A patch of one of the three kinds, read once and applied as often as the object changes meanwhile. */
export class ObjectPatch {
  readonly #type: PatchType;
  readonly #fieldValidation: FieldValidation;
  readonly #value: JsonValue;
  readonly #duplicates: readonly string[];

  /** Throws PatchError for a body that cannot be read. */
  constructor(type: PatchType, body: Uint8Array, fieldValidation: FieldValidation) {
    this.#type = type;
    this.#fieldValidation = fieldValidation;
    const strict = fieldValidation !== 'Ignore';
    const isStrategic = type === 'application/strategic-merge-patch+json';
    this.#value = readPatch(body, strict && !isStrategic ? 'error decoding patch: ' : '');
    this.#duplicates = strict ? scanJson(body, { maxDepth: maxJsonDepth }).duplicates : [];
  }

  /** The patched object, conformed to the schema of the scope. `current` is the caller's to give away. */
  *apply(scope: RequestScope, current: KubeObject): Steps<PatchOutcome> {
    if (this.#type === 'application/strategic-merge-patch+json') return yield* this.#applyStrategic(scope, current);
    // Patches see what clients see: the object as it is printed, zero values included.
    const printed = yield* jsonTextInSteps(scope.schema, current);
    yield;
    const document = (yield* parsePrintedInSteps(printed)) as JsonObject;
    yield;
    const { patched, strictErrors } = this.#type === 'application/json-patch+json' ? this.#applyJson(document) : this.#applyMerge(document);
    yield;
    return yield* this.#finish(scope, patched, strictErrors, () => (this.#type === 'application/json-patch+json' ? patchedText(patched, enteredBy(this.#value)) : mergedText(patched, this.#value, parsePrinted(printed))));
  }

  #applyJson(document: JsonObject): { patched: JsonValue; strictErrors: readonly string[] } {
    const unknown = this.#fieldValidation === 'Ignore' ? [] : checkJsonPatch(this.#value);
    const strictErrors = [...this.#duplicates.map((text) => `json patch ${text}`), ...unknown];
    return { patched: applyJsonPatch(document, decodeJsonPatch(this.#value)), strictErrors };
  }

  #applyMerge(document: JsonObject): { patched: JsonValue; strictErrors: readonly string[] } {
    const value = this.#value;
    if (this.#fieldValidation !== 'Ignore' && value !== null && !isObject(value)) throw notAMap(value, 'error decoding patch: ');
    return { patched: applyMergePatch(document, value), strictErrors: this.#duplicates };
  }

  *#applyStrategic(scope: RequestScope, current: KubeObject): Steps<PatchOutcome> {
    const given = this.#value ?? {};
    if (!isObject(given)) throw notAMap(given, '');
    const printed = yield* jsonTextInSteps(scope.schema, current);
    yield;
    const document = (yield* parsePrintedInSteps(printed)) as JsonObject;
    yield;
    const patch = cloneJson(given);
    const patched = applyStrategicMergePatch(scope.schema, document, patch);
    yield;
    let conformed: Conformed;
    try {
      conformed = conformRestored(scope.schema, patched, { strict: this.#fieldValidation !== 'Ignore' });
    } catch (error) {
      throw refuse(messageOf(error), goPrint(patch));
    }
    // The reference turns a strategic patch's result into its type by a converter that sorts what it does not know.
    const outcome = this.#outcome(conformed.object, [...this.#duplicates, ...conformed.strictErrors.toSorted()], () => goPrint(patch));
    return { ...outcome, refusal: (reason) => new PatchError('internal', reason) };
  }

  /** Errors show the patched document. */
  *#finish(scope: RequestScope, patched: JsonValue, strictErrors: readonly string[], shown: () => string): Steps<PatchOutcome> {
    let conformed: Conformed;
    if (isObject(patched)) {
      const broken = typeError(patched) ?? (scope.schema.custom === undefined ? otherKind(scope, patched) : namelessCustom(patched, shown));
      if (broken !== undefined) throw refuse(broken, shown());
      if (scope.schema.custom === undefined && (patched['apiVersion'] ?? '') === '') {
        const other = otherInternalKind(scope, patched);
        if (other !== undefined) throw refuse(other, shown());
        return this.#nameless(patched, strictErrors, shown);
      }
    }
    try {
      const copy = yield* cloneInSteps(patched);
      yield;
      conformed = conform(scope.schema, copy, { strict: this.#fieldValidation !== 'Ignore' });
      yield;
      // What is wrong is told in the order of the text, which also is that of JSON kept as it came.
      if (conformed.strictErrors.length > 1 || holdsRawJson(scope.schema)) {
        const text = shown();
        yield;
        const ordered = parseJsonText(text);
        yield;
        conformed = conform(scope.schema, ordered, { strict: this.#fieldValidation !== 'Ignore' });
      }
    } catch (error) {
      throw refuse(messageOf(errorInOrder(scope, shown()) ?? error), shown());
    }
    // Its metadata is read before anybody asks for its version.
    if (scope.schema.custom !== undefined && (conformed.object.apiVersion ?? '') === '') throw newInternalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
    return this.#outcome(conformed.object, [...strictErrors, ...conformed.strictErrors], shown);
  }

  /** Without an apiVersion the reference reads the document as its internal type, which has none of these fields. */
  #nameless(patched: JsonObject, strictErrors: readonly string[], shown: () => string): PatchOutcome {
    const unknown = Object.keys(patched).filter((key) => key !== 'kind' && key !== 'apiVersion').sort(compareUtf8).map((key) => `unknown field ${goQuote(key)}`);
    return this.#outcome(asKubeObject({ metadata: {} }), this.#fieldValidation === 'Ignore' ? [] : [...strictErrors, ...unknown], shown);
  }

  #outcome(object: KubeObject, strictErrors: readonly string[], shown: () => string): PatchOutcome {
    if (this.#fieldValidation === 'Strict' && strictErrors.length > 0) throw refuse(`strict decoding error: ${strictErrors.join(', ')}`, shown());
    // Without metadata there is no name, which the caller tells of.
    object.metadata ??= {};
    return { object, warnings: this.#fieldValidation === 'Warn' ? strictErrors : [], refusal: (reason) => refuse(reason, shown()) };
  }
}

/** A custom resource says what it is (apimachinery/pkg/apis/meta/v1/unstructured). */
function namelessCustom(patched: JsonObject, shown: () => string): string | undefined {
  if ((patched['kind'] ?? '') === '') return `Object 'Kind' is missing in '${shown()}'`;
  if (patched['apiVersion'] === null) return '.apiVersion accessor error: <nil> is of the type <nil>, expected string';
  return undefined;
}

function refuse(message: string, shown: string): Error {
  return newInvalid({ group: '', kind: '' }, '', [invalid(path('patch'), shown, message)]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Of several mistakes the first in the text counts. */
function errorInOrder(scope: RequestScope, text: string): unknown {
  try {
    conform(scope.schema, parseJsonText(text), { strict: false });
    return undefined;
  } catch (error) {
    return error;
  }
}

/** What cannot be a type's name (apimachinery/pkg/runtime/serializer/json). */
function typeError(patched: JsonObject): string | undefined {
  for (const key of ['apiVersion', 'kind']) {
    const value = patched[key] ?? null;
    if (value !== null && typeof value !== 'string') return `couldn't get version/kind; json parse error: json: cannot unmarshal ${goValueName(value)} into Go struct field .${key} of type string`;
  }
  return undefined;
}

/** A document that says to be something else than the resource is. */
function otherKind({ kind }: RequestScope, patched: JsonObject): string | undefined {
  const [apiVersion, name] = [stringAt(patched, 'apiVersion'), stringAt(patched, 'kind')];
  if (apiVersion === '' || (apiVersion === formatGroupVersion(kind) && (name === '' || name === kind.kind))) return undefined;
  try {
    return notRegisteredText({ ...parseGroupVersion(apiVersion), kind: name === '' ? kind.kind : name });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Without an apiVersion a kind is looked for among the internal types of the group. */
function otherInternalKind({ kind: { group, kind } }: RequestScope, patched: JsonObject): string | undefined {
  const name = stringAt(patched, 'kind');
  return name === '' || name === kind ? undefined : `no kind ${goQuote(name)} is registered for the internal version of group ${goQuote(group)} in scheme "${schemeName}"`;
}

function readPatch(body: Uint8Array, prefix: string): JsonValue {
  try {
    return parseJson(body);
  } catch (error) {
    throw new PatchError('badRequest', prefix + messageOf(error));
  }
}

function notAMap(value: JsonValue, prefix: string): PatchError {
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'number';
  return new PatchError('badRequest', `${prefix}json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`);
}
