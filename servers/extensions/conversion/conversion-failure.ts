/**
 * What went wrong, by the kinds of failure that the reference counts: the webhook could not be called (`call`), its
 * answer is no review or tells of a failure (`answer`), it has another number of objects (`count`), or one of these
 * is not what was asked for (`object`).
 */
export type ConversionFailureKind = 'call' | 'answer' | 'count' | 'object';

/** A conversion by a webhook that failed, in the reference's words. */
export class ConversionFailure extends Error {
  readonly kind: ConversionFailureKind;

  constructor(kind: ConversionFailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConversionFailure';
    this.kind = kind;
  }
}
