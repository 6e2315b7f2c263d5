import { constants, createHmac, createPublicKey, sign, type KeyObject } from 'node:crypto';

/** What tokens are made of. */
export interface TokenMaking {
  /** Trusted by the server. */
  readonly rsa: KeyObject;
  readonly p256: KeyObject;
  readonly p384: KeyObject;
  /** Not trusted. */
  readonly stranger: KeyObject;
  readonly issuer: string;
  readonly nowSeconds: number;
  /** Of the service account `default` in `default`. */
  readonly uid: string;
}

export interface TokenCase {
  readonly name: string;
  readonly token: string;
}

interface Parts {
  /** JSON texts, so that they may be none. */
  readonly header?: string;
  readonly payload?: string;
  readonly algorithm?: string;
  readonly key?: KeyObject;
  /** Of the three parts, before they are joined. */
  readonly encode?: (parts: string[]) => string;
  /** What is signed instead of the first two parts. */
  readonly signed?: (header: string, payload: string) => string;
}

const hashes: Readonly<Record<string, string>> = { 256: 'sha256', 384: 'sha384', 512: 'sha512' };
const dates = [
  'null',
  '"abc"',
  '"5"',
  'true',
  '{}',
  '[]',
  '1e300',
  '-1e300',
  '1e400',
  '-1',
  '0',
  'NOW+600.9',
  'NOW-120',
  'NOW+30',
  'NOW+120',
  '9223372036854775807',
  '9223371974719179007',
  '9223371974719179008',
  '9.3e18',
  '-9.3e18',
  '18446744073709551616',
  '1E3',
  '-0',
  '123456789012345678901234567890',
];

/** All shapes of service-account tokens that somebody with a key, or with somebody's token, may send. */
export function tokenCases(making: TokenMaking): TokenCase[] {
  return [...headerCases(making), ...claimCases(making), ...encodingCases(making), ...legacyCases(making)].map(
    ({ name, parts }) => ({ name, token: makeToken(making, parts) }),
  );
}

interface Shape {
  readonly name: string;
  readonly parts: Parts;
}

function claims(making: TokenMaking, changed: Readonly<Record<string, string | undefined>> = {}): string {
  const { issuer, nowSeconds, uid } = making;
  const own: Record<string, string | undefined> = {
    aud: JSON.stringify([issuer]),
    exp: String(nowSeconds + 3600),
    iat: String(nowSeconds),
    iss: JSON.stringify(issuer),
    jti: '"an-id"',
    'kubernetes.io': JSON.stringify({ namespace: 'default', serviceaccount: { name: 'default', uid } }),
    nbf: String(nowSeconds),
    sub: '"system:serviceaccount:default:default"',
  };
  const all = Object.entries({ ...own, ...changed }).filter(([, value]) => value !== undefined);
  return `{${all.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

function headerCases(making: TokenMaking): Shape[] {
  const { rsa, p256, p384, stranger } = making;
  const shape = (name: string, header: string, more: Parts = {}): Shape => ({
    name: `header: ${name}`,
    parts: { header, ...more },
  });
  const publicPem = createPublicKey(rsa).export({ type: 'spki', format: 'pem' });
  const jwk = (key: KeyObject, isPrivate: boolean): string =>
    JSON.stringify((isPrivate ? key : createPublicKey(key)).export({ format: 'jwk' }));
  return [
    ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'].map((alg) =>
      shape(alg, `{"alg":"${alg}"}`, { algorithm: alg, key: rsa }),
    ),
    ...['RS256', 'ES384'].map((alg) =>
      shape(`${alg} of a stranger`, `{"alg":"${alg}"}`, { algorithm: alg, key: alg === 'RS256' ? stranger : p256 }),
    ),
    shape('ES256', '{"alg":"ES256"}', { algorithm: 'ES256', key: p256 }),
    shape('ES384', '{"alg":"ES384"}', { algorithm: 'ES384', key: p384 }),
    shape('ES256 with a larger curve', '{"alg":"ES256"}', { algorithm: 'ES256', key: p384 }),
    shape('ES512 with a smaller curve', '{"alg":"ES512"}', { algorithm: 'ES512', key: p256 }),
    shape('a signature by another hash than told', '{"alg":"RS512"}', { algorithm: 'RS256' }),
    shape('none', '{"alg":"none"}', { encode: ([head = '', body = '']) => `${head}.${body}.` }),
    shape('None', '{"alg":"None"}', { encode: ([head = '', body = '']) => `${head}.${body}.` }),
    shape('HS256 by the public key', '{"alg":"HS256"}', {
      encode: ([head = '', body = '']) =>
        `${head}.${body}.${createHmac('sha256', publicPem).update(`${head}.${body}`).digest('base64url')}`,
    }),
    ...['null', '5', '""', '"rs256"', '["RS256"]', '{}'].map((alg) => shape(`alg ${alg}`, `{"alg":${alg}}`)),
    ...['""', 'null', '5', '[]', '{}', '"other"', '"constructor"', '"__proto__"'].map((kid) =>
      shape(`kid ${kid}`, `{"alg":"RS256","kid":${kid}}`),
    ),
    ...['null', '[]', '["exp"]', '["b64"]', '"b64"', '[5]', '[null]', '{}', '["b64","exp"]'].map((crit) =>
      shape(`crit ${crit}`, `{"alg":"RS256","crit":${crit}}`),
    ),
    shape('no alg', '{}'),
    shape('typ', '{"alg":"RS256","typ":"at+jwt"}'),
    shape('typ of another type', '{"alg":"RS256","typ":5}'),
    shape('cty', '{"alg":"RS256","cty":"JWT"}'),
    shape('zip', '{"alg":"RS256","zip":"DEF"}'),
    shape('enc', '{"alg":"RS256","enc":"A128GCM"}'),
    shape('nonce', '{"alg":"RS256","nonce":"x"}'),
    shape('nonce of another type', '{"alg":"RS256","nonce":5}'),
    shape('b64 false, the payload as it is', '{"alg":"RS256","b64":false}', {
      signed: (head, body) => `${head}.${Buffer.from(body, 'base64url').toString()}`,
    }),
    shape('b64 false, the payload encoded', '{"alg":"RS256","b64":false}'),
    shape('b64 of another type', '{"alg":"RS256","b64":"false"}'),
    shape('jwk', `{"alg":"RS256","jwk":${jwk(stranger, false)}}`),
    shape('jwk, and signed by it', `{"alg":"RS256","jwk":${jwk(stranger, false)}}`, { key: stranger }),
    shape('a private jwk', `{"alg":"RS256","jwk":${jwk(stranger, true)}}`),
    shape('a secret jwk', '{"alg":"RS256","jwk":{"kty":"oct","k":"AAAA"}}'),
    shape('jwk null', '{"alg":"RS256","jwk":null}'),
    shape('jwk of another type', '{"alg":"RS256","jwk":"x"}'),
    shape('x5c', '{"alg":"RS256","x5c":[]}'),
    shape('x5c of no certificate', '{"alg":"RS256","x5c":["AAAA"]}'),
    shape('x5c of another type', '{"alg":"RS256","x5c":"x"}'),
    shape('jku', '{"alg":"RS256","jku":"https://x"}'),
    shape('twice', '{"alg":"RS256","alg":"RS256"}'),
    shape('twice below', '{"alg":"RS256","x":[{"a":1,"a":2}]}'),
    shape('in capitals', '{"ALG":"RS256"}'),
    shape('with spaces', ' { "alg" : "RS256" } \n'),
    shape('trailing data', '{"alg":"RS256"}x'),
    shape('null', 'null'),
    shape('a list', '[]'),
    shape('empty', ''),
    shape('no JSON', '{'),
    shape('escapes', '{"\\u0061lg":"RS\\u003256"}'),
    shape('very deep', `{"alg":"RS256","x":${'['.repeat(9_000)}${']'.repeat(9_000)}}`),
  ];
}

function claimCases(making: TokenMaking): Shape[] {
  const { issuer, uid, nowSeconds } = making;
  const shape = (name: string, payload: string): Shape => ({ name: `claims: ${name}`, parts: { payload } });
  const one = (claim: string, values: readonly string[]): Shape[] =>
    values.map((value) =>
      shape(`${claim} ${value.replaceAll(uid, 'UID')}`, claims(making, { [claim]: dated(value, nowSeconds) })),
    );
  const account = { name: 'default', uid };
  const within = (members: string): string =>
    `{"namespace":"default","serviceaccount":${JSON.stringify(account)}${members}}`;
  return [
    shape('all right', claims(making)),
    ...['exp', 'nbf', 'iat'].flatMap((claim) => [
      shape(`no ${claim}`, claims(making, { [claim]: undefined })),
      ...one(claim, dates),
    ]),
    shape('no aud', claims(making, { aud: undefined })),
    ...one('aud', [
      'null',
      '""',
      '[]',
      '[""]',
      '5',
      '{}',
      'true',
      '[5]',
      '[null]',
      '["other"]',
      '"other"',
      JSON.stringify(issuer),
      JSON.stringify([issuer, 5]),
      JSON.stringify(['other', issuer]),
      '[[]]',
      '{"a":1,"a":2}',
    ]),
    ...one('sub', ['null', '5', '{}', '""', '"other"', '[]']),
    shape('no sub', claims(making, { sub: undefined })),
    ...one('iss', ['null', '5', '{}', '""', '"other"', '"kubernetes/serviceaccount"']),
    shape('no iss', claims(making, { iss: undefined })),
    shape('iss twice', claims(making).replace('{', `{"iss":${JSON.stringify(issuer)},`)),
    shape('ISS beside iss', claims(making).replace('{', '{"ISS":"other",')),
    shape('ISS behind iss', claims(making).replace(/\}$/, ',"ISS":"other"}')),
    shape('ISS of another type', claims(making).replace('{', '{"Iss":5,')),
    shape('only ISS', claims(making).replace('"iss"', '"ISS"')),
    shape('EXP', claims(making).replace('"exp"', '"EXP"')),
    ...one('jti', ['null', '5', '{}', '""', '[]']),
    shape('no jti', claims(making, { jti: undefined })),
    shape('no kubernetes.io', claims(making, { 'kubernetes.io': undefined })),
    ...one('kubernetes.io', [
      'null',
      '"x"',
      '5',
      '[]',
      '{}',
      'true',
      '{"namespace":5}',
      '{"namespace":null}',
      '{"namespace":"default"}',
      '{"namespace":"default","serviceaccount":null}',
      '{"namespace":"default","serviceaccount":"default"}',
      '{"namespace":"default","serviceaccount":[]}',
      '{"namespace":"default","serviceaccount":{}}',
      '{"namespace":"default","serviceaccount":{"name":"default"}}',
      `{"namespace":"default","serviceaccount":{"name":5,"uid":"${uid}"}}`,
      '{"namespace":"default","serviceaccount":{"name":"default","uid":5}}',
      '{"namespace":"default","serviceaccount":{"name":"default","uid":"other"}}',
      '{"namespace":"default","serviceaccount":{"name":"other","uid":"other"}}',
      `{"namespace":"kube-system","serviceaccount":{"name":"default","uid":"${uid}"}}`,
      `{"NAMESPACE":"default","serviceaccount":{"name":"default","uid":"${uid}"}}`,
      `{"namespace":"default/..","serviceaccount":{"name":"default","uid":"${uid}"}}`,
      `{"namespace":"default","serviceaccount":{"name":"default","uid":"${uid}","uid":"x"}}`,
      within(',"namespace":"x"'),
      within(',"more":{"a":1,"a":2}'),
      within(',"more":5'),
      ...['pod', 'secret', 'node'].flatMap((kind) =>
        ['null', '{}', '"x"', '5', '[]', '{"name":"gone","uid":"x"}', '{"name":5}', '{"name":"gone","name":"x"}'].map(
          (value) => within(`,"${kind}":${value}`),
        ),
      ),
      within(',"pod":{"name":"gone"},"node":{"name":"gone"}'),
      ...['null', '"x"', '5', '1e300', '{}'].map((value) => within(`,"warnafter":${value}`)),
    ]),
    shape('twice', claims(making).replace('{', '{"more":1,"more":2,')),
    shape('twice below what is unknown', claims(making, { more: '{"a":1,"a":2}' })),
    shape('__proto__', claims(making, { ['__proto__']: undefined }).replace('{', '{"__proto__":{"exp":1},')),
    shape('trailing data', `${claims(making)}x`),
    shape('spaces', ` \n${claims(making)}\t`),
    shape('twice in a row', claims(making).repeat(2)),
    shape('a list', `[${claims(making)}]`),
    shape('null', 'null'),
    shape('empty', ''),
    shape('no JSON', '{"iss"'),
    shape('a byte order mark', `\ufeff${claims(making)}`),
    shape('200 KB', claims(making, { more: JSON.stringify('x'.repeat(200_000)) })),
    shape('nested 9,000 levels', claims(making, { more: `${'['.repeat(9_000)}${']'.repeat(9_000)}` })),
    shape('a token in a token', makeToken(making, {})),
  ];
}

function encodingCases(making: TokenMaking): Shape[] {
  const shape = (name: string, encode: (parts: string[]) => string): Shape => ({
    name: `form: ${name}`,
    parts: { encode },
  });
  const change =
    (index: number, how: (part: string) => string) =>
    (parts: string[]): string =>
      parts.map((part, at) => (at === index ? how(part) : part)).join('.');
  const spare = (part: string): string =>
    part.length % 4 === 0
      ? part
      : `${part.slice(0, -1)}${'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.charAt('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.indexOf(part.at(-1) ?? 'A') ^ 1)}`;
  return [
    ...[0, 1, 2].flatMap((index) => [
      shape(
        `padding in part ${index}`,
        change(index, (part) => part + '='.repeat((4 - (part.length % 4)) % 4 || 4)),
      ),
      shape(`other spare bits in part ${index}`, change(index, spare)),
      shape(
        `a space in part ${index}`,
        change(index, (part) => `${part.slice(0, 3)} ${part.slice(3)}`),
      ),
      shape(
        `a line end in part ${index}`,
        change(index, (part) => `${part.slice(0, 3)}\n${part.slice(3)}`),
      ),
      shape(
        `a tab behind part ${index}`,
        change(index, (part) => `${part}\t`),
      ),
      shape(
        `part ${index} is empty`,
        change(index, () => ''),
      ),
      shape(
        `part ${index} with the other alphabet`,
        change(index, (part) => part.replaceAll('-', '+').replaceAll('_', '/')),
      ),
      shape(
        `part ${index} with a letter more`,
        change(index, (part) => `${part}A`),
      ),
      shape(
        `part ${index} with a stranger`,
        change(index, (part) => `${part.slice(0, 4)}*${part.slice(4)}`),
      ),
    ]),
    shape('two parts', ([head = '', body = '']) => `${head}.${body}`),
    shape('four parts', (parts) => `${parts.join('.')}.`),
    shape('five parts', (parts) => `${parts.join('.')}..`),
    shape('a dot before', (parts) => `.${parts.join('.')}`),
    shape('a bracket before', (parts) => `{${parts.join('.')}`),
    shape('as JSON', ([head, body, signature]) => JSON.stringify({ protected: head, payload: body, signature })),
    shape('a space before', (parts) => ` ${parts.join('.')}`),
    shape(
      'a signature of another token',
      ([head = '', body = '']) => `${head}.${body}.${makeToken(making, { payload: '{}' }).split('.')[2] ?? ''}`,
    ),
    shape(
      'a truncated signature',
      change(2, (part) => part.slice(0, -4)),
    ),
    shape('a zero behind', (parts) => `${parts.join('.')}\0`),
  ];
}

function legacyCases(making: TokenMaking): Shape[] {
  const own = {
    iss: 'kubernetes/serviceaccount',
    'kubernetes.io/serviceaccount/namespace': 'default',
    'kubernetes.io/serviceaccount/secret.name': 'gone',
    'kubernetes.io/serviceaccount/service-account.name': 'default',
    'kubernetes.io/serviceaccount/service-account.uid': making.uid,
    sub: 'system:serviceaccount:default:default',
  };
  const shape = (name: string, changed: Record<string, unknown>): Shape => ({
    name: `legacy: ${name}`,
    parts: { payload: JSON.stringify({ ...own, ...changed }) },
  });
  return [
    shape('of a secret that is gone', {}),
    ...Object.keys(own)
      .slice(1)
      .flatMap((claim) =>
        [undefined, null, 5, {}, ''].map((value) => shape(`${claim} ${JSON.stringify(value)}`, { [claim]: value })),
      ),
    shape('another sub', { sub: 'system:serviceaccount:default:other' }),
    shape('aud', { aud: 5 }),
    shape('exp', { exp: 'x' }),
    shape('exp in the past', { exp: 1 }),
  ];
}

function dated(value: string, nowSeconds: number): string {
  return value.replace(/NOW([+-][\d.]+)/, (_all, seconds: string) => String(nowSeconds + Number(seconds)));
}

function makeToken(
  making: TokenMaking,
  {
    header = '{"alg":"RS256"}',
    payload = claims(making),
    algorithm = 'RS256',
    key = making.rsa,
    encode = (parts) => parts.join('.'),
    signed = (head, body) => `${head}.${body}`,
  }: Parts,
): string {
  const [head, body] = [header, payload].map((text) => Buffer.from(text).toString('base64url')) as [string, string];
  return encode([head, body, signature(Buffer.from(signed(head, body)), algorithm, key).toString('base64url')]);
}

function signature(bytes: Buffer, algorithm: string, key: KeyObject): Buffer {
  const hash = hashes[algorithm.slice(2)];
  if (algorithm.startsWith('PS'))
    return sign(hash, bytes, {
      key,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    });
  if (!algorithm.startsWith('ES')) return sign(hash, bytes, key);
  const raw = sign(hash, bytes, { key, dsaEncoding: 'ieee-p1363' });
  const size = { ES256: 32, ES384: 48, ES512: 66 }[algorithm] ?? 0;
  const half = raw.length / 2;
  const fit = (number: Buffer): Buffer =>
    Buffer.concat([Buffer.alloc(Math.max(0, size - half)), number]).subarray(-size);
  return Buffer.concat([fit(raw.subarray(0, half)), fit(raw.subarray(half))]);
}
