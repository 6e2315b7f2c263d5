import { cronTab, definition, pathOf } from './cron-tabs.ts';
import { removeDefinition, serveDefinition } from './serve-definition.ts';
import type { TwoSides } from './two-sides.ts';
import type { Behaviour } from './webhook.ts';

const behaviours: readonly Behaviour[] = [
  'failed',
  'wrong uid',
  'no objects',
  'renamed',
  'other metadata',
  'bad label',
  'other version',
  'unknown field',
  'bad JSON',
  'no review',
  'status 500',
  'status 404',
  'redirect',
  'reset',
  'large',
];
const apply = { 'content-type': 'application/apply-patch+yaml' };

/** Requests in the version that needs the webhook, and in the storage version, which does not. */
export async function brokenWebhooks(sides: TwoSides): Promise<void> {
  sides.behaviour = 'right';
  await serveDefinition(sides, (webhook) => definition(webhook, 'v1'));
  await sides.ask('create a', 'POST', pathOf('v1'), cronTab('a', 'v1'));
  for (const behaviour of behaviours) {
    sides.behaviour = behaviour;
    const at = (what: string): string => `${behaviour}: ${what}`;
    const name = `made-${behaviour.replaceAll(/\W/g, '-').toLowerCase()}`;
    const paths = { v1: pathOf('v1', `/${name}`), v1beta1: pathOf('v1beta1', `/${name}`) };
    const selected = `?labelSelector=app%3D${name}`;
    const applied = `${paths.v1beta1}?fieldManager=a`;
    await sides.ask(at('create in v1'), 'POST', pathOf('v1'), cronTab(name, 'v1'));
    await sides.ask(at('get in v1'), 'GET', paths.v1);
    await sides.ask(at('get in v1beta1'), 'GET', paths.v1beta1);
    await sides.ask(at('list in v1'), 'GET', pathOf('v1', selected));
    await sides.ask(at('list in v1beta1'), 'GET', pathOf('v1beta1', selected));
    await sides.ask(at('create in v1beta1'), 'POST', pathOf('v1beta1'), cronTab(`${name}-2`, 'v1beta1'));
    await sides.ask(at('patch in v1beta1'), 'PATCH', paths.v1beta1, { spec: { note: 'a' } });
    await sides.ask(at('patch in v1'), 'PATCH', paths.v1, { spec: { note: behaviour } });
    await sides.ask(at('apply in v1beta1'), 'PATCH', applied, cronTab(name, 'v1beta1'), { headers: apply });
    await sides.ask(at('scale in v1beta1'), 'GET', `${paths.v1beta1}/scale`);
    await sides.ask(at('delete in v1beta1'), 'DELETE', paths.v1beta1);
    await sides.ask(at('delete in v1'), 'DELETE', paths.v1);
  }
  sides.behaviour = 'hangs';
  const [, , others] = await Promise.all([
    sides.ask('hangs: get in v1beta1', 'GET', pathOf('v1beta1', '/a')),
    sides.ask('hangs: create in v1beta1', 'POST', pathOf('v1beta1'), cronTab('b', 'v1beta1')),
    timed(() => sides.ask('hangs: get in v1', 'GET', pathOf('v1', '/a'))),
  ]);
  sides.note('hangs: others are answered at once', others < 2000 ? [] : [`took ${Math.round(others)} ms`]);
  sides.behaviour = 'failed';
  await removeDefinition(sides);
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
