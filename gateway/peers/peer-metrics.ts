import { Counter, type Family } from '#shared/observability/metrics.ts';

const gvr = ['group', 'version', 'resource'];

/** Metrics of requests to peers, by the reference's names (apiserver/pkg/util/peerproxy/metrics). */
export class PeerMetrics {
  /** Resources are empty where this server read the discovery of a peer. */
  readonly rerouted = new Counter(
    'apiserver_rerouted_request_total',
    '[ALPHA] Requests that peers answered, by status and resource.',
    ['code', ...gvr],
  );
  readonly proxyErrors = new Counter(
    'apiserver_peer_proxy_errors_total',
    '[ALPHA] Requests that could not be sent to a peer, by reason and resource.',
    ['type', ...gvr],
  );
  readonly syncErrors = new Counter(
    'apiserver_peer_discovery_sync_errors_total',
    '[ALPHA] Failures to read the discovery of a peer, by reason.',
    ['type'],
  );

  families(): Family[] {
    return [this.rerouted, this.proxyErrors, this.syncErrors];
  }
}
