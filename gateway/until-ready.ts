import { setTimeout as sleep } from 'node:timers/promises';
import type { AuthorizationSystem } from '#shared/authorization/create-authorizer.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { ServerDependencies } from '#shared/process/server-dependencies.ts';
import type { HealthChecks } from '#shared/server/health.ts';
import type { Backends } from './backends/open-backends.ts';
import type { GatewayRoutes } from './gateway-routes.ts';

const retryMs = 100;
const checkMs = 5;

/** Resolves when all checks of /readyz pass. */
export async function untilReady(
  { health, logger }: ServerDependencies,
  { core, extensions }: Backends,
  registration: GatewayRoutes,
  authorization: AuthorizationSystem,
): Promise<void> {
  await Promise.all([core.ready, extensions.ready, registration.registered, authorization.ready()]);
  // Core has created the bootstrap roles by now; the authorizer must know them before clients are authorized.
  await untilCurrent(authorization, logger);
  await untilGreen(health);
}

/** Waits until the authorizer is current. A cache may lag for longer than a read waits, so failures are retried. */
async function untilCurrent(authorization: AuthorizationSystem, logger: Logger): Promise<void> {
  for (;;) {
    try {
      await authorization.current();
      return;
    } catch (error) {
      logger.error('the rules of authorization are not current; trying again', error);
      await sleep(retryMs);
    }
  }
}

/** Polls the checks of /readyz, which send no events. */
async function untilGreen(health: HealthChecks): Promise<void> {
  while ((await health.run('readyz')).some(({ reason }) => reason !== '')) await sleep(checkMs);
}
