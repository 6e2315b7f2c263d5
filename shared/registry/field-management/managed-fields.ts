import { failureStatus, StatusError } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { FieldSet } from '#shared/apimachinery/managed-fields/field-set.ts';
import {
  depthOfFieldsV1,
  FieldsV1DepthError,
  FieldsV1Error,
  fieldsV1Text,
  formatFieldsV1,
  parseFieldsV1,
} from '#shared/apimachinery/managed-fields/fields-v1.ts';
import type { Managers, VersionedSet } from '#shared/apimachinery/managed-fields/managers.ts';
import type { ManagedFieldsEntry, ObjectMeta } from '#shared/apimachinery/object.ts';
import { isSliced, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { compareUtf8, goQuote } from '#shared/apimachinery/text/go-format.ts';
import { timeToMs } from '#shared/apimachinery/values/time.ts';
import { budgetedCache } from '#shared/caches/budgeted-cache.ts';
import { JsonDepthError, maxJsonDepth } from '#shared/serializer/json/scan.ts';
import { identityOfEntry, managerIdentifier, parseManagerIdentifier } from './manager-identifier.ts';

/** `metadata.managedFields` as sets, by {@link managerIdentifier}. */
export interface ManagedFields {
  readonly sets: Managers;
  /** The time of each manager's last change, as in its entry. Entries of managers without a set do not count. */
  readonly times: ReadonlyMap<string, string>;
}

/** Entries cannot be decoded. The message is that of the reference. */
export class ManagedFieldsError extends Error {}

/** @throws ManagedFieldsError */
export function* decodeManagedFields(entries: readonly ManagedFieldsEntry[] | undefined): Steps<ManagedFields> {
  const sets = new Map<string, VersionedSet>();
  const times = new Map<string, string>();
  for (const [index, entry] of (entries ?? []).entries()) {
    checkEntry(entry, index);
    const identifier = managerIdentifier(identityOfEntry(entry));
    sets.set(identifier, {
      set: yield* decodeSet(entry),
      apiVersion: entry.apiVersion ?? '',
      applied: entry.operation === 'Apply',
    });
    if (entry.time) times.set(identifier, entry.time);
    else times.delete(identifier);
  }
  return { sets, times };
}

function checkEntry(entry: ManagedFieldsEntry, index: number): void {
  if (entry.operation !== 'Apply' && entry.operation !== 'Update')
    throw new ManagedFieldsError('operation must be `Apply` or `Update`');
  if (!entry.apiVersion) throw new ManagedFieldsError('apiVersion must not be empty');
  if (!entry.fieldsType) throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  if (entry.fieldsType !== 'FieldsV1')
    throw new ManagedFieldsError(`invalid fieldsType ${goQuote(entry.fieldsType)} in managed fields entry ${index}`);
}

/**
 * A cache of parsed sets, since many objects of one kind and manager have the same sets. The length of the text counts;
 * a parsed set takes several times as much memory.
 */
const readSets = budgetedCache<string, FieldSet>('field_sets', (_set, text) => text.length);
/** A larger set would evict all others. */
const largestRemembered = 64 * 1024;
/** A set is four levels deep in its object (`metadata`, its list, the entry), which must be read back. */
const maxSetDepth = maxJsonDepth - 4;
/** The text that a set was read from, or was last printed as. */
const printedSets = new WeakMap<FieldSet, JsonObject>();
/** The sets of frozen values, which objects share (`sharedFieldSet`). */
const setsOfFrozen = new WeakMap<JsonObject, FieldSet>();

function* decodeSet({ fieldsV1 }: ManagedFieldsEntry): Steps<FieldSet> {
  if (fieldsV1 === undefined) return FieldSet.empty;
  const known = setsOfFrozen.get(fieldsV1);
  if (known !== undefined) return known;
  const set = yield* readKnown(fieldsV1);
  if (Object.isFrozen(fieldsV1)) setsOfFrozen.set(fieldsV1, set);
  return set;
}

function* readKnown(fieldsV1: JsonObject): Steps<FieldSet> {
  // A large set is not cached: making its text takes long, and few objects share it.
  if (isSliced()) return yield* readSet(fieldsV1);
  const text = JSON.stringify(fieldsV1);
  const known = readSets.get(text);
  if (known !== undefined) return known;
  const set = yield* readSet(fieldsV1);
  if (text.length <= largestRemembered) readSets.set(text, set);
  return set;
}

function* printSet(set: FieldSet): Steps<JsonObject> {
  const known = printedSets.get(set);
  if (known !== undefined) return known;
  if (isSliced()) return yield* printNew(set);
  // Objects that are made one like the other have equal sets, of which one is printed.
  const text = fieldsV1Text(set, maxSetDepth);
  const equal = readSets.get(text);
  if (equal !== undefined) return printedSets.get(equal) ?? (yield* printNew(equal));
  if (text.length <= largestRemembered) readSets.set(text, set);
  return yield* printNew(set);
}

function* printNew(set: FieldSet): Steps<JsonObject> {
  // The object is frozen, so that its text is cached, too.
  const printed = Object.freeze(yield* formatFieldsV1(set, maxSetDepth));
  printedSets.set(set, printed);
  return printed;
}

function* readSet(fieldsV1: JsonObject): Steps<FieldSet> {
  try {
    return yield* parseFieldsV1(fieldsV1);
  } catch (error) {
    if (error instanceof FieldsV1Error) throw new ManagedFieldsError(`error decoding set: ${error.message}`);
    throw error;
  }
}

/**
 * Writes the sets into the metadata; without managers it gets no managedFields.
 * @throws StatusError 500 if the object could not be read from storage any more
 */
export function* encodeManagedFields(metadata: ObjectMeta, { sets, times }: ManagedFields): Steps<void> {
  if (sets.size === 0) {
    delete metadata.managedFields;
    return;
  }
  try {
    const entries: ManagedFieldsEntry[] = [];
    for (const [identifier, versioned] of sets)
      entries.push(encodeEntry(identifier, versioned, times.get(identifier), yield* printSet(versioned.set)));
    metadata.managedFields = entries.sort(compareEntries);
  } catch (error) {
    if (!(error instanceof FieldsV1DepthError)) throw error;
    refuseUnreadable(sets);
    delete metadata.managedFields;
  }
}

/**
 * Throws unless a set by itself is too deep, in which case all managed fields are dropped. The reference stores sets
 * that become too deep only within their object, and can then neither read that object nor list its collection; here
 * the write fails instead.
 */
function refuseUnreadable(sets: Managers): void {
  for (const { set } of sets.values()) if (depthOfFieldsV1(set) > maxJsonDepth) return;
  throw new StatusError(failureStatus(500, '', new JsonDepthError('{').message));
}

/** An entry, with its members in the order of the Go struct. */
function encodeEntry(
  identifier: string,
  { apiVersion, applied }: VersionedSet,
  time: string | undefined,
  fieldsV1: JsonObject,
): ManagedFieldsEntry {
  const { manager, operation, subresource } = parseManagerIdentifier(identifier);
  const entry: ManagedFieldsEntry = {};
  if (manager !== '') entry.manager = manager;
  entry.operation = applied ? 'Apply' : operation;
  entry.apiVersion = apiVersion;
  if (time !== undefined) entry.time = time;
  entry.fieldsType = 'FieldsV1';
  entry.fieldsV1 = fieldsV1;
  if (subresource !== '') entry.subresource = subresource;
  return entry;
}

/** Orders entries: Apply before Update, then by time, oldest first. */
function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (
    compareText(a.operation, b.operation) ||
    (a.time === b.time ? 0 : secondsOf(a.time) - secondsOf(b.time)) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

export function secondsOf(time: string | undefined): number {
  return Math.floor((timeToMs(time) ?? 0) / 1000);
}

function compareText(a = '', b = ''): number {
  return a === b ? 0 : compareUtf8(a, b);
}

/** Whether a client removes all managers: by an empty list, or a list with one empty entry. */
export function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  if (entries === undefined) return false;
  const [first] = entries;
  return first === undefined || (entries.length === 1 && Object.keys(first).length === 0);
}
