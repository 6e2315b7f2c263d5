import { goQuote } from '../../apimachinery/go-format.ts';
import { FieldsV1Error, formatFieldsV1, parseFieldsV1 } from '../../apimachinery/managed-fields/fields-v1.ts';
import type { Managers, VersionedSet } from '../../apimachinery/managed-fields/managers.ts';
import type { ManagedFieldsEntry, ObjectMeta } from '../../apimachinery/object.ts';
import { timeToMs } from '../../apimachinery/time.ts';
import { identityOfEntry, managerIdentifier, parseManagerIdentifier } from './manager-identifier.ts';

/** `metadata.managedFields` as sets, by {@link managerIdentifier}. */
export interface ManagedFields {
  readonly sets: Managers;
  /** When each manager last changed something, as the entry has it. Entries of managers without a set do not count. */
  readonly times: ReadonlyMap<string, string>;
}

/** Entries that cannot be read; the message is the reference's. */
export class ManagedFieldsError extends Error {}

/** @throws ManagedFieldsError */
export function decodeManagedFields(entries: readonly ManagedFieldsEntry[] | undefined): ManagedFields {
  const sets = new Map<string, VersionedSet>();
  const times = new Map<string, string>();
  for (const [index, entry] of (entries ?? []).entries()) {
    checkEntry(entry, index);
    const identifier = managerIdentifier(identityOfEntry(entry));
    sets.set(identifier, { set: decodeSet(entry), apiVersion: entry.apiVersion ?? '', applied: entry.operation === 'Apply' });
    if (entry.time) times.set(identifier, entry.time);
    else times.delete(identifier);
  }
  return { sets, times };
}

function checkEntry(entry: ManagedFieldsEntry, index: number): void {
  if (entry.operation !== 'Apply' && entry.operation !== 'Update') throw new ManagedFieldsError('operation must be `Apply` or `Update`');
  if (!entry.apiVersion) throw new ManagedFieldsError('apiVersion must not be empty');
  if (!entry.fieldsType) throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  if (entry.fieldsType !== 'FieldsV1') throw new ManagedFieldsError(`invalid fieldsType ${goQuote(entry.fieldsType)} in managed fields entry ${index}`);
}

function decodeSet(entry: ManagedFieldsEntry): VersionedSet['set'] {
  try {
    return parseFieldsV1(entry.fieldsV1);
  } catch (error) {
    if (error instanceof FieldsV1Error) throw new ManagedFieldsError(`error decoding set: ${error.message}`);
    throw error;
  }
}

/** Writes the sets into an object; one without managers has no such field. */
export function encodeManagedFields(metadata: ObjectMeta, { sets, times }: ManagedFields): void {
  if (sets.size === 0) {
    delete metadata.managedFields;
    return;
  }
  metadata.managedFields = [...sets].map(([identifier, versioned]) => encodeEntry(identifier, versioned, times.get(identifier))).toSorted(compareEntries);
}

/** Members in the order of the Go type. */
function encodeEntry(identifier: string, { set, apiVersion, applied }: VersionedSet, time: string | undefined): ManagedFieldsEntry {
  const { manager, operation, subresource } = parseManagerIdentifier(identifier);
  return {
    ...(manager === '' ? {} : { manager }),
    operation: applied ? 'Apply' : operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: formatFieldsV1(set),
    ...(subresource === '' ? {} : { subresource }),
  };
}

/** Appliers first, then the oldest. */
function compareEntries(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return compareText(a.operation, b.operation) || secondsOf(a.time) - secondsOf(b.time)
    || compareText(a.manager, b.manager) || compareText(a.apiVersion, b.apiVersion) || compareText(a.subresource, b.subresource);
}

export function secondsOf(time: string | undefined): number {
  return Math.floor((timeToMs(time) ?? 0) / 1000);
}

function compareText(a = '', b = ''): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** How a client takes all managers away: by an empty list, or one with an empty entry. */
export function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  if (entries === undefined) return false;
  const [first] = entries;
  return first === undefined || (entries.length === 1 && Object.keys(first).length === 0);
}
