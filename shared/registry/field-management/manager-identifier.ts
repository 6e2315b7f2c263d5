import { LRUCache } from 'lru-cache';
import { getKey, isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { ManagedFieldsEntry } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { quoteJson } from '#shared/serializer/json/go-text.ts';

/** The identity of a manager: the members that distinguish the entries of `metadata.managedFields`. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: string;
  /** Empty for Apply: a manager has one set of applied fields, whatever the version. */
  readonly apiVersion: string;
  readonly subresource: string;
}

/**
 * The identity as text, equal for equal identities. It has the form of the reference, since managers are sorted by it
 * when there are too many, and in conflicts (apimachinery/pkg/util/managedfields/internal/managedfields.go).
 */
export function managerIdentifier({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  let members = '';
  if (manager !== '') members = `"manager":${quoteJson(manager)}`;
  if (operation !== '') members += `${comma(members)}"operation":${quoteJson(operation)}`;
  if (operation !== 'Apply' && apiVersion !== '') members += `${comma(members)}"apiVersion":${quoteJson(apiVersion)}`;
  if (subresource !== '') members += `${comma(members)}"subresource":${quoteJson(subresource)}`;
  return `{${members}}`;
}

function comma(before: string): string {
  return before === '' ? '' : ',';
}

export function identityOfEntry(entry: ManagedFieldsEntry): ManagerIdentity {
  const { manager = '', operation = '', apiVersion = '', subresource = '' } = entry;
  return { manager, operation, apiVersion, subresource };
}

const identities = new LRUCache<string, ManagerIdentity>({ max: 1000 });

/** The identity from which an identifier was made. */
export function parseManagerIdentifier(identifier: string): ManagerIdentity {
  let identity = identities.get(identifier);
  if (identity === undefined) {
    identity = readIdentifier(identifier);
    identities.set(identifier, identity);
  }
  return identity;
}

function readIdentifier(identifier: string): ManagerIdentity {
  const value = JSON.parse(identifier) as JsonValue;
  const text = (name: string): string => {
    const member = isObject(value) ? getKey(value, name) : undefined;
    return typeof member === 'string' ? member : '';
  };
  return {
    manager: text('manager'),
    operation: text('operation'),
    apiVersion: text('apiVersion'),
    subresource: text('subresource'),
  };
}

/** A manager as conflict messages name it. */
export function managerText(identifier: string): string {
  const { manager, operation, apiVersion, subresource } = parseManagerIdentifier(identifier);
  const name = subresource === '' ? goQuote(manager) : `${goQuote(manager)} with subresource ${goQuote(subresource)}`;
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
