import { timingSafeEqual } from 'node:crypto';
import { stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { TimeError } from '#shared/apimachinery/values/time-parse.ts';
import { parseTime } from '#shared/apimachinery/values/time.ts';
import type { UserInfo } from '#shared/request/user.ts';

/** The type of secrets that hold bootstrap tokens (k8s.io/cluster-bootstrap/token/api). */
const secretType = 'bootstrap.kubernetes.io/token';
export const secretNamePrefix = 'bootstrap-token-';
const defaultGroup = 'system:bootstrappers';
const groupPattern = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const tokenPattern = /^(?<id>[a-z0-9]{6})\.(?<secret>[a-z0-9]{16})$/;

/** The two parts of a bootstrap token; undefined for other tokens. */
export function parseBootstrapToken(token: string): { readonly id: string; readonly secret: string } | undefined {
  const { id = '', secret = '' } = tokenPattern.exec(token)?.groups ?? {};
  return id === '' ? undefined : { id, secret };
}

/** A secret that may hold a bootstrap token, and the user to whom the token belongs. */
export class BootstrapSecret {
  readonly #object: KubeObject;
  /** The same object at each use, since authorizers key their caches by it. */
  readonly #user: UserInfo | string;

  constructor(object: KubeObject) {
    this.#object = object;
    const groups = this.#groups();
    this.#user =
      typeof groups === 'string'
        ? groups
        : { name: `system:bootstrap:${this.#text('token-id')}`, uid: '', groups, extra: {} };
  }

  /** The user, or why the token is not accepted: the end of the reference's sentence. */
  check(token: { readonly id: string; readonly secret: string }, nowMs: number): UserInfo | string {
    if (this.#object.metadata.deletionTimestamp !== undefined) return 'is deleted and awaiting removal';
    if (stringAt(this.#object, 'type') !== secretType) return `has invalid type, expected ${secretType}.`;
    const [own, given] = [this.#bytes('token-secret'), Buffer.from(token.secret)];
    if (own.length !== given.length || !timingSafeEqual(own, given)) return 'has invalid value for key token-secret.';
    if (this.#text('token-id') !== token.id) return 'has invalid value for key token-id.';
    if (this.#hasExpired(nowMs)) return 'has expired';
    if (this.#text('usage-bootstrap-authentication') !== 'true')
      return 'not marked usage-bootstrap-authentication=true.';
    return this.#user;
  }

  #hasExpired(nowMs: number): boolean {
    const expiration = this.#text('expiration');
    if (expiration === '') return false;
    try {
      const { seconds, nanos } = parseTime(expiration);
      return seconds * 1000 + nanos / 1e6 <= nowMs;
    } catch (error) {
      // A time that cannot be read is taken for one that is over.
      if (error instanceof TimeError) return true;
      throw error;
    }
  }

  /** The groups without repetitions, sorted; or what is wrong with them. */
  #groups(): readonly string[] | string {
    const extra = this.#text('auth-extra-groups');
    const more = extra === '' ? [] : extra.split(',');
    const invalid = more.find((group) => !groupPattern.test(group));
    if (invalid === undefined) return [...new Set([defaultGroup, ...more])].toSorted((a, b) => (a < b ? -1 : 1));
    const reason = `bootstrap group ${goQuote(invalid)} is invalid (must match \\Asystem:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]\\z)`;
    return `has invalid value for key auth-extra-groups: ${reason}.`;
  }

  #text(key: string): string {
    return this.#bytes(key).toString('utf8');
  }

  #bytes(key: string): Buffer {
    return Buffer.from(stringAt(this.#object, 'data', key), 'base64');
  }
}
