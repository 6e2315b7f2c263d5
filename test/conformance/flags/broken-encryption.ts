import type { Start } from '#test/conformance/admission-plugins/starts.ts';

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\n';

function whole(what: string, text: string, flags: readonly string[] = []): Start {
  return {
    name: `--encryption-provider-config: ${what}`,
    flags: ['--encryption-provider-config=DIR/file.yaml', ...flags],
    files: { 'file.yaml': text },
  };
}

/** A file whose `resources` have this text. */
function resources(what: string, text: string, flags: readonly string[] = []): Start {
  return whole(what, `${head}resources:\n${text}`, flags);
}

/** A file whose only resource, Secrets, has these providers. */
function providers(what: string, text: string): Start {
  return resources(what, `- resources: [secrets]\n  providers:\n${text}`);
}

/** A file whose providers are for these resources. */
function of(what: string, names: string): Start {
  return resources(what, `- resources: [${names}]\n  providers:\n  - identity: {}\n`);
}

const key = (bytes: number, name = 'a'): string =>
  `{name: ${name}, secret: ${Buffer.alloc(bytes, 'k').toString('base64')}}`;
const keys = (provider: string, text: string): string => `  - ${provider}: {keys: [${text}]}\n  - identity: {}\n`;
const kms = (fields: string): string => `  - kms: {${fields}}\n  - identity: {}\n`;
const socket = "endpoint: 'unix://DIR/kms.sock'";

const files: readonly Start[] = [
  whole('empty', ''),
  whole('no YAML', `${head}resources: [\n`),
  whole('JSON that is cut off', '{"kind": "EncryptionConfiguration", '),
  whole('binary', '\u0000\u0001'),
  whole('unknown kind', head.replace('EncryptionConfiguration', 'Other')),
  whole('kind of another API', 'apiVersion: v1\nkind: Pod\n'),
  whole('no kind', 'resources: []\n'),
  whole('unknown version', head.replace('/v1', '/v2')),
  whole('kind of the past', 'apiVersion: v1\nkind: EncryptionConfig\nresources: []\n'),
  whole('no resources', head),
  whole('empty resources', `${head}resources: []\n`),
  whole('resources of a wrong type', `${head}resources: {}\n`),
  whole('unknown field', `${head}resource: []\n`),
  whole('field that stands twice', `${head}resources: []\nresources: []\n`),
  whole('two documents', `${head}resources: []\n---\n${head}`),
];

const resourceRules: readonly Start[] = [
  resources('an empty entry', '- {}\n'),
  resources('no providers', '- resources: [secrets]\n'),
  resources('no resources in an entry', '- providers: [{identity: {}}]\n'),
  of('resource that is not served', 'nopes'),
  of('resource of a group that is not served', 'secrets.nope.io'),
  of('upper case', 'Secrets'),
  of('empty name', "''"),
  of('a name that stands twice', 'secrets, secrets'),
  of('wildcard without group', "'*'"),
  of('wildcard of an unknown group', "'*.nope.io'"),
  of('wildcard and what it covers', "'*.', secrets"),
  of('wildcard of all and of a group', "'*.*', '*.apps'"),
  of('wildcard that stands twice', "'*.apps', '*.apps'"),
  of('wildcard within a name', "'sec*'"),
  of('wildcard of a part of a group', "'deployments.*'"),
  of('version in a name', 'deployments.v1.apps'),
  of('events of the other group', 'events.events.k8s.io'),
  of('extensions group', 'deployments.extensions'),
  of('subresource', 'pods/status'),
  resources(
    'wildcards in two entries',
    "- resources: ['*.*']\n  providers: [{identity: {}}]\n- resources: ['*.*']\n  providers: [{identity: {}}]\n",
  ),
  resources(
    'entry behind a wildcard that covers it',
    "- resources: ['*.']\n  providers: [{identity: {}}]\n- resources: [secrets]\n  providers: [{identity: {}}]\n",
  ),
  resources(
    'group behind a wildcard of all',
    "- resources: ['*.*']\n  providers: [{identity: {}}]\n- resources: ['*.apps']\n  providers: [{identity: {}}]\n",
  ),
];

const localProviders: readonly Start[] = [
  providers('provider without kind', '  - {}\n'),
  providers('provider that is null', '  - null\n'),
  providers('unknown provider', '  - rot13: {}\n'),
  providers('two kinds in one provider', '  - {identity: {}, aesgcm: {keys: []}}\n'),
  ...['aescbc', 'aesgcm', 'secretbox'].flatMap((provider) => [
    providers(`${provider} without keys`, keys(provider, '')),
    providers(`${provider} with a key of 7 bytes`, keys(provider, key(7))),
    providers(`${provider} with a key of 24 bytes`, keys(provider, key(24))),
    providers(`${provider} with a key of 33 bytes`, keys(provider, key(33))),
    providers(`${provider} with a key of no base64`, keys(provider, '{name: a, secret: "no base64!"}')),
    providers(`${provider} with an empty key`, keys(provider, '{name: a, secret: ""}')),
    providers(`${provider} with a key without name`, keys(provider, key(32, '""'))),
    providers(`${provider} with a key without secret`, keys(provider, '{name: a}')),
    providers(`${provider} with two keys of one name`, keys(provider, `${key(32)}, ${key(32)}`)),
    providers(`${provider} with a colon in a name`, keys(provider, key(32, '"a:b"'))),
    providers(`${provider} with a secret that is a number`, keys(provider, '{name: a, secret: 1}')),
  ]),
  providers('identity with fields', '  - identity: {keys: []}\n'),
];

const kmsProviders: readonly Start[] = [
  providers('kms without anything', kms('')),
  providers('kms without name', kms(`apiVersion: v2, ${socket}`)),
  providers('kms without endpoint', kms('apiVersion: v2, name: a')),
  providers('kms with an unknown version', kms(`apiVersion: v3, name: a, ${socket}`)),
  providers('kms of v1 without its gate', kms(`apiVersion: v1, name: a, ${socket}`)),
  providers('kms without version', kms(`name: a, ${socket}`)),
  providers('kms at an address of TCP', kms("apiVersion: v2, name: a, endpoint: 'tcp://127.0.0.1:1'")),
  providers('kms at a path', kms("apiVersion: v2, name: a, endpoint: '/tmp/kms.sock'")),
  providers('kms at an endpoint that is no URL', kms("apiVersion: v2, name: a, endpoint: 'unix:///%zz'")),
  providers('kms with a colon in its name', kms(`apiVersion: v2, name: "a:b", ${socket}`)),
  providers('kms with a cache size', kms(`apiVersion: v2, name: a, cachesize: 10, ${socket}`)),
  providers('kms with a negative cache size', kms(`apiVersion: v1, name: a, cachesize: -1, ${socket}`)),
  providers('kms with a cache size of 0', kms(`apiVersion: v1, name: a, cachesize: 0, ${socket}`)),
  providers('kms with a timeout of 0', kms(`apiVersion: v2, name: a, timeout: 0s, ${socket}`)),
  providers('kms with a negative timeout', kms(`apiVersion: v2, name: a, timeout: -1s, ${socket}`)),
  providers('kms with a timeout that is no duration', kms(`apiVersion: v2, name: a, timeout: soon, ${socket}`)),
  providers(
    'two kms of one name',
    `  - kms: {apiVersion: v2, name: a, ${socket}}\n  - kms: {apiVersion: v2, name: a, ${socket}}\n`,
  ),
  providers('several errors', kms('name: "", timeout: -1s') + keys('aescbc', `${key(7)}, {name: ""}`)),
  resources(
    'kms of v1, with another error, with the file read again',
    `- resources: [secrets]\n  providers:\n${kms(`name: "a:b", ${socket}`)}`,
    ['--encryption-provider-config-automatic-reload=true'],
  ),
];

/** Starts with EncryptionConfigurations that are wrong, or odd but right. */
export const brokenEncryption: readonly Start[] = [...files, ...resourceRules, ...localProviders, ...kmsProviders];
