import { newBadRequest } from '#shared/apimachinery/errors/status.ts';
import { isObject } from '#shared/apimachinery/json/json.ts';
import { CborError } from '#shared/serializer/cbor/cbor-error.ts';
import { parseCbor } from '#shared/serializer/cbor/decode-value.ts';
import { mismatch } from '#shared/serializer/cbor/mismatch.ts';
import { CborReader } from '#shared/serializer/cbor/reader.ts';
import type { AppliedConfig } from './apply-patch.ts';

/**
 * The applied configuration in a CBOR body. The error text mentions YAML, as the reference's does.
 * @throws StatusError 400 if the body is not CBOR or not an object
 */
export function readAppliedCbor(body: Buffer): AppliedConfig {
  try {
    const value = parseCbor(body);
    if (value !== null && !isObject(value)) throw mismatch(new CborReader(body), 'map[string]interface {}');
    return { value: value ?? {}, duplicates: '' };
  } catch (error) {
    if (error instanceof CborError || error instanceof RangeError)
      throw newBadRequest(`error decoding YAML: ${error.message}`);
    throw error;
  }
}
