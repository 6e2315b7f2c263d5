import { Counter } from '#shared/observability/metrics/counter.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import type { RequestInfo } from '#shared/request/request-info.ts';

/** In the order in which the reference prints them. */
const gvr = ['group', 'resource', 'version'];

type Requested = Pick<RequestInfo, 'apiGroup' | 'apiVersion' | 'resource'>;

/** Metrics of requests to peers, by the reference's names (apiserver/pkg/util/peerproxy/metrics). */
export class PeerMetrics {
  readonly #rerouted = new Counter(
    'apiserver_rerouted_request_total',
    '[ALPHA] Requests that peers answered, by status and resource.',
    ['code', ...gvr],
  );
  readonly #proxyErrors = new Counter(
    'apiserver_peer_proxy_errors_total',
    '[ALPHA] Requests that could not be sent to a peer, by reason and resource.',
    [...gvr, 'type'],
  );
  readonly #syncErrors = new Counter(
    'apiserver_peer_discovery_sync_errors_total',
    '[ALPHA] Failures to read the discovery of a peer, by reason.',
    ['type'],
  );

  /** Counts an answer of a peer. @param requested absent for discovery that this server read */
  answered(status: number, requested?: Requested): void {
    this.#rerouted.add(String(status), ...labelsOf(requested));
  }

  /** Counts a request whose peers have no address. */
  unresolved(requested: Requested): void {
    this.#proxyErrors.add(...labelsOf(requested), 'endpoint_resolution');
  }

  /** Counts a failure to read the discovery of a peer. */
  notSynced(type: 'hostport_resolution' | 'fetch_discovery'): void {
    this.#syncErrors.add(type);
  }

  families(): Family[] {
    return [this.#rerouted, this.#proxyErrors, this.#syncErrors];
  }
}

/** Only of resources that a peer serves, so clients cannot make up others. */
function labelsOf(requested: Requested | undefined): [group: string, resource: string, version: string] {
  if (requested === undefined) return ['', '', ''];
  return [requested.apiGroup, requested.resource, requested.apiVersion];
}
