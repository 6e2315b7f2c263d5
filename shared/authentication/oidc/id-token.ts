import { AuthenticationError } from '#shared/authentication/contract/authenticator.ts';
import { jsonKind } from '#shared/authentication/jwt/json-members.ts';
import { secondsOfDate } from '#shared/authentication/jwt/seconds-of-date.ts';
import { safeParse } from '#shared/serializer/json/safe-parse.ts';
import { membersOf, wrongTypeError } from './raw-claims.ts';

/** The claims of an ID token that go-oidc checks. Times in seconds since 1970. */
export interface IdToken {
  readonly issuer: string;
  readonly audiences: readonly string[];
  /** Undefined without the claim: such a token is expired. */
  readonly expires: number | undefined;
  readonly notBefore: number | undefined;
}

const names = ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'nonce', 'at_hash', '_claim_names', '_claim_sources'] as const;
type Name = (typeof names)[number];
const patterns = names.map((name) => [name, new RegExp(`^${name}$`, 'iu')] as const);

/**
 * Reads the claims of an ID token as go-oidc does: names are found in capitals, too, the last of several counts, and a
 * claim of a wrong type is an error, whether it is used or not.
 * @throws AuthenticationError
 */
export function readIdToken(payload: string): IdToken {
  const found = checkedClaims(payload);
  const [issuer = '""', audience = '[]', expires, notBefore] = (['iss', 'aud', 'exp', 'nbf'] as const).map((name) =>
    found.get(name),
  );
  checkSources(found.get('_claim_names'), found.get('_claim_sources'));
  return {
    issuer: safeParse(issuer) as string,
    audiences: audiencesOf(audience),
    expires: expires === undefined ? undefined : dateOf(expires),
    notBefore: notBefore === undefined || notBefore === 'null' ? undefined : dateOf(notBefore),
  };
}

/** The texts of the known claims, each of the type that it must have. */
function checkedClaims(payload: string): Map<Name, string> {
  const found = new Map<Name, string>();
  try {
    for (const [name, text] of membersOf(payload)) {
      const known = patterns.find(([, pattern]) => pattern.test(name))?.[0];
      if (known === undefined) continue;
      check(known, text);
      // Null leaves a text as it was.
      if (text !== 'null' || known === 'aud' || known === 'nbf') found.set(known, text);
    }
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    throw new AuthenticationError(`oidc: failed to unmarshal claims: ${error.message}`);
  }
  return found;
}

function check(name: Name, text: string): void {
  if (name === 'aud') audiencesOf(text);
  else if (name === 'exp' || name === 'iat' || name === 'nbf') {
    if (name !== 'nbf' || text !== 'null') dateOf(text);
  } else if (name === '_claim_names') textMembers(text);
  else if (name === '_claim_sources') for (const [, source] of membersOf(text)) claimSourceOf(source);
  else if (text !== 'null' && jsonKind(text) !== 'string') throw wrongTypeError(text, 'string');
}

/** One audience, or a list of them. */
function audiencesOf(text: string): readonly string[] {
  const value = safeParse(text);
  if (value === null || typeof value === 'string') return [value ?? ''];
  if (!Array.isArray(value)) throw wrongTypeError(text, '[]string');
  return value.map((item: unknown) => {
    if (item !== null && typeof item !== 'string') throw wrongTypeError(JSON.stringify(item), 'string');
    return item ?? '';
  });
}

/** A number, which may stand in a text. */
function dateOf(text: string): number {
  const kind = jsonKind(text);
  const number = kind === 'string' ? (safeParse(text) as string) : text;
  if ((kind !== 'string' && kind !== 'number') || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(number))
    throw new AuthenticationError(
      `json: invalid number literal, trying to unmarshal ${JSON.stringify(text)} into Number`,
    );
  const value = Number(number);
  if (!Number.isFinite(value))
    throw new AuthenticationError(`strconv.ParseFloat: parsing ${JSON.stringify(number)}: value out of range`);
  return secondsOfDate(asInt64(number) ?? value);
}

/** The integer that a text is; undefined for one with a fraction or exponent, or that no int64 holds. */
function asInt64(text: string): bigint | undefined {
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const integer = BigInt(text);
  return BigInt.asIntN(64, integer) === integer ? integer : undefined;
}

/** The members of an object of texts; null counts as an empty text. @throws AuthenticationError */
export function textMembers(text: string): Map<string, string> {
  return new Map(
    membersOf(text).map(([name, member]) => {
      if (member === 'null') return [name, ''];
      if (jsonKind(member) !== 'string') throw wrongTypeError(member, 'string');
      return [name, safeParse(member) as string];
    }),
  );
}

/** A place where a claim can be had. */
export interface ClaimSource {
  readonly endpoint: string;
  readonly accessToken: string;
}

/** @throws AuthenticationError */
export function claimSourceOf(text: string): ClaimSource {
  const source = { endpoint: '', accessToken: '' };
  for (const [name, member] of membersOf(text)) {
    const key = /^endpoint$/iu.test(name) ? 'endpoint' : /^access_token$/iu.test(name) ? 'accessToken' : undefined;
    if (key === undefined || member === 'null') continue;
    if (jsonKind(member) !== 'string') throw wrongTypeError(member, 'string');
    source[key] = safeParse(member) as string;
  }
  return source;
}

/** Every name of a distributed claim must lead to a source. */
function checkSources(namesText = 'null', sourcesText = 'null'): void {
  const sources = new Set(membersOf(sourcesText).map(([name]) => name));
  for (const source of textMembers(namesText).values()) {
    if (source === '') throw new AuthenticationError('oidc: failed to obtain source from claim name');
    if (!sources.has(source)) throw new AuthenticationError('oidc: source does not exist');
  }
}
