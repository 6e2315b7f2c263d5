import {
  invalid,
  notSupported,
  path,
  required,
  forbidden,
  tooLong,
  type FieldError,
} from '#shared/apimachinery/errors/field-error.ts';
import { newInvalid } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { textOfBytes } from '#shared/apimachinery/text/byte-text.ts';
import { byteLength, isPrintable } from '#shared/apimachinery/text/go-format.ts';
import { validateDryRun } from '#shared/registry/delete-options.ts';
import type { QueryParameters } from '#shared/request/query-parameters.ts';
import type { FieldValidation } from '#shared/serializer/decode-binary.ts';
import { booleanParameter } from './query-values.ts';

/** CreateOptions, UpdateOptions and PatchOptions (`meta.k8s.io/v1`), decoded and validated. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** Empty where the request names no manager: {@link managerOf} then takes the product of the user agent. */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** `force`, for apply only. */
  readonly force: boolean;
  /** The options object that is passed to admission. */
  readonly asObject: JsonObject;
}

export type WriteOptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

const plain: Readonly<Record<WriteOptionsKind, WriteOptions>> = {
  CreateOptions: plainOptions('CreateOptions'),
  UpdateOptions: plainOptions('UpdateOptions'),
  PatchOptions: plainOptions('PatchOptions'),
};

function plainOptions(kind: WriteOptionsKind): WriteOptions {
  return {
    dryRun: false,
    fieldManager: '',
    fieldValidation: 'Warn',
    force: false,
    asObject: { kind, apiVersion: 'meta.k8s.io/v1' },
  };
}

const maxFieldManagerBytes = 128;

/** Reads the options of a write from the query. Throws 422 for values that are not allowed. */
export function parseWriteOptions(kind: WriteOptionsKind, query: QueryParameters, isApply = false): WriteOptions {
  if (query.size === 0 && !isApply) return plain[kind];
  const dryRun = query.getAll('dryRun');
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  const force = kind === 'PatchOptions' ? booleanParameter(query, 'force') : undefined;
  const errors = [
    ...(isApply && fieldManager === '' ? [required(path('fieldManager'), 'is required for apply patch')] : []),
    ...(!isApply && force !== undefined ? [forbidden(path('force'), 'may not be specified for non-apply patch')] : []),
    ...validateFieldManager(fieldManager),
    ...validateDryRun(dryRun),
    ...validateFieldValidation(fieldValidation),
  ];
  if (errors.length > 0) throw newInvalid({ group: 'meta.k8s.io', kind }, '', errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: fieldValidation === '' ? 'Warn' : (fieldValidation as FieldValidation),
    force: force === true,
    asObject: {
      kind,
      apiVersion: 'meta.k8s.io/v1',
      ...(dryRun.length === 0 ? {} : { dryRun }),
      ...(force === undefined ? {} : { force }),
      ...(fieldManager === '' ? {} : { fieldManager }),
      ...(fieldValidation === '' ? {} : { fieldValidation }),
    },
  };
}

function validateFieldValidation(value: string): FieldError[] {
  const allowed = ['', 'Ignore', 'Strict', 'Warn'];
  return allowed.includes(value) ? [] : [notSupported(path('fieldValidation'), value, allowed)];
}

function validateFieldManager(manager: string): FieldError[] {
  const errors: FieldError[] = [];
  const field = path('fieldManager');
  // The reference would also report each invalid character, with the whole name each time: gigabytes for one long URL.
  if (byteLength(manager) > maxFieldManagerBytes) return [tooLong(field, '', maxFieldManagerBytes)];
  let position = 0;
  for (const char of manager) {
    // To Go, a byte that is not UTF-8 is U+FFFD, which is printable.
    if (!isPrintable(char.toWellFormed()))
      errors.push(invalid(field, manager, `invalid character ${codePoint(char)} (at position ${position})`));
    position += byteLength(char);
  }
  return errors;
}

function codePoint(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * The field manager of a request: the one that it names, or the product in its user agent, which is given in bytes.
 * Bytes of the agent that are not UTF-8 are U+FFFD, since Go walks through its characters.
 */
export function managerOf(options: WriteOptions, userAgent: string | undefined): string {
  if (options.fieldManager !== '') return options.fieldManager;
  let manager = '';
  for (const char of textOfBytes(userAgent?.split('/')[0] ?? '').toWellFormed()) {
    if (!isPrintable(char)) continue;
    if (byteLength(manager) + byteLength(char) > maxFieldManagerBytes) break;
    manager += char;
  }
  return manager;
}
