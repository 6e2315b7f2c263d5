import { Readable } from 'node:stream';
import { BytePieces } from '#shared/apimachinery/bytes/byte-pieces.ts';
import { failureStatus, StatusError } from '#shared/apimachinery/errors/status.ts';
import type { StreamBody } from '#shared/http2/request-body.ts';
import { clientGone, tooLarge } from '#shared/server/exchange/exchange-base.ts';

export interface BodyListeners {
  /** Called when the reader wants more of the body. */
  onWanted(): void;
  /** Called when the reader has the whole body. */
  onRead(): void;
  /** Called when the client sent less than it announced. */
  onShort(why: string): void;
}

/** The body of a request as a stream, with back-pressure: bytes that the reader does not take hold up the client. */
export class BodyStream extends Readable {
  readonly #body: StreamBody | undefined;
  readonly #listeners: BodyListeners;
  #isWanted = false;

  constructor(body: StreamBody | undefined, listeners: BodyListeners) {
    super({ autoDestroy: true });
    this.#body = body;
    this.#listeners = listeners;
    this.once('end', () => listeners.onRead());
    if (body === undefined) return;
    body.reader = {
      readable: () => this.#pass(),
      broken: (why) => {
        if (why !== undefined) listeners.onShort(why);
        this.destroy();
      },
    };
  }

  override _read(): void {
    this.#isWanted = true;
    this.#listeners.onWanted();
    this.#pass();
  }

  #pass(): void {
    while (this.#isWanted) {
      const chunk = this.#body?.read();
      if (chunk === undefined) break;
      this.#isWanted = this.push(chunk);
    }
    if (this.#body === undefined || this.#body.wasRead) {
      this.#isWanted = false;
      if (!this.readableEnded) this.push(null);
    }
  }
}

/**
 * Reads the whole body. Throws 413 over `maxBytes` (before reading, if the declared length is larger), and an error if
 * the client disconnects during the body or sends less than it announced.
 * @param onWanted called before the body is read
 */
export function collectRequestBody(
  body: StreamBody,
  declaredLength: string | undefined,
  maxBytes: number,
  onWanted: () => void,
): Promise<Buffer> {
  if (declaredLength !== undefined && Number(declaredLength) > maxBytes) return Promise.reject(tooLarge(maxBytes));
  onWanted();
  return new Promise((resolve, reject) => {
    const pieces = new BytePieces();
    let isOver = false;
    const finish = (error: Error | undefined): void => {
      isOver = true;
      if (error) reject(error);
      else resolve(pieces.takeAll());
    };
    body.reader = {
      readable() {
        if (isOver) return;
        for (let chunk = body.read(); chunk !== undefined; chunk = body.read()) {
          if (pieces.length + chunk.length > maxBytes) return finish(tooLarge(maxBytes));
          pieces.push(chunk);
        }
        if (body.wasRead) finish(undefined);
      },
      broken(why) {
        if (!isOver) finish(why === undefined ? clientGone() : new StatusError(failureStatus(500, '', why)));
      },
    };
  });
}
