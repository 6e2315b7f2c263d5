import type { UserRules } from '#shared/server/assembly/open-user-rules.ts';
import type { GatewayRoutes } from './gateway-routes.ts';
import type { Presence } from './identity/presence.ts';
import type { Leadership } from './leader-election/leadership.ts';
import type { RemoteApiServices } from './remote-api-services.ts';

/** The parts of the gateway that begin to work when it listens. */
export interface StartedParts {
  readonly registration: GatewayRoutes;
  readonly presence: Presence;
  readonly remote: RemoteApiServices;
  readonly rules: Pick<UserRules, 'ready'>;
  readonly leaderElection: Leadership | undefined;
}

type Hooks = Record<string, () => Promise<void>>;

/** Post-start hooks that must have run before the gateway is ready, by the reference's names. */
export function gatewayHooks(parts: StartedParts): Hooks {
  const { registration, rules, leaderElection } = parts;
  const { certificateRead } = parts.remote;
  // Routes, availability, discovery and OpenAPI of registered servers all depend on the first list of APIServices.
  const informed = (): Promise<void> => registration.informed;
  return {
    ...identityHooks(parts.presence),
    ...(leaderElection === undefined
      ? {}
      : { 'start-kube-apiserver-coordinated-leader-election-controller': async () => leaderElection.start() }),
    ...(certificateRead === undefined ? {} : { 'aggregator-reload-proxy-client-cert': () => certificateRead }),
    'start-kube-aggregator-informers': async () => void (await Promise.all([informed(), rules.ready()])),
    'apiservice-status-local-available-controller': () => registration.registered,
    'apiservice-status-remote-available-controller': informed,
    'apiservice-registration-controller': informed,
    'apiservice-discovery-controller': informed,
    'kube-apiserver-autoregistration': () => registration.registered,
    'apiservice-openapi-controller': informed,
    'apiservice-openapiv3-controller': informed,
  };
}

function identityHooks({ identity }: Presence): Hooks {
  if (identity === undefined) return {};
  return {
    'start-kube-apiserver-identity-lease-controller': async () => identity.start(),
    'start-kube-apiserver-identity-lease-garbage-collector': async () => identity.startCollecting(),
  };
}
