import type { UserRules } from '#shared/server/assembly/open-user-rules.ts';
import type { ClusterMembership } from './cluster-membership.ts';
import type { OpenFlowControl } from './flow-control/open-flow-control.ts';
import type { GatewayRoutes } from './gateway-routes.ts';
import type { RemoteApiServices } from './remote-api-services.ts';

/** The parts of the gateway that begin to work when it listens. */
export interface StartedParts {
  readonly registration: GatewayRoutes;
  readonly membership: Pick<ClusterMembership, 'postStartHooks'>;
  readonly remote: RemoteApiServices;
  readonly rules: Pick<UserRules, 'ready'>;
  readonly flow: Pick<OpenFlowControl, 'ready'> | undefined;
}

/** Post-start hooks that must have run before the gateway is ready, by the reference's names. */
export function gatewayHooks(parts: StartedParts): Record<string, () => Promise<void>> {
  const { registration, rules, flow } = parts;
  const { certificateRead } = parts.remote;
  // Routes, availability, discovery and OpenAPI of registered servers all depend on the first list of APIServices.
  const informed = (): Promise<void> => registration.informed;
  return {
    ...parts.membership.postStartHooks,
    ...(flow === undefined
      ? { 'max-in-flight-filter': () => Promise.resolve() }
      : {
          'priority-and-fairness-config-consumer': () => flow.ready(),
          'priority-and-fairness-filter': () => Promise.resolve(),
        }),
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
