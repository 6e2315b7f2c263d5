import type { FieldError, Path } from '#shared/apimachinery/errors/field-error.ts';
import { forbidden, invalid, required, tooLong } from '#shared/apimachinery/errors/field-error.ts';
import { formatGroupVersionKind, parseGroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from '#shared/apimachinery/object.ts';
import { semanticEqual } from '#shared/apimachinery/schema/deep-equal.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { byteLength, compareUtf8, goQuote, isPrintable } from '#shared/apimachinery/text/go-format.ts';
import type { NameRule } from './names.ts';
import { isDNS1123Label, isLabelValue, isQualifiedName } from './names.ts';

/** Bytes of all annotation keys and values together. */
export const MAX_ANNOTATIONS_BYTES = 256 * 1024;
const MAX_FIELD_MANAGER_BYTES = 128;
const MAX_SUBRESOURCE_BYTES = 256;

/** Rules of `metadata` on create (apimachinery/pkg/api/validation `ValidateObjectMeta`). */
export function* validateObjectMeta(
  meta: ObjectMeta,
  namespaced: boolean,
  nameRule: NameRule,
  path: Path,
): Steps<FieldError[]> {
  const errors = validateMetaNames(meta, nameRule, path);
  errors.push(...validateNamespace(meta.namespace ?? '', namespaced, path.child('namespace')));
  const generation = meta.generation ?? 0;
  if (generation < 0) errors.push(invalid(path.child('generation'), generation, 'must be greater than or equal to 0'));
  return [
    ...errors,
    ...(yield* validateLabels(meta.labels, path.child('labels'))),
    ...(yield* validateAnnotations(meta.annotations, path.child('annotations'))),
    ...(yield* validateOwners(meta.ownerReferences ?? [], path.child('ownerReferences'))),
    ...(yield* validateFinalizers(meta.finalizers ?? [], path.child('finalizers'))),
    ...(yield* validateManagers(meta.managedFields ?? [], path.child('managedFields'))),
  ];
}

/** The part of {@link validateObjectMeta} that depends on the rule of names. */
export function validateMetaNames(meta: ObjectMeta, nameRule: NameRule, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  const generateName = meta.generateName ?? '';
  const name = meta.name ?? '';
  for (const text of generateName === '' ? [] : nameRule(generateName, true))
    errors.push(invalid(path.child('generateName'), generateName, text));
  if (name === '') errors.push(required(path.child('name'), 'name or generateName is required'));
  else for (const text of nameRule(name, false)) errors.push(invalid(path.child('name'), name, text));
  return errors;
}

function validateNamespace(namespace: string, namespaced: boolean, path: Path): FieldError[] {
  if (!namespaced) return namespace === '' ? [] : [forbidden(path, 'not allowed on this type')];
  if (namespace === '') return [required(path, '')];
  return isDNS1123Label(namespace).map((text) => invalid(path, namespace, text));
}

/**
 * Rules of `metadata` on update (`ValidateObjectMetaUpdate`).
 * @param isValid whether {@link validateObjectMeta} has found no errors, so that only changes are left to check
 */
export function* validateObjectMetaUpdate(
  meta: ObjectMeta,
  old: ObjectMeta,
  path: Path,
  isValid = false,
): Steps<FieldError[]> {
  const errors = validateMetaChanges(meta, old, path);
  if (isValid) return errors;
  return [
    ...errors,
    ...(yield* validateLabels(meta.labels, path.child('labels'))),
    ...(yield* validateAnnotations(meta.annotations, path.child('annotations'))),
    ...(yield* validateOwners(meta.ownerReferences ?? [], path.child('ownerReferences'))),
    ...(yield* validateManagers(meta.managedFields ?? [], path.child('managedFields'))),
  ];
}

function validateMetaChanges(meta: ObjectMeta, old: ObjectMeta, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined) {
    errors.push(...validateNoNewFinalizers(meta.finalizers ?? [], old.finalizers ?? [], path.child('finalizers')));
  }
  if ((meta.resourceVersion ?? '') === '')
    errors.push(invalid(path.child('resourceVersion'), '', 'must be specified for an update'));
  const generation = meta.generation ?? 0;
  if (generation < (old.generation ?? 0))
    errors.push(invalid(path.child('generation'), generation, 'must not be decremented'));
  return [
    ...errors,
    ...immutableText(meta.name, old.name, path.child('name')),
    ...immutableText(meta.namespace, old.namespace, path.child('namespace')),
    ...immutableText(meta.uid, old.uid, path.child('uid')),
    ...validateImmutableField(meta.creationTimestamp, old.creationTimestamp, path.child('creationTimestamp')),
    ...validateDeletionTime(meta.deletionTimestamp, old.deletionTimestamp, path.child('deletionTimestamp')),
    ...validateImmutableField(
      meta.deletionGracePeriodSeconds,
      old.deletionGracePeriodSeconds,
      path.child('deletionGracePeriodSeconds'),
    ),
  ];
}

/** Null is Go's zero time, which differs from an absent one. */
function validateDeletionTime(time: string | null | undefined, old: string | undefined, path: Path): FieldError[] {
  return time === null && old === undefined
    ? [invalid(path, null, 'field is immutable')]
    : validateImmutableField(time, old, path);
}

/** `field is immutable` where the values differ; the new one is shown, `null` for an absent one. */
export function validateImmutableField(
  value: JsonValue | undefined,
  old: JsonValue | undefined,
  path: Path,
): FieldError[] {
  return semanticEqual(value, old) ? [] : [invalid(path, value ?? null, 'field is immutable')];
}

function immutableText(value: string | undefined, old: string | undefined, path: Path): FieldError[] {
  return validateImmutableField(value ?? '', old ?? '', path);
}

/** Keys and values of labels; errors come in the order of the keys. */
export function* validateLabels(labels: Readonly<Record<string, string>> | undefined, path: Path): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  for (const key in labels) {
    if (sliceIsOver()) yield;
    if (!Object.hasOwn(labels, key)) continue;
    const value = labels[key] ?? '';
    for (const text of isQualifiedName(key)) errors.push(invalid(path, key, text));
    for (const text of isLabelValue(value)) errors.push(invalid(path, value, text));
  }
  return errors;
}

/** Keys and total size of annotations; keys may have capital letters in their prefix. */
export function* validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  path: Path,
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const key in annotations) {
    if (sliceIsOver()) yield;
    if (!Object.hasOwn(annotations, key)) continue;
    for (const text of isQualifiedName(key.toLowerCase())) errors.push(invalid(path, key, text));
    bytes += byteLength(key) + byteLength(annotations[key] ?? '');
  }
  return bytes > MAX_ANNOTATIONS_BYTES ? [...errors, tooLong(path, '', MAX_ANNOTATIONS_BYTES)] : errors;
}

/** Owner references: complete, no Event as owner, at most one controller. */
function* validateOwners(references: readonly OwnerReference[], path: Path): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  let controller = '';
  let shown: JsonValue | undefined;
  for (const reference of references) {
    if (sliceIsOver()) yield;
    errors.push(...validateOwnerReference(reference, path));
    if (reference.controller !== true) continue;
    // References are as the client sent them: fields may be missing.
    const { kind = '', name = '' }: Partial<OwnerReference> = reference;
    const current = `${kind}/${name}`;
    if (controller === '') controller = current;
    else {
      shown ??= references.map((item) => ordered(item));
      errors.push(
        invalid(
          path,
          shown,
          'Only one reference can have Controller set to true. ' +
            `Found "true" in references for ${controller} and ${current}`,
        ),
      );
    }
  }
  return errors;
}

function validateOwnerReference(reference: OwnerReference, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  const { apiVersion = '', kind = '', name = '', uid = '' } = reference;
  const gvk = parseGroupVersionKind(apiVersion, kind);
  if (gvk.version === '') errors.push(invalid(path.child('apiVersion'), apiVersion, 'version must not be empty'));
  if (kind === '') errors.push(invalid(path.child('kind'), kind, 'must not be empty'));
  if (name === '') errors.push(invalid(path.child('name'), name, 'must not be empty'));
  if (uid === '') errors.push(invalid(path.child('uid'), uid, 'must not be empty'));
  if (gvk.group === '' && gvk.version === 'v1' && kind === 'Event') {
    errors.push(invalid(path, ordered(reference), `${formatGroupVersionKind(gvk)} is disallowed from being an owner`));
  }
  return errors;
}

/** The reference with its fields in the order in which Go prints the struct. */
function ordered(reference: OwnerReference): OwnerReference {
  const { apiVersion = '', kind = '', name = '', uid = '', controller, blockOwnerDeletion } = reference;
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(controller === undefined ? {} : { controller }),
    ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
  };
}

function* validateFinalizers(finalizers: readonly string[], path: Path): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  for (const name of finalizers) {
    for (const text of isQualifiedName(name)) errors.push(invalid(path, name, text));
    if (sliceIsOver()) yield;
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalid(path, [...finalizers], 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}

/** An object that is being deleted must not get new finalizers. */
function validateNoNewFinalizers(finalizers: readonly string[], old: readonly string[], path: Path): FieldError[] {
  const before = new Set(old);
  const extra = [...new Set(finalizers)].filter((name) => !before.has(name)).sort(compareUtf8);
  if (extra.length === 0) return [];
  const list = `[]string{${extra.map((name) => goQuote(name)).join(', ')}}`;
  return [
    forbidden(path, `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`),
  ];
}

function* validateManagers(entries: readonly ManagedFieldsEntry[], path: Path): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  for (const [i, entry] of entries.entries()) {
    if (isUsualEntry(entry)) continue;
    const at = path.index(i);
    const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry;
    if (operation !== 'Apply' && operation !== 'Update')
      errors.push(invalid(at.child('operation'), operation, 'must be `Apply` or `Update`'));
    if (fieldsType !== '' && fieldsType !== 'FieldsV1')
      errors.push(invalid(at.child('fieldsType'), fieldsType, 'must be `FieldsV1`'));
    errors.push(...validateFieldManager(manager, at.child('manager')));
    if (byteLength(subresource) > MAX_SUBRESOURCE_BYTES)
      errors.push(tooLong(at.child('subresource'), '', MAX_SUBRESOURCE_BYTES));
    if (sliceIsOver()) yield;
  }
  return errors;
}

const usualManager = /^[\x20-\x7e]{0,128}$/;

/** Whether an entry is certainly valid. */
function isUsualEntry({ operation, fieldsType = '', manager = '', subresource = '' }: ManagedFieldsEntry): boolean {
  return (
    (operation === 'Update' || operation === 'Apply') &&
    (fieldsType === 'FieldsV1' || fieldsType === '') &&
    usualManager.test(manager) &&
    subresource.length * 3 <= MAX_SUBRESOURCE_BYTES
  );
}

/** A manager's name: at most 128 bytes, printable. */
export function validateFieldManager(manager: string, path: Path): FieldError[] {
  const errors = byteLength(manager) > MAX_FIELD_MANAGER_BYTES ? [tooLong(path, '', MAX_FIELD_MANAGER_BYTES)] : [];
  let position = 0;
  for (const char of manager) {
    if (!isPrintable(char)) {
      const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalid(path, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += byteLength(char);
  }
  return errors;
}
