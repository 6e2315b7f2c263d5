import { ProtobufReader } from '#shared/protobuf/protobuf-reader.ts';

/** A kind whose objects concern the garbage collector; `unknown` where the stored form does not tell. */
export type CollectedKind = { readonly apiVersion: string; readonly kind: string } | 'unknown';

const protobufStart = Buffer.from('k8s\0', 'latin1');
const encryptedStart = Buffer.from('k8s:enc:', 'latin1');
const cborStart = Buffer.from([0xd9, 0xd9, 0xf7]);
/** JSON that is longer is not parsed for this. */
const maxParsed = 256 * 1024;
const heldByCollector: ReadonlySet<string> = new Set(['foregroundDeletion', 'orphan']);

/** Fields of metav1.ObjectMeta. */
const deletionTimestampField = 9;
const ownersField = 13;
const finalizersField = 14;

/**
 * Whether a stored object names owners, or was deleted and waits for the garbage collector; undefined for all others.
 * Only the fields on the way are read, which takes microseconds.
 */
export function collectedKind(value: Buffer): CollectedKind | undefined {
  try {
    if (value[0] === 0x7b) return kindOfJson(value);
    if (value.subarray(0, protobufStart.length).equals(protobufStart)) return kindOfProtobuf(value);
  } catch {
    // It is no object.
    return undefined;
  }
  const isClosed = [encryptedStart, cborStart].some((start) => value.subarray(0, start.length).equals(start));
  return isClosed ? 'unknown' : undefined;
}

function kindOfJson(value: Buffer): CollectedKind | undefined {
  const mayConcern =
    value.includes('"ownerReferences"') ||
    (value.includes('"deletionTimestamp"') && [...heldByCollector].some((name) => value.includes(`"${name}"`)));
  if (!mayConcern) return undefined;
  if (value.length > maxParsed) return 'unknown';
  const { apiVersion = '', kind = '' } = JSON.parse(value.toString('utf8')) as { apiVersion?: string; kind?: string };
  return { apiVersion, kind };
}

/** runtime.Unknown: its type, and the object, whose first field is its metadata. */
function kindOfProtobuf(value: Buffer): CollectedKind | undefined {
  let type: Buffer | undefined;
  let isCollected = false;
  for (const [field, bytes] of messageFields(value.subarray(protobufStart.length))) {
    if (field === 1) type = bytes;
    if (field !== 2) continue;
    for (const [inner, metadata] of messageFields(bytes)) {
      if (inner === 1) isCollected = concernsCollector(metadata);
      break;
    }
  }
  if (!isCollected || type === undefined) return undefined;
  const texts = new Map([...messageFields(type)].map(([field, bytes]) => [field, bytes.toString('utf8')]));
  return { apiVersion: texts.get(1) ?? '', kind: texts.get(2) ?? '' };
}

function concernsCollector(metadata: Buffer): boolean {
  let isDeleting = false;
  let isHeld = false;
  for (const [field, bytes] of messageFields(metadata)) {
    if (field === ownersField) return true;
    if (field === deletionTimestampField) isDeleting = true;
    if (field === finalizersField) isHeld ||= heldByCollector.has(bytes.toString('utf8'));
  }
  return isDeleting && isHeld;
}

/** The fields of a message that have a length, in their order. */
function* messageFields(bytes: Buffer): Generator<readonly [number, Buffer]> {
  const reader = new ProtobufReader(bytes);
  while (reader.position < bytes.length) {
    const tag = reader.varint(bytes.length);
    if ((tag & 7) !== 2) {
      reader.skip(tag & 7, bytes.length);
      continue;
    }
    const length = reader.varint(bytes.length);
    const end = reader.position + length;
    yield [tag >>> 3, bytes.subarray(reader.position, end)];
    reader.position = end;
  }
}
