import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { decodeText } from '#shared/serializer/codec.ts';
import { DecodeError } from '#shared/serializer/decode-errors.ts';
import { jsonType, yamlType } from '#shared/serializer/negotiate.ts';
import { schemaOfKind, type ConfigurationScheme } from './configuration-scheme.ts';
import { ConfigurationError, isJsonObject } from './decode-configuration.ts';

/**
 * Decodes a configuration file without a kind as `struct`. Unknown fields are no errors.
 * @throws ConfigurationError
 */
export function decodeUnversioned(types: ConfigurationScheme['types'], struct: string, bytes: Uint8Array): JsonObject {
  if (bytes.every((byte) => byte <= 0x20)) throw new ConfigurationError('EOF');
  const schema = schemaOfKind({ isStrict: false, kinds: [], types }, struct, 'v1');
  const unnamed = { group: '', version: '', kind: '' };
  try {
    return atOnce(
      decodeText({ schema: () => schema }, isJsonObject(bytes) ? jsonType : yamlType, bytes, {
        defaultGvk: unnamed,
        fieldValidation: 'Ignore',
      }),
    ).object;
  } catch (error) {
    throw error instanceof DecodeError ? new ConfigurationError(error.message) : error;
  }
}
