import { required, tooLong, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';

const maxBytes = 63;

/** The name of a CSI or device driver (pkg/apis/core/validation, ValidateCSIDriverName). */
export function validateDriverName(name: string, field: Path): FieldError[] {
  if (name === '') return [required(field, '')];
  return [
    ...(Buffer.byteLength(name) > maxBytes ? [tooLong(field, '', maxBytes)] : []),
    ...messages(isDNS1123Subdomain(name.toLowerCase()), field, name),
  ];
}
