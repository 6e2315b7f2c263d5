import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { group, pathOf } from './cron-tabs.ts';
import type { TwoSides } from './two-sides.ts';
import type { Webhook } from './webhook.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const own = `${definitions}/crontabs.${group}`;
/** The reference replaces its handlers, and begins its caches, some time after a definition has changed. */
const settleMs = 1500;

export async function serveDefinition(sides: TwoSides, make: (webhook: Webhook) => JsonObject): Promise<void> {
  await sides.ask('create the definition', 'POST', definitions, make);
  await sides.until200(pathOf('v1'));
  await sides.until200(pathOf('v1beta1'));
  await sleep(settleMs);
}

export async function changeDefinition(
  sides: TwoSides,
  what: string,
  change: object | ((webhook: Webhook) => object),
): Promise<void> {
  await sides.ask(what, 'PATCH', own, change);
  await sleep(settleMs);
}

export async function removeDefinition(sides: TwoSides): Promise<void> {
  await sides.compare('delete the definition', async ({ json }) => {
    await json.call('DELETE', own);
    for (let tries = 0; tries < 150; tries++) {
      const { status } = await json.call('GET', own);
      if (status === 404) return 'removed';
      await sleep(100);
    }
    return 'still there';
  });
}
