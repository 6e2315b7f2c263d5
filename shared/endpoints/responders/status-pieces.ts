import { isObject, type JsonValue } from '../../apimachinery/json.ts';
import type { StructSchema } from '../../apimachinery/schema.ts';
import { paced } from '../../apimachinery/slices.ts';
import type { Status } from '../../apimachinery/status.ts';
import { jsonTextInSteps } from '../../serializer/json/encode-in-steps.ts';
import type { MediaType } from '../../serializer/negotiate.ts';
import { prettyPieces } from '../../serializer/json/pretty-printer.ts';
import { quotedPieces } from '../../serializer/json/quoted-pieces.ts';
import { yamlPieces } from '../../serializer/yaml/emit.ts';

/** Messages with more characters are printed in steps. Errors of an apply under Strict come to 14 MB of 3 MB. */
const longMessage = 64 * 1024;
const pause = new Uint8Array(0);
const pauseMs = 1;
const newline = Buffer.from('\n');
const messageStart = '"message":"';

/** Whether a Status goes out in pieces in this form; protobuf and CBOR copy the bytes of a text, which is soon done. */
export function isLongStatus({ message }: Status, mediaType: MediaType): boolean {
  return (
    message !== undefined &&
    message.length > longMessage &&
    (mediaType === 'application/json' || mediaType === 'application/yaml')
  );
}

/** The body of a Status whose message is long, made as it is taken. */
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
