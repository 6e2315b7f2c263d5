import type { JsonClient } from '#test/json-client.ts';
import type { Credential } from './credential.ts';

type Data = Readonly<Record<string, string | undefined>>;

interface SecretForm {
  readonly data?: Data;
  readonly type?: string;
  readonly namespace?: string;
}

const later = '2099-01-01T00:00:00Z';
/** By the ids of tokens. */
const secrets: Readonly<Record<string, SecretForm>> = {
  good000: {},
  groups0: { data: { 'auth-extra-groups': 'system:bootstrappers:a,system:bootstrappers:b' } },
  wronggr: { data: { 'auth-extra-groups': 'system:masters' } },
  wronggs: { data: { 'auth-extra-groups': 'system:bootstrappers:a, system:bootstrappers:b' } },
  expired: { data: { expiration: '2020-01-01T00:00:00Z' } },
  notyet0: { data: { expiration: later } },
  oddtime: { data: { expiration: 'tomorrow' } },
  notime0: { data: { expiration: '' } },
  nousage: { data: { 'usage-bootstrap-authentication': undefined } },
  falsely: { data: { 'usage-bootstrap-authentication': 'false' } },
  capital: { data: { 'usage-bootstrap-authentication': 'TRUE' } },
  signing: { data: { 'usage-bootstrap-signing': 'true' } },
  noid000: { data: { 'token-id': undefined } },
  otherid: { data: { 'token-id': 'other0' } },
  nosecre: { data: { 'token-secret': undefined } },
  shorter: { data: { 'token-secret': 'short' } },
  opaque0: { type: 'Opaque' },
  another: { namespace: 'default' },
  describ: { data: { description: 'a token' } },
};

/** The ids have six characters. */
const idOf = (name: string): string => name.slice(1).padEnd(6, '0');
const secretText = 'abcdef0123456789';

/** Makes the secrets of bootstrap tokens on a server. */
export async function makeBootstrapSecrets(json: JsonClient): Promise<void> {
  for (const [name, { data = {}, type = 'bootstrap.kubernetes.io/token', namespace = 'kube-system' }] of Object.entries(
    secrets,
  )) {
    const id = idOf(name);
    const all = { 'token-id': id, 'token-secret': secretText, 'usage-bootstrap-authentication': 'true', ...data };
    const { status, body } = await json.call('POST', `/api/v1/namespaces/${namespace}/secrets`, {
      metadata: { name: `bootstrap-token-${id}` },
      type,
      stringData: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
    });
    if (status !== 201) throw new Error(`the secret of ${name}: ${JSON.stringify(body)}`);
  }
}

export function bootstrapCredentials(): Credential[] {
  const id = idOf('good000');
  const forms = {
    'another secret': `${id}.abcdef0123456780`,
    'an unknown id': `nobody.${secretText}`,
    capitals: `${id.toUpperCase()}.${secretText}`,
    'a long id': `${id}0.${secretText}`,
    'a long secret': `${id}.${secretText}0`,
    'a short secret': `${id}.${secretText.slice(1)}`,
    'a space': `${id}. ${secretText.slice(1)}`,
    'two dots': `${id}..${secretText.slice(1)}`,
    'a path in the id': `../../.${secretText}`,
  };
  return [
    ...Object.keys(secrets).map((name) => ({ name: `bootstrap: ${name}`, token: `${idOf(name)}.${secretText}` })),
    ...Object.entries(forms).map(([name, token]) => ({ name: `bootstrap: ${name}`, token })),
  ];
}
