import type { Facts } from '#shared/api/facts.ts';
import { newInternalError } from '#shared/apimachinery/errors/status.ts';
import { cloneInSteps } from '#shared/apimachinery/json/clone.ts';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import {
  applyJsonPatch,
  checkJsonPatch,
  decodeJsonPatch,
  operationMembers,
} from '#shared/apimachinery/patch/json-patch.ts';
import { applyMergePatch } from '#shared/apimachinery/patch/merge-patch.ts';
import { PatchError } from '#shared/apimachinery/patch/patch-error.ts';
import { applyStrategicMergePatch } from '#shared/apimachinery/patch/strategic-merge.ts';
import { holdsRawJson } from '#shared/apimachinery/schema/raw-json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce, isSliced, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { goPrint, goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { RequestScope } from '#shared/endpoints/request/request-scope.ts';
import type { FieldValidation } from '#shared/serializer/decode-binary.ts';
import { conform } from '#shared/serializer/json/conform.ts';
import type { Conformed } from '#shared/serializer/json/conform.ts';
import { jsonTextInSteps } from '#shared/serializer/json/encode-in-steps.ts';
import { keepUntouchedRaw } from '#shared/serializer/json/exact-raw.ts';
import { sortedKeysInSteps } from '#shared/serializer/json/go-text.ts';
import { parseJsonText, parsePrinted } from '#shared/serializer/json/parse.ts';
import { conformRestored } from '#shared/serializer/json/restore.ts';
import { maxJsonDepth, scanJson } from '#shared/serializer/json/scan.ts';
import { parseSpelled, plainNumbersOfCustom, spelledText } from '#shared/serializer/json/spelled-numbers.ts';
import {
  type PrintPatched,
  errorInOrder,
  patchMessageOf,
  namelessCustom,
  notAMap,
  otherInternalKind,
  otherKind,
  refusePatch,
  refuseTooDeep,
  typeError,
} from './patch-refusals.ts';
import { mergedText, patchedText } from './patched-text.ts';
import { readingOf } from './patched-version.ts';
import { type PatchType, readPatch, spelledPatch } from './read-patch.ts';

type Warn = (text: string) => void;

export interface PatchOutcome {
  readonly object: KubeObject;
  /** The error where the object cannot be converted to the storage version. */
  readonly refusal: (reason: string) => Error;
}

/** What a patch applies to. */
export interface PatchedObject {
  readonly object: KubeObject;
  /** The JSON that the object was parsed from, if it is printed so: then the object is not modified. */
  readonly printed: string | undefined;
}

interface Patched {
  readonly patched: JsonValue;
  readonly strictErrors: readonly string[];
  /** The patched document in the form in which error messages show it. */
  readonly shown: PrintPatched;
}

interface ReadPatch {
  readonly strictErrors: readonly string[];
  readonly spelled: boolean;
  readonly value: JsonValue;
}

/** A patch of one of the three kinds, parsed once and applied again after each write conflict. */
export class ObjectPatch {
  readonly #type: PatchType;
  readonly #fieldValidation: FieldValidation;
  readonly #value: JsonValue;
  /** Whether the patch has marked numbers that keep their spelling (`parseSpelled`). */
  readonly #spelled: boolean;
  /** Duplicate fields of the patch, and unknown members of JSON patch operations. */
  readonly #strictErrors: readonly string[];

  private constructor(type: PatchType, fieldValidation: FieldValidation, read: ReadPatch) {
    this.#type = type;
    this.#fieldValidation = fieldValidation;
    this.#strictErrors = read.strictErrors;
    this.#spelled = read.spelled;
    this.#value = read.value;
  }

  /** Throws PatchError for a body that cannot be read. */
  static *read(type: PatchType, body: Uint8Array, fieldValidation: FieldValidation): Steps<ObjectPatch> {
    const strict = fieldValidation !== 'Ignore';
    const isStrategic = type === 'application/strategic-merge-patch+json';
    const place = type === 'application/json-patch+json' ? 'struct field jsonPatchOp.value' : 'value';
    const { value, text } = yield* readPatch(
      body,
      strict && !isStrategic ? 'error decoding patch: ' : '',
      place,
      !strict && type === 'application/merge-patch+json',
    );
    if (isSliced()) yield;
    const { strictErrors, spelledNumbers } = yield* scanJson(body, {
      maxDepth: maxJsonDepth,
      ...(type === 'application/json-patch+json' ? { members: operationMembers } : {}),
    });
    if (isSliced()) yield;
    // The reference applies JSON and merge patches to the JSON text of the object, so the spelling of numbers matters.
    const spelled = spelledNumbers && !isStrategic;
    return new ObjectPatch(type, fieldValidation, {
      strictErrors: strict ? strictErrors : [],
      spelled,
      value: spelled ? yield* spelledPatch(type, text) : value,
    });
  }

  /**
   * The patched object, conformed to the schema of the scope. An object without `printed` may be modified; `warn` gets
   * the unknown and duplicate fields.
   */
  *apply(facts: Facts, scope: RequestScope, current: PatchedObject, warn: Warn): Steps<PatchOutcome> {
    if (this.#type === 'application/strategic-merge-patch+json')
      return yield* this.#applyStrategic(scope, current, warn);
    // A patch applies to the printed object, which clients see: zero values included.
    const printed = current.printed ?? (yield* jsonTextInSteps(scope.schema, current.object));
    if (isSliced()) yield;
    const document = (yield* parsePrinted(printed)) as JsonObject;
    if (isSliced()) yield;
    const { patched, strictErrors, shown } =
      this.#type === 'application/json-patch+json'
        ? yield* this.#applyJson(document)
        : yield* this.#applyMerge(document, printed);
    if (isSliced()) yield;
    const outcome = yield* this.#finish(facts, scope, { patched, strictErrors, shown }, warn);
    if (scope.schema.custom === undefined) yield* keepUntouchedRaw(scope.schema, outcome.object, printed);
    return outcome;
  }

  *#applyJson(document: JsonObject): Steps<Patched> {
    if (this.#fieldValidation !== 'Ignore') checkJsonPatch(this.#value);
    const strictErrors = this.#strictErrors.map((text) => `json patch ${text}`);
    const { value, entered } = yield* applyJsonPatch(document, decodeJsonPatch(this.#value));
    const shown = (): Steps<string> => this.#spell(patchedText(value, entered));
    yield* refuseTooDeep(value, shown);
    return { patched: value, strictErrors, shown };
  }

  *#applyMerge(document: JsonObject, printed: string): Steps<Patched> {
    const value = this.#value;
    if (this.#fieldValidation !== 'Ignore' && value !== null && !isObject(value))
      throw notAMap(value, 'error decoding patch: ');
    const patched = yield* applyMergePatch(document, value);
    return { patched, strictErrors: this.#strictErrors, shown: () => this.#spell(merged(patched, value, printed)) };
  }

  *#applyStrategic(scope: RequestScope, current: PatchedObject, warn: Warn): Steps<PatchOutcome> {
    const given = this.#value ?? {};
    if (!isObject(given)) throw notAMap(given, '');
    const document = current.printed === undefined ? yield* printedForm(scope, current.object) : current.object;
    if (isSliced()) yield;
    const patch = yield* cloneInSteps(given);
    const patched = yield* applyStrategicMergePatch(scope.schema, document, patch);
    if (isSliced()) yield;
    let conformed: Conformed;
    try {
      conformed = yield* conformRestored(scope.schema, patched, { strict: this.#fieldValidation !== 'Ignore' });
    } catch (error) {
      throw refusePatch(patchMessageOf(error), goPrint(patch));
    }
    // The reference converts a strategic patch's result to its type by a converter that sorts unknown fields.
    yield* this.#tell([...this.#strictErrors, ...conformed.strictErrors.toSorted()], () => shownAsMap(patch), warn);
    return outcomeOf(conformed.object, (reason) => new PatchError('internal', reason));
  }

  /** Reads the patched document as an object of the scope. Errors show the document. */
  *#finish(
    facts: Facts,
    scope: RequestScope,
    { patched, strictErrors, shown }: Patched,
    warn: Warn,
  ): Steps<PatchOutcome> {
    const isCustom = scope.schema.custom !== undefined;
    if (isObject(patched)) {
      const fault =
        typeError(patched) ?? (isCustom ? yield* namelessCustom(patched, shown) : otherKind(facts, scope, patched));
      if (fault !== undefined) throw refusePatch(fault, yield* shown());
      if (!isCustom && (patched['apiVersion'] ?? '') === '') {
        const other = otherInternalKind(scope, patched);
        if (other !== undefined) throw refusePatch(other, yield* shown());
        return yield* this.#nameless(patched, strictErrors, shown, warn);
      }
    }
    if (isSliced()) yield;
    const { schema, toOwn } = readingOf(scope, patched);
    const { object, strictErrors: ofSchema } = yield* this.#conform(schema, patched, shown, isCustom);
    yield* this.#tell([...strictErrors, ...ofSchema], shown, warn);
    // As in the reference, the whole object is decoded before its apiVersion is checked.
    if (isCustom && (object.apiVersion ?? '') === '')
      throw newInternalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
    // A document without a kind gets the kind of the scope, as every request body does.
    if (!isCustom) object.kind ||= scope.kind.kind;
    return outcomeOf(asKubeObject(toOwn(object)), (reason) => refusePatch(reason, atOnce(shown())));
  }

  /** Conforms the patched document to a schema. @throws PatchError that names the first error in the document's text */
  *#conform(schema: StructSchema, patched: JsonValue, shown: PrintPatched, isCustom: boolean): Steps<Conformed> {
    // Custom resources hold numbers without their spelling.
    const spelled = this.#spelled && !isCustom;
    try {
      const copy = yield* cloneInSteps(patched);
      if (isSliced()) yield;
      const conformed = yield* this.#conformOnce(schema, copy, spelled);
      if (isSliced()) yield;
      if (conformed.strictErrors.length <= 1 && !holdsRawJson(schema)) return conformed;
      // Errors are reported in the order of the text, and raw JSON keeps that order: the document is read from its text.
      const text = yield* shown();
      if (isSliced()) yield;
      const ordered = this.#spelled ? yield* parseSpelled(text) : yield* parseJsonText(text, undefined);
      if (isSliced()) yield;
      return yield* this.#conformOnce(schema, ordered, spelled);
    } catch (error) {
      const text = yield* shown();
      throw refusePatch(patchMessageOf((yield* errorInOrder(schema, text, spelled)) ?? error), text);
    }
  }

  *#conformOnce(schema: StructSchema, document: JsonValue, spelled: boolean): Steps<Conformed> {
    const read = this.#spelled && !spelled ? yield* plainNumbersOfCustom(document) : document;
    return yield* conform(schema, read, { strict: this.#fieldValidation !== 'Ignore', spelled });
  }

  *#spell(steps: Steps<string>): Steps<string> {
    const text = yield* steps;
    return this.#spelled ? spelledText(text) : text;
  }

  /**
   * The outcome for a document without an apiVersion: the reference reads it as the internal type, which has none of
   * its fields.
   */
  *#nameless(
    patched: JsonObject,
    strictErrors: readonly string[],
    shown: PrintPatched,
    warn: Warn,
  ): Steps<PatchOutcome> {
    const errors = [...strictErrors];
    for (const key of yield* sortedKeysInSteps(patched)) {
      if (key !== 'kind' && key !== 'apiVersion') errors.push(`unknown field ${goQuote(key)}`);
      if (sliceIsOver()) yield;
    }
    yield* this.#tell(errors, shown, warn);
    return outcomeOf(asKubeObject({ metadata: {} }), (reason) => refusePatch(reason, atOnce(shown())));
  }

  /** Reports unknown and duplicate fields as an error (Strict), as warnings (Warn) or not at all (Ignore). */
  *#tell(strictErrors: readonly string[], shown: PrintPatched, warn: Warn): Steps<void> {
    if (this.#fieldValidation === 'Strict' && strictErrors.length > 0)
      throw refusePatch(`strict decoding error: ${strictErrors.join(', ')}`, yield* shown());
    if (this.#fieldValidation === 'Warn') for (const text of strictErrors) warn(text);
  }
}

/** The object as clients see it, zero values included. */
function* printedForm(scope: RequestScope, object: KubeObject): Steps<JsonObject> {
  const printed = yield* jsonTextInSteps(scope.schema, object);
  if (isSliced()) yield;
  return (yield* parsePrinted(printed)) as JsonObject;
}

/** A strategic patch as Go prints the map, for error texts. */
function* shownAsMap(patch: JsonObject): Steps<string> {
  if (isSliced()) yield;
  return goPrint(patch);
}

function* merged(patched: JsonValue, patch: JsonValue, printed: string): Steps<string> {
  return yield* mergedText(patched, patch, yield* parsePrinted(printed));
}

function outcomeOf(object: KubeObject, refusal: PatchOutcome['refusal']): PatchOutcome {
  // An object without metadata has no name; the caller reports that.
  object.metadata ??= {};
  return { object, refusal };
}
