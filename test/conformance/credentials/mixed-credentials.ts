import { adminToken, bobToken } from '#test/tokens.ts';
import type { ClientCertificate, Credential } from './credential.ts';

type Headers = readonly (readonly [string, string])[];

/** Several credentials at once, tokens in other places, impersonation on top, and nobody. */
export function mixedCredentials(certificate: ClientCertificate, idToken: string): Credential[] {
  const bearer = (text: string): Headers => [['Authorization', text]];
  const as = (name: string, headers: Headers, token = adminToken): Credential => ({
    name: `impersonation: ${name}`,
    headers: [...bearer(`Bearer ${token}`), ...headers],
  });
  return [
    ...Object.entries(authorizations(idToken)).map(([name, text]) => ({
      name: `header: ${name}`,
      headers: bearer(text),
    })),
    { name: 'header: two tokens', headers: [...bearer(`Bearer ${bobToken}`), ...bearer(`Bearer ${adminToken}`)] },
    { name: 'mixed: certificate and token', certificate, token: bobToken },
    { name: 'mixed: certificate and ID token', certificate, token: idToken },
    { name: 'mixed: certificate and a wrong token', certificate, token: 'wrong' },
    { name: 'mixed: certificate and no scheme', certificate, headers: bearer(bobToken) },
    { name: 'mixed: certificate and impersonation', certificate, headers: [['Impersonate-User', 'bob']] },
    { name: 'mixed: certificate at a path', certificate, path: '/api/v1/nodes' },
    { name: 'token file: admin', token: adminToken },
    { name: 'token file: bob', token: bobToken },
    { name: 'token file: in capitals', token: bobToken.toUpperCase() },
    { name: 'token file: a part', token: bobToken.slice(0, -1) },
    ...[
      '/livez',
      '/readyz',
      '/version',
      '/healthz',
      '/livez/ping',
      '/livez/',
      '/livez?x=/api',
      '//livez',
      '/api',
      '/',
    ].map((path) => ({ name: `anonymous: ${path}`, path })),
    { name: 'anonymous: a review' },
    { name: 'anonymous: a wrong token at an open path', path: '/livez', headers: bearer('Bearer wrong') },
    ...Object.entries(impersonations).map(([name, headers]) => as(name, headers)),
    as('by nobody special', [['Impersonate-User', 'alice']], bobToken),
    as('by an ID token', [['Impersonate-User', 'alice']], idToken),
    ...websockets(idToken),
  ];
}

function authorizations(idToken: string): Readonly<Record<string, string>> {
  return {
    'an ID token': `Bearer ${idToken}`,
    'bearer in small letters': `bearer ${bobToken}`,
    'BEARER in capitals': `BEARER ${bobToken}`,
    'two spaces': `Bearer  ${bobToken}`,
    'a tab': `Bearer\t${bobToken}`,
    'a space behind': `Bearer ${bobToken} `,
    'something behind': `Bearer ${bobToken} more`,
    'a comma behind': `Bearer ${bobToken}, Bearer ${adminToken}`,
    'no token': 'Bearer',
    'no token, with a space': 'Bearer ',
    Basic: `Basic ${Buffer.from('admin:admin').toString('base64')}`,
    Token: `Token ${bobToken}`,
    empty: '',
    'quotes around': `Bearer "${bobToken}"`,
  };
}

const impersonated: readonly [string, string] = ['Impersonate-User', 'alice'];
const impersonations: Readonly<Record<string, Headers>> = {
  'a user': [impersonated],
  'a user and groups': [impersonated, ['Impersonate-Group', 'dev'], ['Impersonate-Group', 'ops']],
  'a user and a uid': [impersonated, ['Impersonate-Uid', '42']],
  'a user and extras': [impersonated, ['Impersonate-Extra-Scope', 'a'], ['Impersonate-Extra-example.org%2Fx', 'b']],
  'a group without a user': [['Impersonate-Group', 'dev']],
  'a uid without a user': [['Impersonate-Uid', '42']],
  'an extra without a user': [['Impersonate-Extra-Scope', 'a']],
  'an empty user': [['Impersonate-User', '']],
  'two users': [impersonated, ['Impersonate-User', 'bob']],
  'an unknown header': [impersonated, ['Impersonate-Role', 'x']],
  'a service account': [['Impersonate-User', 'system:serviceaccount:default:default']],
  'a service account without a name': [['Impersonate-User', 'system:serviceaccount:default:']],
  'the anonymous user': [['Impersonate-User', 'system:anonymous']],
  'the group of masters': [impersonated, ['Impersonate-Group', 'system:masters']],
  'the group of all': [impersonated, ['Impersonate-Group', 'system:authenticated']],
  'an empty group': [impersonated, ['Impersonate-Group', '']],
};

/** Tokens among the subprotocols, as browsers send them; a watch tells in its error who asked. */
function websockets(idToken: string): Credential[] {
  const encoded = (token: string): string =>
    `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`;
  const forms: Readonly<Record<string, string>> = {
    'a token': `${encoded(bobToken)}, v1.watch`,
    'an ID token': `${encoded(idToken)}, v1.watch`,
    'a wrong token': `${encoded('wrong')}, v1.watch`,
    'a token alone': encoded(bobToken),
    'two tokens': `${encoded(bobToken)}, ${encoded(adminToken)}, v1.watch`,
    'no token': 'v1.watch',
  };
  return Object.entries(forms).map(([name, protocols]) => ({
    name: `websocket: ${name}`,
    path: '/api/v1/namespaces/default/configmaps?watch=1&timeoutSeconds=1',
    headers: [
      ['Connection', 'Upgrade'],
      ['Upgrade', 'websocket'],
      ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
      ['Sec-WebSocket-Version', '13'],
      ['Sec-WebSocket-Protocol', protocols],
    ],
  }));
}
