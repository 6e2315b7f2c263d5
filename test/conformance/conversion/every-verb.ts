import type { JsonClient } from '#test/json-client.ts';
import { cronTab, definition, pathOf } from './cron-tabs.ts';
import { removeDefinition, serveDefinition } from './serve-definition.ts';
import type { TwoSides } from './two-sides.ts';

const versions = ['v1', 'v1beta1'] as const;
const apply = { 'content-type': 'application/apply-patch+yaml' };
const jsonPatch = { 'content-type': 'application/json-patch+json' };

/** Every verb in the storage version and in the other one, with a webhook that is right. */
export async function everyVerb(sides: TwoSides): Promise<void> {
  sides.behaviour = 'right';
  await serveDefinition(sides, (webhook) => definition(webhook, 'v1'));
  for (const own of versions) {
    const other = own === 'v1' ? 'v1beta1' : 'v1';
    const name = `made-in-${own}`;
    const at = (version: 'v1' | 'v1beta1', rest = ''): string => pathOf(version, `/${name}${rest}`);
    await sides.ask(`dry run of a create in ${own}`, 'POST', pathOf(own, '?dryRun=All'), cronTab(name, own));
    await sides.ask(`create in ${own}`, 'POST', pathOf(own), cronTab(name, own));
    await sides.ask(`create again in ${own}`, 'POST', pathOf(own), cronTab(name, own));
    await sides.ask(`create of another version in ${own}`, 'POST', pathOf(own), cronTab(`${name}-x`, other));
    for (const version of versions) await readAll(sides, version, `after a create in ${own}`, name);
    const note = [{ op: 'add', path: '/spec/note', value: 'by JSON patch' }];
    for (const version of versions) {
      const by = `in ${version}, made in ${own}`;
      await sides.ask(`merge patch ${by}`, 'PATCH', at(version), { spec: { replicas: 3 } });
      await sides.ask(`JSON patch ${by}`, 'PATCH', at(version), note, { headers: jsonPatch });
      await sides.ask(`merge patch without a change ${by}`, 'PATCH', at(version), { spec: { replicas: 3 } });
      await sides.ask(`status ${by}`, 'PATCH', at(version, '/status'), { status: { replicas: 2, phase: version } });
      await sides.ask(`get status ${by}`, 'GET', at(version, '/status'));
      await sides.ask(`get scale ${by}`, 'GET', at(version, '/scale'));
      await sides.ask(`patch scale ${by}`, 'PATCH', at(version, '/scale'), { spec: { replicas: 5 } });
      await sides.ask(`update without resourceVersion ${by}`, 'PUT', at(version), cronTab(name, version));
      await sides.ask(`get ${by}`, 'GET', at(version));
      await sides.ask(`dry run of a patch ${by}`, 'PATCH', at(version, '?dryRun=All'), { spec: { note: 'dry' } });
      await sides.compare(`update ${by}`, (side) => replace(side.json, at(version)));
    }
    await applies(sides, name, own);
  }
  await lists(sides);
  await deletions(sides);
  await removeDefinition(sides);
}

async function readAll(sides: TwoSides, version: 'v1' | 'v1beta1', when: string, name: string): Promise<void> {
  await sides.ask(`get in ${version} ${when}`, 'GET', pathOf(version, `/${name}`));
  for (const accept of [
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    'application/yaml',
  ])
    await sides.ask(`get in ${version} ${when} as ${accept}`, 'GET', pathOf(version, `/${name}`), undefined, {
      headers: { accept },
    });
}

async function replace(client: JsonClient, path: string): Promise<number> {
  const { body } = await client.call('GET', path);
  const object = body as { spec: Record<string, unknown> };
  object.spec['note'] = 'by PUT';
  return (await client.call('PUT', path, object)).status;
}

/** Server-side apply by two managers in two versions: conflicts, removal of fields, and a forced apply. */
async function applies(sides: TwoSides, name: string, own: 'v1' | 'v1beta1'): Promise<void> {
  const other = own === 'v1' ? ('v1beta1' as const) : ('v1' as const);
  const at = (version: 'v1' | 'v1beta1', manager: string, more = ''): string =>
    pathOf(version, `/applied-${name}?fieldManager=${manager}${more}`);
  const applied = (version: 'v1' | 'v1beta1', spec: object): object => ({
    apiVersion: `stable.example.com/${version}`,
    kind: 'CronTab',
    metadata: { name: `applied-${name}`, namespace: 'default' },
    spec,
  });
  const place = (version: 'v1' | 'v1beta1', host: string): object =>
    version === 'v1' ? { hostPort: `${host}:1` } : { host, port: '1' };
  const [a, b] = [own, other] as const;
  await sides.ask(`first apply in ${a}`, 'PATCH', at(a, 'one'), applied(a, { ...place(a, 'a'), note: 'a' }), {
    headers: apply,
  });
  await sides.ask(`apply again in ${a}`, 'PATCH', at(a, 'one'), applied(a, { ...place(a, 'a'), note: 'a' }), {
    headers: apply,
  });
  await sides.ask(`apply in ${b} that conflicts`, 'PATCH', at(b, 'two'), applied(b, { note: 'b' }), { headers: apply });
  await sides.ask(`forced apply in ${b}`, 'PATCH', at(b, 'two', '&force=true'), applied(b, { note: 'b' }), {
    headers: apply,
  });
  await sides.ask(`apply in ${b} of a moved field`, 'PATCH', at(b, 'two'), applied(b, place(b, 'z')), {
    headers: apply,
  });
  await sides.ask(`get in ${a} after applies`, 'GET', pathOf(a, `/applied-${name}`));
  await sides.ask(`apply in ${a} without note`, 'PATCH', at(a, 'one', '&force=true'), applied(a, place(a, 'c')), {
    headers: apply,
  });
  await sides.ask(`the same manager in ${b}`, 'PATCH', at(b, 'one', '&force=true'), applied(b, { replicas: 7 }), {
    headers: apply,
  });
  await sides.ask(`get in ${b} after applies`, 'GET', pathOf(b, `/applied-${name}`));
}

async function lists(sides: TwoSides): Promise<void> {
  for (const version of versions) {
    for (const query of [
      '',
      '?resourceVersion=0',
      '?limit=1',
      '?labelSelector=app%3Dmade-in-v1',
      `?labelSelector=version%3D${version}`,
      '?labelSelector=version',
      '?labelSelector=!version',
      '?fieldSelector=metadata.name%3Dmade-in-v1',
      '?fieldSelector=spec.host%3Dmade-in-v1',
      '?fieldSelector=spec.hostPort%3Dmade-in-v1:80',
      '?labelSelector=app&limit=1',
    ])
      await sides.ask(`list in ${version} ${query}`, 'GET', pathOf(version, query));
    await sides.ask(`table in ${version}`, 'GET', pathOf(version), undefined, {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    });
    await sides.ask(`metadata in ${version}`, 'GET', pathOf(version), undefined, {
      headers: { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' },
    });
  }
}

async function deletions(sides: TwoSides): Promise<void> {
  await sides.ask('add a finalizer in v1beta1', 'PATCH', pathOf('v1beta1', '/made-in-v1'), {
    metadata: { finalizers: ['example.com/hold'] },
  });
  await sides.ask('dry run of a deletion in v1beta1', 'DELETE', pathOf('v1beta1', '/made-in-v1?dryRun=All'));
  await sides.ask('delete what a finalizer holds, in v1beta1', 'DELETE', pathOf('v1beta1', '/made-in-v1'));
  await sides.ask('delete it again in v1', 'DELETE', pathOf('v1', '/made-in-v1'));
  await sides.ask('remove the finalizer in v1beta1', 'PATCH', pathOf('v1beta1', '/made-in-v1'), {
    metadata: { finalizers: null },
  });
  await sides.ask('delete in v1beta1', 'DELETE', pathOf('v1beta1', '/made-in-v1beta1'));
  await sides.ask('delete again in v1beta1', 'DELETE', pathOf('v1beta1', '/made-in-v1beta1'));
  await sides.ask('delete the selected in v1beta1', 'DELETE', pathOf('v1beta1', '?labelSelector=version%3Dv1'));
  await sides.ask('delete all in v1beta1', 'DELETE', pathOf('v1beta1'));
  await sides.ask('list what is left', 'GET', pathOf('v1'));
}
