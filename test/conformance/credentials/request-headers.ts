import { authorityExtensions, issue } from './certificate-maker.ts';
import type { ClientCertificate, Credential } from './credential.ts';

/** Names of front proxies that servers allow. */
export const allowedNames: readonly string[] = ['proxy-one', 'proxy-two'];

export interface RequestHeaderCases {
  readonly credentials: readonly Credential[];
  readonly authority: string;
}

/** Front proxies, and those that pretend to be one. */
export async function requestHeaderCases(client: ClientCertificate): Promise<RequestHeaderCases> {
  const root = await issue({ subject: [{ CN: ['authority of proxies'] }], extensions: authorityExtensions() });
  const proxy = async (name: string, expired = false): Promise<ClientCertificate> => {
    const { pem, key } = await issue({ subject: [{ CN: [name] }], issuer: root, ...(expired ? { to: -60 } : {}) });
    return { cert: pem, key };
  };
  const allowed = await proxy('proxy-one');
  const user = [['X-Remote-User', 'alice']] as const;
  const others: readonly Credential[] = [
    { name: 'the other allowed name', certificate: await proxy('proxy-two'), headers: user },
    { name: 'a name that is not allowed', certificate: await proxy('proxy-three'), headers: user },
    { name: 'an allowed name in capitals', certificate: await proxy('PROXY-ONE'), headers: user },
    { name: 'an empty name', certificate: await proxy(''), headers: user },
    { name: 'an expired proxy', certificate: await proxy('proxy-one', true), headers: user },
    { name: "a client's certificate", certificate: client, headers: user },
    { name: 'no certificate', headers: user },
    { name: 'a proxy without headers', certificate: allowed },
    { name: 'a proxy with a token', certificate: allowed, token: 'token-of-bob', headers: [['X-Remote-Group', 'a']] },
    { name: 'a user, a proxy and a token', certificate: allowed, token: 'token-of-bob', headers: user },
  ];
  const sent = Object.entries(headerForms).map(([name, headers]) => ({ name, certificate: allowed, headers }));
  return {
    credentials: [...others, ...sent].map((one) => ({ ...one, name: `request header: ${one.name}` })),
    authority: root.pem,
  };
}

const named = (...more: readonly (readonly [string, string])[]): readonly (readonly [string, string])[] => [
  ['X-Remote-User', 'alice'],
  ...more,
];
const extra = (key: string, value = 'x'): readonly (readonly [string, string])[] =>
  named([`X-Remote-Extra-${key}`, value]);

const headerForms: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'a user': named(),
  'a user in small letters': [['x-remote-user', 'alice']],
  'a user in capitals': [['X-REMOTE-USER', 'alice']],
  'an empty user': [['X-Remote-User', '']],
  'a user of spaces': [['X-Remote-User', '   ']],
  'two users': named(['X-Remote-User', 'bob']),
  'an empty user before another': [['X-Remote-User', ''], ...named()],
  'the second header of users': [['X-Other-User', 'alice']],
  'both headers of users': [['X-Other-User', 'bob'], ...named()],
  'an empty user, and the second header': [
    ['X-Remote-User', ''],
    ['X-Other-User', 'bob'],
  ],
  'a user with spaces around': [['X-Remote-User', '  alice  ']],
  'a user with a comma': [['X-Remote-User', 'alice,bob']],
  'a user in Latin letters': [['X-Remote-User', 'Zo\u00eb']],
  'a user with escapes': [['X-Remote-User', 'al%69ce']],
  'a long user': [['X-Remote-User', 'x'.repeat(5000)]],
  'the anonymous user': [['X-Remote-User', 'system:anonymous']],
  'a group': named(['X-Remote-Group', 'dev']),
  'two groups': named(['X-Remote-Group', 'dev'], ['X-Remote-Group', 'ops']),
  'a group in different letters': named(['x-remote-group', 'dev'], ['X-REMOTE-GROUP', 'ops']),
  'two groups in a line': named(['X-Remote-Group', 'dev, ops']),
  'an empty group': named(['X-Remote-Group', '']),
  'a group twice': named(['X-Remote-Group', 'dev'], ['X-Remote-Group', 'dev']),
  'a group of masters': named(['X-Remote-Group', 'system:masters']),
  'the group of all': named(['X-Remote-Group', 'system:authenticated']),
  'the group of nobody': named(['X-Remote-Group', 'system:unauthenticated']),
  'both headers of groups': named(['X-Other-Group', 'ops'], ['X-Remote-Group', 'dev']),
  'many groups': named(...Array.from({ length: 300 }, (_one, index) => ['X-Remote-Group', `group-${index}`] as const)),
  'groups without a user': [['X-Remote-Group', 'dev']],
  'a uid': named(['X-Remote-Uid', '1234']),
  'an empty uid': named(['X-Remote-Uid', '']),
  'two uids': named(['X-Remote-Uid', '1'], ['X-Remote-Uid', '2']),
  'a uid without a user': [['X-Remote-Uid', '1234']],
  'an extra': extra('Scope'),
  'an empty extra': extra('Scope', ''),
  'an extra without a key': extra(''),
  'an extra twice': [...extra('Scope'), ['X-Remote-Extra-Scope', 'y']],
  'an extra in different letters': [...extra('Scope'), ['x-remote-extra-SCOPE', 'y']],
  'an extra with the same value twice': [...extra('Scope'), ['X-Remote-Extra-Scope', 'x']],
  'an extra with a slash': extra('example.org%2Fscope'),
  'an extra with an escaped letter': extra('%73cope'),
  'an extra with an escaped capital': extra('%53cope'),
  'an extra that is escaped twice': extra('a%252Fb'),
  'an extra with a broken escape': extra('a%2'),
  'an extra with an escape of no letters': extra('a%zz'),
  'an extra with an escaped NUL': extra('a%00b'),
  'an extra with escaped bytes beyond ASCII': extra('a%C3%A4'),
  'an extra with escaped bytes of no text': extra('a%ff'),
  'an extra with a plus': extra('a+b'),
  'an extra with a dot': extra('a.b'),
  'an extra of the second prefix': named(['X-Other-Extra-Scope', 'x']),
  'extras of both prefixes': [...extra('Scope'), ['X-Other-Extra-Scope', 'y']],
  'an extra of the system': extra('Authentication.kubernetes.io%2Fcredential-id', 'JTI=1'),
  'an extra named as every object is': extra('__proto__'),
  'an extra named constructor': extra('constructor'),
  'many extras': named(...Array.from({ length: 200 }, (_one, index) => [`X-Remote-Extra-K${index}`, 'x'] as const)),
  'an underscore in place of a hyphen': [['X_Remote_User', 'alice']],
  'a prefix of a header': [['X-Remote-Users', 'alice']],
};
