import { invalid, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';

// Paths inside volumes (pkg/apis/core/validation, validateLocalDescendingPath and similar functions).

/** Refuses a path with a `..` segment. */
export function validateNoBacksteps(text: string, field: Path): FieldError[] {
  return text.split('/').includes('..') ? [invalid(field, text, "must not contain '..'")] : [];
}

/** Validates a relative path without `..` segments. */
export function validateDescendingPath(text: string, field: Path): FieldError[] {
  return [
    ...(text.startsWith('/') ? [invalid(field, text, 'must be a relative path')] : []),
    ...validateNoBacksteps(text, field),
  ];
}

/** Validates a descending path that does not start with `..`: the kubelet itself uses such names. */
export function validateUnreservedPath(text: string, field: Path): FieldError[] {
  const errors = validateDescendingPath(text, field);
  return text.startsWith('..') && !text.startsWith('../')
    ? [...errors, invalid(field, text, "must not start with '..'")]
    : errors;
}

/** Validates a file mode of at most nine bits. */
export function validateFileMode(mode: number | undefined, field: Path): FieldError[] {
  return mode !== undefined && (mode < 0 || mode > 0o777)
    ? [invalid(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive')]
    : [];
}
