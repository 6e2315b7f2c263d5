import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { decodeRawUrl } from '#shared/authentication/jwt/signed-token.ts';
import type { TokenSigner } from '#shared/authentication/service-account/service-account-tokens.ts';
import { safeParse } from '#shared/serializer/json/safe-parse.ts';
import type { ExternalKeys } from './external-keys.ts';
import type { SignerClient } from './signer-client.ts';

export interface ExternalSignerOptions {
  readonly client: Pick<SignerClient, 'sign'>;
  readonly keys: Pick<ExternalKeys, 'isExcluded'>;
  /** Told of each token, and why it was not signed. */
  readonly onSign?: (error: unknown) => void;
}

/** No request waits longer. */
const signWithinMs = 60_000;
const maxKeyIdLength = 1024;
const algorithms: ReadonlySet<string> = new Set(['RS256', 'ES256', 'ES384', 'ES512']);
const headerNames: ReadonlySet<string> = new Set(['alg', 'kid', 'typ']);

/** Has service-account tokens signed by another process, which keeps the private keys. */
export class ExternalSigner implements TokenSigner {
  readonly #options: ExternalSignerOptions;

  constructor(options: ExternalSignerOptions) {
    this.#options = options;
  }

  async sign(claims: Readonly<Record<string, unknown>>): Promise<string> {
    try {
      const token = await this.#signed(Buffer.from(JSON.stringify(claims)).toString('base64url'));
      this.#options.onSign?.(undefined);
      return token;
    } catch (error) {
      this.#options.onSign?.(error);
      throw error;
    }
  }

  async #signed(payload: string): Promise<string> {
    const { client } = this.#options;
    const { header, signature } = await client.sign(payload, signWithinMs).catch((error: unknown) => {
      throw new Error(`while signing jwt: ${messageOf(error)}`, { cause: error });
    });
    await this.#checkHeader(header).catch((error: unknown) => {
      throw new Error(`while validating header: ${messageOf(error)}`, { cause: error });
    });
    if (signature === '') throw new Error('empty signature returned');
    return `${header}.${payload}.${signature}`;
  }

  /** The rules for headers in the documentation of v1.ExternalJWTSigner. */
  async #checkHeader(text: string): Promise<void> {
    const { alg, kid, typ } = readHeader(text);
    if (typ !== 'JWT') throw new Error('bad type');
    if (kid === '') throw new Error('key id missing');
    if (Buffer.byteLength(kid) > maxKeyIdLength) throw new Error('key id longer than 1 kb');
    if (!algorithms.has(alg)) throw new Error(`bad signing algorithm ${goQuote(alg)}`);
    if (await this.#options.keys.isExcluded(kid))
      throw new Error(`key used for signing JWT (kid: ${kid}) is excluded from OIDC discovery docs`);
  }
}

/** @throws Error for a header that is no object of texts with known names */
function readHeader(text: string): Readonly<Record<'alg' | 'kid' | 'typ', string>> {
  const bytes = decodeRawUrl(text);
  if (bytes === undefined) {
    const at = text.search(/[^\w\r\n-]/);
    throw new Error(`while unwrapping header: illegal base64 data at input byte ${at < 0 ? text.length : at}`);
  }
  const header = parsed(bytes);
  const names = Object.keys(header);
  const unknown = names.find((name) => !headerNames.has(name));
  if (unknown !== undefined) throw new Error(`while parsing header JSON: json: unknown field ${goQuote(unknown)}`);
  const { alg = '', kid = '', typ = '' } = header;
  if (typeof alg !== 'string' || typeof kid !== 'string' || typeof typ !== 'string')
    throw new Error('while parsing header JSON: its values have to be texts');
  return { alg, kid, typ };
}

function parsed(bytes: Buffer): { readonly [name: string]: JsonValue } {
  if (bytes.length === 0) throw new Error('while parsing header JSON: EOF');
  let value: JsonValue;
  try {
    value = safeParse(bytes.toString('utf8')) as JsonValue;
  } catch (error) {
    throw new Error(`while parsing header JSON: ${messageOf(error)}`, { cause: error });
  }
  if (!isObject(value)) throw new Error('while parsing header JSON: it is no object');
  return value;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
