import { validateDriverName } from '#servers/core/validation/driver-name.ts';
import { textOfPlainType } from '#shared/apimachinery/errors/field-error-type.ts';
import { invalid, tooLong, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isCIdentifier } from '#shared/apimachinery/validation/names.ts';
import { withPlainString } from '#shared/registry/named-strings.ts';

const maxIdentifierBytes = 32;

function validateIdentifier(text: string, field: Path): FieldError[] {
  return [
    ...(Buffer.byteLength(text) > maxIdentifierBytes ? [tooLong(field, '', maxIdentifierBytes)] : []),
    ...messages(isCIdentifier(text), field, textOfPlainType(text)),
  ];
}

/**
 * Validates `domain/identifier` or `identifier` (pkg/apis/resource/validation validateQualifiedName, which also accepts
 * more than two parts).
 */
export function validateAttributeName(name: string, field: Path): FieldError[] {
  const parts = name.split('/');
  const [first = '', second = ''] = parts;
  if (parts.length === 1) return validateIdentifier(first, field);
  if (parts.length > 2) return [];
  return [
    ...(first === ''
      ? [invalid(field, '', 'the domain must not be empty')]
      : validateDriverName(first, field).map(withPlainString)),
    ...(second === '' ? [invalid(field, '', 'the name must not be empty')] : validateIdentifier(second, field)),
  ];
}

/** Like {@link validateAttributeName}, but the domain is required. */
export function validateFullAttributeName(name: string, field: Path): FieldError[] {
  const errors = validateAttributeName(name, field);
  return name.includes('/')
    ? errors
    : [...errors, invalid(field, name, 'a fully qualified name must be a domain and a name separated by a slash')];
}
