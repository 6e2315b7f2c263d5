/**
 * Records what running kube-apiservers publish about their resources, as input for the generator:
 *   node record.ts URL-OF-ALL URL-OF-DEFAULT URL-OF-OLDEST BEARER-TOKEN > recorded.json
 * The first server runs with `--runtime-config=api/all=true --feature-gates=AllAlpha=true,AllBeta=true`, the second
 * with defaults; only the list of its resources is used. The third is like the first, with the oldest
 * `--emulated-version` that there is: resources that were removed since are taken from it. Facts only: no
 * descriptions are recorded.
 */
process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';

const [allUrl, defaultUrl, oldestUrl, token] = process.argv.slice(2);
if (allUrl === undefined || defaultUrl === undefined || oldestUrl === undefined || token === undefined) {
  throw new Error('usage: record.ts URL-OF-ALL URL-OF-DEFAULT URL-OF-OLDEST BEARER-TOKEN');
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
async function discover(url: string): Promise<DiscoveredGroup[]> {
  const core = await get<{ items: DiscoveredGroup[] }>('/api', aggregated, url);
  const named = await get<{ items: DiscoveredGroup[] }>('/apis', aggregated, url);
  return [...core.items, ...named.items];
}

const groups = await discover(allUrl);
/** Resources that only the oldest release has; they are read from its server. */
const removed = new Set<string>();
for (const group of await discover(oldestUrl)) {
  const known = groups.find(({ metadata }) => metadata.name === group.metadata.name);
  for (const { version, resources = [] } of group.versions) {
    const here = known?.versions.find((other) => other.version === version)?.resources ?? [];
    const gone = resources.filter(({ resource }) => !here.some((other) => other.resource === resource));
    if (gone.length > 0 && here.length === 0)
      throw new Error(`${group.metadata.name ?? ''}/${version} is gone as a whole`);
    here.push(...gone);
    here.sort((a, b) => (a.resource < b.resource ? -1 : 1));
    for (const { resource } of gone) removed.add(`${group.metadata.name ?? ''}/${version}/${resource}`);
  }
}
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
    const isRemoved = (resource: string): boolean => removed.has(`${name}/${version}/${resource}`);
    const servers = resources.some(({ resource }) => isRemoved(resource)) ? [allUrl, oldestUrl] : [allUrl];
    const legacy = await Promise.all(
      servers.map((url) => get<{ resources: { name: string; storageVersionHash?: string }[] }>(root, undefined, url)),
    );
    for (const entry of legacy.flatMap((list) => list.resources)) {
      if (entry.storageVersionHash !== undefined)
        storageVersionHashes[`${name}/${version}/${entry.name}`] = entry.storageVersionHash;
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
      const url = isRemoved(resource) ? oldestUrl : allUrl;
      const table = await get<{ columnDefinitions: Column[] }>(
        `${root}/${resource}?limit=1`,
        'application/json;as=Table;g=meta.k8s.io;v=v1',
        url,
      );
      columns[`${name}/${version}/${resource}`] = table.columnDefinitions.map((c) => [
        c.name,
        c.type,
        c.format ?? '',
        c.priority ?? 0,
      ]);
    }
  }
}

const priorities: Record<string, [group: number, version: number]> = {};
for (const { spec } of (await get<{ items: ApiService[] }>('/apis/apiregistration.k8s.io/v1/apiservices')).items) {
  priorities[`${spec.group ?? ''}/${spec.version}`] = [spec.groupPriorityMinimum, spec.versionPriority];
}

const line = (key: string, value: unknown): string => `${JSON.stringify(key)}: ${JSON.stringify(value)}`;
const block = (of: Record<string, unknown>): string =>
  `{\n${Object.keys(of)
    .toSorted()
    .map((key) => line(key, of[key]))
    .join(',\n')}\n}`;
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
