/**
 * Bytes that are no CBOR, or none that the protocol takes; texts as the reference's decoder (fxamacker/cbor) words
 * them.
 */
export class CborError extends Error {
  override readonly name: string = 'CborError';
}

/** A data item that its Go type cannot take. */
export class CborTypeError extends CborError {
  override readonly name = 'CborTypeError';
  readonly #item: string;
  readonly #type: string;
  readonly #why: string;

  /**
   * @param item what stands there, as {@link majorName} calls it
   * @param type the Go type
   * @param why what is wrong beyond the kind of item
   */
  constructor(item: string, type: string, why = '', field = '') {
    super(
      `cbor: cannot unmarshal ${item} into Go ${field === '' ? 'value' : `struct field ${field}`} of type ${type}${why === '' ? '' : ` (${why})`}`,
    );
    this.#item = item;
    this.#type = type;
    this.#why = why;
  }

  /** The same error for a field; the outermost struct names its own field. */
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

/** What error texts call a data item of a major type. */
export function majorName(type: number): string {
  return names[type] ?? '';
}

/** An item that is well-formed CBOR, but outside of what the API can hold. */
export function notAccepted(type: number, what: string): CborError {
  return new CborError(`cbor: data item of cbor type ${majorName(type)} is not accepted by protocol: ${what}`);
}
