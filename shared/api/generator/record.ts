/**
 * Records what a running kube-apiserver says of its resources, as input for the generator:
 *   node record.ts URL-OF-ALL URL-OF-DEFAULT BEARER-TOKEN > recorded.json
 * The first server runs with `--runtime-config=api/all=true --feature-gates=AllAlpha=true,AllBeta=true`, the second
 * with defaults; only the list of its resources is used. Facts only: descriptions never leave the servers.
 */
process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';

const [allUrl, defaultUrl, token] = process.argv.slice(2);
if (allUrl === undefined || defaultUrl === undefined || token === undefined) {
  throw new Error('usage: record.ts URL-OF-ALL URL-OF-DEFAULT BEARER-TOKEN');
}

interface DiscoveredVersion {
  version: string;
  resources?: { resource: string; verbs: string[] }[];
}
interface DiscoveredGroup {
  metadata: { name?: string };
  versions: DiscoveredVersion[];
}
interface Operation {
  responses: Record<string, { content?: { 'application/json'?: { schema: { $ref?: string } } } } | undefined>;
}
interface PathItem {
  get?: Operation;
  delete?: Operation;
}
interface Column {
  name: string;
  type: string;
  format?: string;
  priority?: number;
}
interface ApiService {
  spec: { group?: string; version: string; groupPriorityMinimum: number; versionPriority: number };
}

async function get<T>(path: string, accept = 'application/json', url = allUrl): Promise<T> {
  const answer = await fetch(url + path, { headers: { accept, authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return (await answer.json()) as T;
}

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
async function discover(url: string | undefined): Promise<DiscoveredGroup[]> {
  const core = await get<{ items: DiscoveredGroup[] }>('/api', aggregated, url);
  const named = await get<{ items: DiscoveredGroup[] }>('/apis', aggregated, url);
  return [...core.items, ...named.items];
}

const groups = await discover(allUrl);
const enabledByDefault = (await discover(defaultUrl)).flatMap((group) =>
  group.versions.flatMap(({ version, resources = [] }) =>
    resources.map(({ resource }) => `${group.metadata.name ?? ''}/${version}/${resource}`),
  ),
);

const storageVersionHashes: Record<string, string> = {};
const deleteReturnsObject: string[] = [];
const columns: Record<string, [name: string, type: string, format: string, priority: number][]> = {};
for (const group of groups) {
  const name = group.metadata.name ?? '';
  for (const { version, resources = [] } of group.versions) {
    const root = name === '' ? `/api/${version}` : `/apis/${name}/${version}`;
    const legacy = await get<{ resources: { name: string; storageVersionHash?: string }[] }>(root);
    for (const entry of legacy.resources) {
      if (entry.storageVersionHash !== undefined) storageVersionHashes[`${name}/${version}/${entry.name}`] = entry.storageVersionHash;
    }
    const { paths } = await get<{ paths: Record<string, PathItem> }>(`/openapi/v3${root}`);
    for (const [path, item] of Object.entries(paths)) {
      const answer = item.delete?.responses['200']?.content?.['application/json']?.schema.$ref;
      const object = item.get?.responses['200']?.content?.['application/json']?.schema.$ref;
      if (answer === undefined || answer !== object) continue;
      deleteReturnsObject.push(`${name}/${version}/${path.split('/').at(-2)}`);
    }
    for (const { resource, verbs } of resources) {
      if (!verbs.includes('list')) continue;
      const table = await get<{ columnDefinitions: Column[] }>(`${root}/${resource}?limit=1`, 'application/json;as=Table;g=meta.k8s.io;v=v1');
      columns[`${name}/${version}/${resource}`] = table.columnDefinitions.map((c) => [c.name, c.type, c.format ?? '', c.priority ?? 0]);
    }
  }
}

const priorities: Record<string, [group: number, version: number]> = {};
for (const { spec } of (await get<{ items: ApiService[] }>('/apis/apiregistration.k8s.io/v1/apiservices')).items) {
  priorities[`${spec.group ?? ''}/${spec.version}`] = [spec.groupPriorityMinimum, spec.versionPriority];
}

const line = (key: string, value: unknown): string => `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
const block = (of: Record<string, unknown>): string => `{\n${Object.keys(of).toSorted().map((key) => line(key, of[key])).join(',\n')}\n}`;
process.stdout.write(`{
"groups": [
${groups.map((group) => JSON.stringify(group)).join(',\n')}
],
"enabledByDefault": ${JSON.stringify(enabledByDefault)},
"deleteReturnsObject": ${JSON.stringify(deleteReturnsObject)},
"priorities": ${block(priorities)},
"storageVersionHashes": ${block(storageVersionHashes)},
"columns": ${block(columns)}
}
`);
