import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';
import { AuthenticationError } from '#shared/authentication/contract/authenticator.ts';
import { jsonKind, jsonMembers } from '#shared/authentication/jwt/json-members.ts';
import { secondsOfDate } from '#shared/authentication/jwt/seconds-of-date.ts';
import { safeParse } from '#shared/serializer/json/safe-parse.ts';
import type {
  BoundTokenClaims,
  KubernetesClaims,
  LegacyTokenClaims,
  ObjectReference,
  RegisteredClaims,
} from './claims.ts';

/** Keeps the first error about a value of a wrong type, which Go reports after it has read everything else. */
interface Reading {
  fault: string | undefined;
}

type ReadValue = (value: string, reading: Reading) => unknown;

const readText: ReadValue = (value, reading) => {
  if (jsonKind(value) === 'string') return JSON.parse(value) as string;
  if (value !== 'null') reading.fault ??= mismatch(value, 'string');
  return undefined;
};

const readDate: ReadValue = (value) => {
  if (value === 'null') return undefined;
  const number = jsonKind(value) === 'number' ? Number(value) : Number.NaN;
  if (!Number.isFinite(number))
    throw new AuthenticationError('go-jose/go-jose/jwt: expected number value to unmarshal NumericDate');
  return secondsOfDate(number);
};

const readAudience: ReadValue = (value) => {
  const audience: unknown = JSON.parse(value);
  const names = (jsonMembers(value) ?? []).map(([name]) => name);
  const repeated = repetitions(names);
  const twice = names.find((_name, index) => repeated[index]);
  if (twice !== undefined) throw new AuthenticationError(`json: duplicate key '${twice}' in object`);
  if (typeof audience === 'string') return [audience];
  if (Array.isArray(audience) && audience.every((one) => typeof one === 'string')) return audience;
  throw new AuthenticationError('go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience');
};

function readObject(goType: string, fields: Readonly<Record<string, ReadValue>>): ReadValue {
  const readers = new Map(Object.entries(fields));
  return (value, reading) => {
    if (value === 'null') return undefined;
    const members = jsonMembers(value);
    if (members === undefined) return void (reading.fault ??= mismatch(value, goType));
    const seen = new Set<string>();
    const found: [string, unknown][] = [];
    for (const [name, inner] of members) {
      if (seen.has(name)) throw new AuthenticationError(`json: duplicate key '${name}' in object`);
      seen.add(name);
      const read = readers.get(name)?.(inner, reading);
      if (read !== undefined) found.push([name, read]);
    }
    return Object.fromEntries(found);
  };
}

const readReference = readObject('serviceaccount.ref', { name: readText, uid: readText });
const readRegistered = readObject('jwt.Claims', {
  iss: readText,
  sub: readText,
  aud: readAudience,
  exp: readDate,
  nbf: readDate,
  iat: readDate,
  jti: readText,
});
const readBound = readObject('serviceaccount.privateClaims', {
  'kubernetes.io': readObject('serviceaccount.kubernetes', {
    namespace: readText,
    serviceaccount: readReference,
    pod: readReference,
    secret: readReference,
    node: readReference,
    warnafter: readDate,
  }),
});
const readLegacy = readObject(
  'serviceaccount.legacyPrivateClaims',
  Object.fromEntries(
    ['namespace', 'secret.name', 'service-account.name', 'service-account.uid'].map((name) => [
      `kubernetes.io/serviceaccount/${name}`,
      readText,
    ]),
  ),
);

/** The claims of a bound token. @throws AuthenticationError if a claim has a wrong type */
export function readBoundClaims(payload: string): BoundTokenClaims {
  const registered = readAll(readRegistered, payload) as RegisteredClaims;
  const { 'kubernetes.io': bound } = readAll(readBound, payload) as { 'kubernetes.io'?: Partial<KubernetesClaims> };
  const { name = '', uid = '' } = bound?.serviceaccount ?? {};
  const others = Object.fromEntries(
    (['pod', 'secret', 'node'] as const).flatMap((kind) => (bound?.[kind] ? [[kind, whole(bound[kind])]] : [])),
  );
  return {
    ...registered,
    'kubernetes.io': {
      namespace: bound?.namespace ?? '',
      serviceaccount: { name, uid },
      ...others,
      ...(bound?.warnafter === undefined ? {} : { warnafter: bound.warnafter }),
    },
  };
}

/** The claims of a token that is stored in a Secret. @throws AuthenticationError */
export function readLegacyClaims(payload: string): LegacyTokenClaims {
  return {
    ...(readAll(readRegistered, payload) as RegisteredClaims),
    ...(readAll(readLegacy, payload) as LegacyTokenClaims),
  };
}

/**
 * The `iss` of a token before its verification; empty if it cannot be read. The reference reads it with another parser
 * than the other claims: the name may be in capitals, and of several members the last counts.
 */
export function claimedIssuer(payload: string): string {
  let claims: unknown;
  try {
    claims = safeParse(payload);
  } catch {
    return '';
  }
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) return '';
  const issuers = Object.entries(claims)
    .filter(([name, value]) => /^iss$/iu.test(name) && value !== null)
    .map(([, value]) => value as unknown);
  const last = issuers.at(-1);
  return issuers.every((value) => typeof value === 'string') && typeof last === 'string' ? last : '';
}

function readAll(read: ReadValue, payload: string): unknown {
  const reading: Reading = { fault: undefined };
  const found = read(payload.trim(), reading);
  if (reading.fault !== undefined) throw new AuthenticationError(reading.fault);
  return found ?? {};
}

function whole({ name = '', uid = '' }: Partial<ObjectReference>): ObjectReference {
  return { name, uid };
}

function mismatch(value: string, goType: string): string {
  return `json: cannot unmarshal ${jsonKind(value)} into Go value of type ${goType}`;
}
