import { goQuote } from '#shared/apimachinery/text/go-format.ts';

/** What a proxy answered to CONNECT. */
export interface ProxyAnswer {
  readonly code: number;
  /** Code and reason, as the answer has them: `403 Forbidden`. */
  readonly status: string;
}

/** How many bytes of an answer's head are read, as net/http does (DefaultMaxHeaderBytes). */
export const maxHeadBytes = 1024 * 1024;

const lineFeed = 0x0a;

/** Reads the head of an HTTP/1 response from pieces, each of which is looked at once. */
export class ResponseHead {
  readonly #pieces: Buffer[] = [];
  #length = 0;
  /** Characters of the line that is being read, `\r` aside; 0 at the beginning of a line. */
  #inLine = 0;
  #lines = 0;

  /** Returns the bytes behind the head once that is complete; undefined before. */
  add(piece: Buffer): Buffer | undefined {
    for (let i = 0; i < piece.length; i++) {
      const byte = piece[i];
      if (byte === lineFeed) {
        if (this.#inLine === 0 && this.#lines > 0) {
          this.#pieces.push(piece.subarray(0, i + 1));
          return piece.subarray(i + 1);
        }
        this.#lines++;
        this.#inLine = 0;
      } else if (byte !== 0x0d) this.#inLine++;
    }
    this.#pieces.push(piece);
    this.#length += piece.length;
    return undefined;
  }

  /** Whether more was read than a head may have. */
  get isTooLong(): boolean {
    return this.#length >= maxHeadBytes;
  }

  /**
   * Parses the complete head by the rules of Go's net/http (ReadResponse).
   * @throws Error with its message
   */
  parse(): ProxyAnswer {
    const [first = '', ...fields] = Buffer.concat(this.#pieces).toString('latin1').split(/\r?\n/);
    const [, proto = '', rest] = /^([^ ]*) (.*)$/.exec(first) ?? [];
    if (rest === undefined) throw new Error(`malformed HTTP response ${goQuote(first)}`);
    const status = rest.replace(/^ +/, '');
    const [code = ''] = status.split(' ', 1);
    if (!/^\d{3}$/.test(code)) throw new Error(`malformed HTTP status code ${goQuote(code)}`);
    if (!/^HTTP\/\d\.\d$/.test(proto)) throw new Error(`malformed HTTP version ${goQuote(proto)}`);
    for (const field of fields) {
      if (field === '') break;
      const isContinued = /^[ \t]/.test(field);
      if (!isContinued && !field.includes(':'))
        throw new Error(`malformed MIME header: missing colon: ${goQuote(field)}`);
      if (!isContinued && !/^[!#$%&'*+\-.^_`|~\w]+:/.test(field))
        throw new Error(`malformed MIME header line: ${field}`);
    }
    return { code: Number(code), status };
  }
}
