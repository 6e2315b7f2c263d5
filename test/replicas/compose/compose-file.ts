import { existsSync } from 'node:fs';
import {
  boolCoreTag,
  floatCoreTag,
  intCoreTag,
  load,
  mapTag,
  mergeTag,
  nullCoreTag,
  Schema,
  seqTag,
  strTag,
} from 'js-yaml';

/** What a service of compose.yaml says, as far as it matters here (compose-spec, 05-services.md). */
export interface ComposeService {
  readonly name: string;
  readonly profiles: readonly string[];
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthcheck: readonly string[] | undefined;
  readonly replicas: number;
  /** Volume → path in the container; `readOnly` as said. */
  readonly volumes: readonly { readonly volume: string; readonly path: string; readonly readOnly: boolean }[];
  /** Service → condition. */
  readonly dependsOn: ReadonlyMap<string, string>;
}

/** YAML 1.2 with merge keys, as docker compose reads it. */
const withMerge = new Schema([strTag, nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag, mergeTag, seqTag, mapTag]);

type Node = Readonly<Record<string, unknown>>;

const topLevelKeys = new Set(['name', 'services', 'networks', 'volumes']);
const serviceKeys = new Set([
  'image',
  'build',
  'user',
  'read_only',
  'cap_drop',
  'security_opt',
  'restart',
  'init',
  'networks',
  'volumes',
  'tmpfs',
  'depends_on',
  'stop_grace_period',
  'command',
  'entrypoint',
  'healthcheck',
  'deploy',
  'ports',
  'environment',
  'group_add',
  'profiles',
]);
const restarts = new Set(['no', 'always', 'on-failure', 'unless-stopped']);
const conditions = new Set(['service_started', 'service_healthy', 'service_completed_successfully']);

/**
 * Reads the text with variables put in. Throws an error that lists everything that is against the specification or our
 * own rules.
 */
export function readComposeFile(text: string, variables: Readonly<Record<string, string>>): ComposeService[] {
  const file = load(
    text.replace(/\$\{(\w+):-([^}]*)\}/g, (_all, name: string, initial: string) => variables[name] ?? initial),
    { schema: withMerge },
  ) as Node;
  const errors: string[] = [];
  for (const key of Object.keys(file))
    if (!topLevelKeys.has(key) && !key.startsWith('x-')) errors.push(`unknown key ${key}`);
  const services = asNode(file['services']);
  const names = {
    services: Object.keys(services),
    networks: Object.keys(asNode(file['networks'])),
    volumes: Object.keys(asNode(file['volumes'])),
  };
  const read = Object.entries(services).map(([name, value]) => readService(name, asNode(value), names, errors));
  if (errors.length > 0) throw new Error(`compose.yaml:\n${errors.join('\n')}`);
  return read;
}

interface Names {
  readonly services: readonly string[];
  readonly networks: readonly string[];
  readonly volumes: readonly string[];
}

function readService(name: string, service: Node, names: Names, errors: string[]): ComposeService {
  const wrong = (text: string): void => void errors.push(`services.${name}: ${text}`);
  for (const key of Object.keys(service)) if (!serviceKeys.has(key)) wrong(`unknown key ${key}`);
  checkConfinement(service, wrong);
  for (const network of asList(service['networks']))
    if (!names.networks.includes(network)) wrong(`unknown network ${network}`);
  const volumes = asList(service['volumes']).map((text) => {
    const [volume = '', path = '', mode] = text.split(':');
    // Files of this repository are mounted for reading only.
    const isKnown = volume.startsWith('./') ? mode === 'ro' && existsSync(volume) : names.volumes.includes(volume);
    if (!isKnown || !path.startsWith('/')) wrong(`volume ${text}`);
    return { volume, path, readOnly: mode === 'ro' };
  });
  const dependsOn = new Map(
    Object.entries(asNode(service['depends_on'])).map(([other, value]) => [other, String(asNode(value)['condition'])]),
  );
  for (const [other, condition] of dependsOn)
    if (!names.services.includes(other) || !conditions.has(condition)) wrong(`depends_on ${other}: ${condition}`);
  const test = asList(asNode(service['healthcheck'])['test']);
  const once = service['restart'] === 'no';
  if (!once && test[0] !== 'CMD') wrong('no health check');
  return {
    name,
    volumes,
    dependsOn,
    profiles: asList(service['profiles']),
    entrypoint: asList(service['entrypoint']),
    command: asList(service['command']),
    healthcheck: test.length === 0 ? undefined : test.slice(1),
    replicas: Number(asNode(service['deploy'])['replicas'] ?? 1),
  };
}

/** What must hold for each container of ours. */
function checkConfinement(service: Node, wrong: (text: string) => void): void {
  if (!restarts.has(String(service['restart']))) wrong(`restart ${JSON.stringify(service['restart'])}`);
  if (!/^[1-9]\d*:[1-9]\d*$/.test(String(service['user']))) wrong('runs as root');
  if (service['read_only'] !== true) wrong('the file system is not read-only');
  if (!asList(service['cap_drop']).includes('ALL')) wrong('capabilities are kept');
  if (!asList(service['security_opt']).includes('no-new-privileges:true')) wrong('privileges may be gained');
  const limits = asNode(asNode(asNode(service['deploy'])['resources'])['limits']);
  if (service['restart'] !== 'no' && (limits['cpus'] === undefined || limits['memory'] === undefined))
    wrong('no limits');
  const isOurs = service['image'] === 'quarterdeck';
  if (isOurs && !String(asNode(service['build'])['dockerfile_inline']).includes('USER 10001:10001'))
    wrong('no inline Dockerfile');
}

function asNode(value: unknown): Node {
  return typeof value === 'object' && value !== null ? (value as Node) : {};
}

function asList(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
