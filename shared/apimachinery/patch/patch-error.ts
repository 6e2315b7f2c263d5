import { newBadRequest, newGenericServerResponse } from '#shared/apimachinery/errors/status.ts';

/** `badRequest`: 400 with the text; `unprocessable`: 422 with a fixed text; `internal`: 500 with the text. */
export type PatchErrorKind = 'badRequest' | 'unprocessable' | 'internal';

/** A patch that cannot be read or applied; the message is the reference's. */
export class PatchError extends Error {
  readonly kind: PatchErrorKind;

  constructor(kind: PatchErrorKind, message: string) {
    super(message);
    this.name = 'PatchError';
    this.kind = kind;
  }

  /** The error as a client sees it (apiserver/pkg/endpoints/handlers/patch.go). */
  toStatusError(): Error {
    if (this.kind === 'badRequest') return newBadRequest(this.message);
    if (this.kind === 'internal') return this;
    return newGenericServerResponse(422, this.message);
  }
}

/** The failure of a `test` operation. */
export class PatchTestError extends PatchError {
  constructor(message: string) {
    super('unprocessable', message);
    this.name = 'PatchTestError';
  }
}
