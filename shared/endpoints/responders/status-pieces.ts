import type { Status } from '#shared/apimachinery/errors/status.ts';
import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { paced } from '#shared/apimachinery/slices/slices.ts';
import { jsonTextInSteps } from '#shared/serializer/json/encode-in-steps.ts';
import { prettyPieces } from '#shared/serializer/json/pretty-printer.ts';
import { quotedPieces } from '#shared/serializer/json/quoted-pieces.ts';
import type { MediaType } from '#shared/serializer/negotiate.ts';
import { yamlPieces } from '#shared/serializer/yaml/emit.ts';

/** Messages with more characters are printed in steps. The errors of a strict apply of 3 MB can reach 14 MB. */
const longMessage = 64 * 1024;
const pause = new Uint8Array(0);
const pauseMs = 1;
const newline = Buffer.from('\n');
const messageStart = '"message":"';

/**
 * Whether a Status is sent in pieces in this media type. In protobuf and CBOR the bytes of a text are copied, which is
 * fast.
 */
export function isLongStatus({ message }: Status, mediaType: MediaType): boolean {
  return (
    message !== undefined &&
    message.length > longMessage &&
    (mediaType === 'application/json' || mediaType === 'application/yaml')
  );
}

/** The body of a Status with a long message, made as it is read. */
export function* statusPieces(
  schema: StructSchema,
  status: Status,
  mediaType: MediaType,
  pretty: boolean,
): Generator<Uint8Array, void> {
  const { message = '' } = status;
  // The placeholder keeps the field, which would be omitted if empty. Quotes within texts are escaped, so the first
  // match is the field itself.
  const around = yield* paced(jsonTextInSteps(schema, { ...status, message: '-' }), pauseMs, pause);
  if (mediaType === 'application/yaml') {
    const value = JSON.parse(around) as JsonValue;
    if (isObject(value)) value['message'] = message.toWellFormed();
    yield* yamlPieces(value);
    return;
  }
  const at = around.indexOf(messageStart) + messageStart.length;
  const json = jsonPieces(around.slice(0, at), message, around.slice(at + 1));
  if (pretty) yield* prettyPieces(json);
  else {
    yield* json;
    yield newline;
  }
}

function* jsonPieces(head: string, text: string, tail: string): Generator<Uint8Array, void> {
  yield Buffer.from(head);
  for (const piece of quotedPieces(text)) yield Buffer.from(piece);
  yield Buffer.from(tail);
}
