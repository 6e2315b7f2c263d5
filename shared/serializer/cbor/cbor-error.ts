/**
 * The error for bytes that are not CBOR, or that the protocol does not accept; messages are those of the reference's
 * decoder (fxamacker/cbor).
 */
export class CborError extends Error {
  override readonly name: string = 'CborError';
}

/** The error for a data item that does not fit its Go type. */
export class CborTypeError extends CborError {
  override readonly name = 'CborTypeError';
  readonly #item: string;
  readonly #type: string;
  readonly #why: string;

  /**
   * @param item the kind of the data item, as {@link majorName} gives it
   * @param type the Go type
   * @param why the reason, where the kind of the item is not the problem
   */
  constructor(item: string, type: string, why = '', field = '') {
    super(
      `cbor: cannot unmarshal ${item} into Go ${field === '' ? 'value' : `struct field ${field}`} of type ${type}${why === '' ? '' : ` (${why})`}`,
    );
    this.#item = item;
    this.#type = type;
    this.#why = why;
  }

  /** The same error with the name of a field, which is that of the outermost struct. */
  in(field: string): CborTypeError {
    return new CborTypeError(this.#item, this.#type, this.#why, field);
  }
}

/** Major types of RFC 8949 §3.1. */
export const major = { positive: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6, other: 7 } as const;

const names = [
  'positive integer',
  'negative integer',
  'byte string',
  'UTF-8 text string',
  'array',
  'map',
  'tag',
  'primitives',
];

/** The name of a major type in error texts. */
export function majorName(type: number): string {
  return names[type] ?? '';
}

/** The error for an item that is well-formed CBOR but not accepted by the API. */
export function notAccepted(type: number, what: string): CborError {
  return new CborError(`cbor: data item of cbor type ${majorName(type)} is not accepted by protocol: ${what}`);
}
