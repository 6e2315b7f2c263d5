import { cronTab, definition, pathOf } from './cron-tabs.ts';
import { changeDefinition, removeDefinition, serveDefinition } from './serve-definition.ts';
import type { TwoSides } from './two-sides.ts';

const versions = ['v1', 'v1beta1'] as const;

/** Objects that lie in storage in two versions, and writes that move them to the present one. */
export async function mixedVersions(sides: TwoSides): Promise<void> {
  sides.behaviour = 'right';
  await serveDefinition(sides, (webhook) => definition(webhook, 'v1beta1', ['v1beta1']));
  for (const name of ['old-1', 'old-2', 'old-3'])
    await sides.ask(`create ${name}`, 'POST', pathOf('v1'), cronTab(name, 'v1'));
  await changeDefinition(sides, 'store v1 from now on', (webhook) => ({
    spec: { versions: (definition(webhook, 'v1')['spec'] as { versions: object[] }).versions },
  }));
  await sides.ask('storedVersions', 'GET', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions');
  await sides.ask('create new-1', 'POST', pathOf('v1'), cronTab('new-1', 'v1'));
  for (const version of versions) {
    await sides.ask(`list in ${version}`, 'GET', pathOf(version));
    await sides.ask(`list in ${version} at version 0`, 'GET', pathOf(version, '?resourceVersion=0'));
    await sides.ask(`get an old one in ${version}`, 'GET', pathOf(version, '/old-1'));
    await sides.ask(`select in ${version}`, 'GET', pathOf(version, '?labelSelector=version%3Dv1beta1'));
  }
  sides.behaviour = 'failed';
  for (const version of versions)
    await sides.ask(`get an old one in ${version}, by a webhook that fails`, 'GET', pathOf(version, '/old-1'));
  await sides.ask('get a new one in v1, by a webhook that fails', 'GET', pathOf('v1', '/new-1'));
  sides.behaviour = 'right';
  await sides.compare('an update without a change stores the new version', async ({ json }) => {
    const { body } = await json.call('GET', pathOf('v1', '/old-1'));
    const before = (body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
    const answer = await json.call('PUT', pathOf('v1', '/old-1'), body);
    const after = (answer.body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
    return before === after ? 'not written' : 'written';
  });
  sides.behaviour = 'failed';
  await sides.ask('get what was moved, by a webhook that fails', 'GET', pathOf('v1', '/old-1'));
  await sides.ask('delete an old one in v1, by a webhook that fails', 'DELETE', pathOf('v1', '/old-2'));
  sides.behaviour = 'right';
  await sides.ask('delete an old one in v1', 'DELETE', pathOf('v1', '/old-2'));
  await sides.ask('delete an old one in v1beta1', 'DELETE', pathOf('v1beta1', '/old-3'));
  await changeDefinition(sides, 'no conversion from now on', {
    spec: { conversion: { strategy: 'None', webhook: null } },
  });
  for (const version of versions) await sides.ask(`list in ${version} without webhook`, 'GET', pathOf(version));
  await sides.compare('an update without a change, without webhook', async ({ json }) => {
    const { body } = await json.call('GET', pathOf('v1', '/new-1'));
    const before = (body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
    const answer = await json.call('PUT', pathOf('v1', '/new-1'), body);
    const after = (answer.body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
    return before === after ? 'not written' : 'written';
  });
  await removeDefinition(sides);
}
