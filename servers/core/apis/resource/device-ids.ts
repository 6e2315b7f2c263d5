import { textOfPlainType } from '#shared/apimachinery/errors/field-error-type.ts';
import { invalid, required, tooLong, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';

// A device is identified by driver, pool and name, and by a share ID if several claims use it.

const maxPoolBytes = 253;
const hex = (digits: number): string => `[0-9a-fA-F]{${digits}}`;
const hyphens = `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`;
const uuidForm = new RegExp(`^(?:${hyphens}|[uU][rR][nN]:[uU][uU][iI][dD]:${hyphens}|\\{${hyphens}\\}|${hex(32)})$`);

/** The identity of a device in the form that errors show. */
export function deviceId(device: JsonObject): JsonObject {
  return {
    Driver: stringAt(device, 'driver'),
    Pool: stringAt(device, 'pool'),
    Device: stringAt(device, 'device'),
    ShareID: stringAt(device, 'shareID'),
  };
}

/** A map key that is equal for equal device identities. */
export function deviceKey(device: JsonObject): string {
  return JSON.stringify(deviceId(device));
}

export function validateDeviceName(name: string, field: Path): FieldError[] {
  return messages(isDNS1123Label(name), field, name);
}

/** Validates a pool name: DNS subdomains separated by slashes. */
export function validatePoolName(name: string, field: Path): FieldError[] {
  if (name === '') return [required(field, '')];
  return [
    ...(Buffer.byteLength(name) > maxPoolBytes ? [tooLong(field, '', maxPoolBytes)] : []),
    ...name.split('/').flatMap((part) => messages(isDNS1123Subdomain(part), field, part)),
  ];
}

export function validateShareId(share: JsonValue | undefined, field: Path): FieldError[] {
  if (typeof share !== 'string') return [];
  if (!uuidForm.test(share))
    return [invalid(field, textOfPlainType(share), `error validating uid: ${uuidError(share)}`)];
  const isNormal = share.length === 36 && share === share.toLowerCase();
  return isNormal
    ? []
    : [
        invalid(
          field,
          textOfPlainType(share),
          'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters',
        ),
      ];
}

/** The error text of github.com/google/uuid. */
function uuidError(text: string): string {
  const bytes = Buffer.byteLength(text);
  if (bytes === 45 && !text.toLowerCase().startsWith('urn:uuid:'))
    return `invalid urn prefix: ${goQuote(text.slice(0, 9))}`;
  if (bytes === 38 && !(text.startsWith('{') && text.endsWith('}'))) return 'invalid bracketed UUID format';
  return [32, 36, 38, 45].includes(bytes) ? 'invalid UUID format' : `invalid UUID length: ${bytes}`;
}
