import { aggregateMessages, fieldErrorText, invalid, Path, required } from '#shared/apimachinery/errors/field-error.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';
import { decodeMessage, encodeMessage } from '#shared/storage/etcd-wire/codec.ts';
import { encryptedObjectType, type Annotation, type EncryptedObject } from './kms-messages.ts';

const maxKeyIdBytes = 1024;
const maxDekSourceBytes = 1024;
const maxAnnotationBytes = 32 * 1024;

/** @throws Error if it is no EncryptedObject, or one whose parts break the limits (apiserver's kmsv2/envelope.go) */
export function decodeEncryptedObject(stored: Uint8Array): EncryptedObject {
  const object = decodeMessage(encryptedObjectType, Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength));
  if (object.encryptedDekSourceType.startsWith('UNKNOWN_'))
    throw new Error(`unknown encryptedDEKSourceType: ${object.encryptedDekSourceType.slice('UNKNOWN_'.length)}`);
  if (object.encryptedData.length === 0) throw new Error('encrypted data is empty');
  validateDataKeyParts(object);
  return object;
}

export function encodeEncryptedObject(object: EncryptedObject): Buffer {
  return encodeMessage(encryptedObjectType, object);
}

/** @throws Error for parts that must not be stored beside a value */
export function validateDataKeyParts(
  parts: Pick<EncryptedObject, 'keyId' | 'encryptedDekSource' | 'annotations'>,
): void {
  const fault = dekSourceFault(parts.encryptedDekSource);
  if (fault !== undefined) throw new Error(`failed to validate encrypted DEK source: ${fault}`);
  const keyFault = keyIdFault(parts.keyId);
  if (keyFault !== undefined) throw new Error(`failed to validate key id: ${keyFault.text}`);
  const annotationsFault = annotationFaults(parts.annotations);
  if (annotationsFault !== '') throw new Error(`failed to validate annotations: ${annotationsFault}`);
}

/** What is wrong with a key id; `code` is the label in a metric. */
export function keyIdFault(keyId: string): { readonly code: 'empty' | 'too_long'; readonly text: string } | undefined {
  if (keyId === '') return { code: 'empty', text: 'keyID is empty' };
  const size = Buffer.byteLength(keyId);
  if (size <= maxKeyIdBytes) return undefined;
  return { code: 'too_long', text: `keyID is ${size} bytes, which exceeds the max size of ${maxKeyIdBytes}` };
}

function dekSourceFault({ length }: Buffer): string | undefined {
  if (length === 0) return 'encrypted DEK source is empty';
  if (length <= maxDekSourceBytes) return undefined;
  return `encrypted DEK source is ${length} bytes, which exceeds the max size of ${maxDekSourceBytes}`;
}

/** Empty if there are none. */
function annotationFaults(annotations: readonly Annotation[]): string {
  const faults = annotations.flatMap(({ key }) => domainFault(key) ?? []);
  const total = annotations.reduce((sum, { key, value }) => sum + Buffer.byteLength(key) + value.length, 0);
  if (total > maxAnnotationBytes)
    faults.push(`total size of annotations is ${total}, which exceeds the max size of ${maxAnnotationBytes}`);
  return aggregateMessages(faults);
}

/** Keys of annotations are domain names with at least one dot (apimachinery's IsFullyQualifiedDomainName). */
function domainFault(key: string): string | undefined {
  const field = new Path('annotations');
  if (key === '') return fieldErrorText(required(field, ''));
  const name = key.endsWith('.') ? key.slice(0, -1) : key;
  const faults = isDNS1123Subdomain(name);
  if (faults.length > 0) return fieldErrorText(invalid(field, name, faults.join(',')));
  const labels = name.split('.');
  if (labels.length < 2)
    return fieldErrorText(invalid(field, name, 'should be a domain with at least two segments separated by dots'));
  const label = labels.find((item) => isDNS1123Label(item).length > 0);
  return label === undefined ? undefined : fieldErrorText(invalid(field, label, isDNS1123Label(label).join(',')));
}
