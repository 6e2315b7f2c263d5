import type { GatewayRoutes } from './gateway-routes.ts';
import type { IdentityLease } from './identity/identity-lease.ts';

/** Post-start hooks that must have run before the gateway is ready, by the reference's names. */
export function gatewayHooks(
  routes: GatewayRoutes,
  identity: IdentityLease | undefined,
  certificateRead: Promise<void> | undefined,
  rulesReady: () => Promise<void>,
): Record<string, () => Promise<void>> {
  // Routes, availability, discovery and OpenAPI of registered servers all depend on the first list of APIServices.
  const informed = (): Promise<void> => routes.informed;
  return {
    ...(identity === undefined
      ? {}
      : {
          'start-kube-apiserver-identity-lease-controller': async () => identity.start(),
          'start-kube-apiserver-identity-lease-garbage-collector': async () => identity.startCollecting(),
        }),
    ...(certificateRead === undefined ? {} : { 'aggregator-reload-proxy-client-cert': () => certificateRead }),
    'start-kube-aggregator-informers': async () => void (await Promise.all([informed(), rulesReady()])),
    'apiservice-status-local-available-controller': () => routes.registered,
    'apiservice-status-remote-available-controller': informed,
    'apiservice-registration-controller': informed,
    'apiservice-discovery-controller': informed,
    'kube-apiserver-autoregistration': () => routes.registered,
    'apiservice-openapi-controller': informed,
    'apiservice-openapiv3-controller': informed,
  };
}
