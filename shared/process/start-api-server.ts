import type { AuthorizationSystem } from '../authorization/create-authorizer.ts';
import { createErrorWriter } from '../endpoints/responders/write-error.ts';
import type { Family } from '../observability/metrics.ts';
import type { Handler } from '../request/request-context.ts';
import type { OpenListener } from '../server/exchange/listener.ts';
import { startServer, type RunningServer } from '../server/start-server.ts';
import type { ServerBase } from './server-base.ts';

export interface ApiServerStart {
  /** For logs: `gateway`, `core`. */
  readonly name: string;
  readonly authorization: AuthorizationSystem;
  readonly listeners: readonly OpenListener[];
  /** The API, behind the fixed paths. */
  readonly handler: Handler;
  readonly postStartHooks: Readonly<Record<string, () => Promise<void>>>;
  readonly metrics?: readonly Family[];
}

/** Opens the listeners with the whole chain in front of the handler. */
export function startApiServer(base: ServerBase, start: ApiServerStart): Promise<RunningServer> {
  const { options, mux, health, logger, facts, authentication } = base;
  const { authorization, ...rest } = start;
  return startServer({
    ...rest,
    options,
    mux,
    health,
    logger,
    chain: {
      authenticator: authentication.authenticator,
      authorizer: authorization.authorizer,
      apiAudiences: authentication.apiAudiences,
      writeError: createErrorWriter(facts),
    },
  });
}
