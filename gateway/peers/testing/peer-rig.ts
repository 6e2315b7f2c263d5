import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PeerEndpointStore } from '#gateway/peers/peer-endpoint-store.ts';
import { PeerServers } from '#gateway/peers/peer-servers.ts';
import { Peers } from '#gateway/peers/peers.ts';
import { CurrentRoutes } from '#gateway/proxy/current-routes.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { createErrorWriter } from '#shared/endpoints/responders/write-error.ts';
import { listenUnix } from '#shared/process/listeners/unix-listener.ts';
import { createRestResources } from '#shared/registry/create-rest-resources.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import { parseRequestInfo } from '#shared/request/parse-request-info.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { RequestState } from '#shared/server/request-state.ts';
import { createTestCa, type TestCa } from '#shared/server/testing/certificates.ts';
import { MemoryStorage } from '#shared/watchcache/testing/memory-storage.ts';

export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that knows its peers, over storage in memory, and peers with any behaviour. */
export class PeerRig {
  readonly #folder = mkdtempSync(join(tmpdir(), 'peers-'));
  readonly #facts = loadFacts();
  readonly #storage = new MemoryStorage();
  readonly #resources = createRestResources({
    facts: this.#facts,
    storage: this.#storage,
    definitions: [],
    servesGroup: () => true,
  });
  readonly #endpoints = new PeerEndpointStore({ storage: this.#storage, facts: this.#facts });
  readonly #closed: (() => unknown)[] = [];
  readonly routes = new CurrentRoutes();
  readonly ca: TestCa;
  readonly peers: Peers;

  private constructor(ca: TestCa, client: { readonly cert: string; readonly key: string }, firstReadMs: number) {
    this.ca = ca;
    const file = (name: string, text: string): string => {
      const path = join(this.#folder, name);
      writeFileSync(path, text);
      return path;
    };
    const options = {
      peerCaFile: file('ca.crt', ca.cert),
      proxyClientCertFile: file('client.crt', client.cert),
      proxyClientKeyFile: file('client.key', client.key),
      requestheaderUsernameHeaders: ['X-Remote-User', 'X-Other-User'],
      requestheaderUidHeaders: [],
      requestheaderGroupHeaders: ['X-Remote-Group'],
      requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
    } as unknown as ServerOptions;
    this.peers = new Peers({
      id: 'own',
      leases: this.#resources.caches.cache('coordination.k8s.io', 'leases'),
      endpoints: this.#endpoints,
      servers: new PeerServers({ options, dial: undefined, onError: () => undefined }),
      routes: this.routes,
      readLocal: async () => ({ keys: new Set(['apps/v1/deployments']), unknown: new Set(['stale/v1']) }),
      onError: () => undefined,
      firstReadMs,
    });
  }

  /** @param firstReadMs how long the start waits for peers */
  static async open(firstReadMs = 60_000): Promise<PeerRig> {
    const ca = await createTestCa();
    return new PeerRig(ca, await ca.issue('CN=front-proxy-client', 'client'), firstReadMs);
  }

  /** Reads the own resources and those of all peers. */
  async start(): Promise<void> {
    await Promise.all([this.peers.synced(), this.peers.startLocal(), this.peers.startPeers()]);
  }

  /** Starts a peer with a certificate of the authority, or of another. */
  async addPeer(id: string, serve: Serve, ca = this.ca): Promise<void> {
    const { cert, key } = await ca.issue('CN=peer', 'server', undefined, 'kubernetes.default.svc');
    const server: Server = createServer({ cert, key }, serve);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#closed.push(
      () => server.close(),
      () => server.closeAllConnections(),
    );
    await this.#endpoints.announce(id, { ip: '127.0.0.1', port: (server.address() as AddressInfo).port });
    await this.addLease(id);
  }

  /** The Lease of a server alone, which anybody with rights on Leases can write. */
  async addLease(id: string): Promise<void> {
    const metadata = {
      name: id,
      namespace: 'kube-system',
      labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver' },
    };
    await this.#resources
      .store('coordination.k8s.io', 'leases')
      .create(
        { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: { holderIdentity: id } },
        systemContext({ namespace: 'kube-system' }),
      );
  }

  /** Takes the server's address out of storage, as its end does. */
  forget(id: string): Promise<void> {
    return this.#endpoints.remove(id);
  }

  /** Listens on a socket, and answers 418 to what it does not send to peers. Returns the path of the socket. */
  async listen(): Promise<string> {
    const path = join(this.#folder, 'front.sock');
    const writeError = createErrorWriter(this.#facts);
    const handler = this.peers.filter(({ exchange }) => exchange.send(418, {}, 'here'));
    const front = await listenUnix(path, (exchange) => {
      const context = new RequestState(exchange);
      context.info = parseRequestInfo(exchange);
      context.user = { name: 'bob', uid: '', groups: ['g'], extra: {} };
      context.auditId = 'audit';
      Promise.resolve(handler(context)).catch((error: unknown) => writeError(context, error));
    });
    this.#closed.push(() => front.destroy());
    return path;
  }

  async close(): Promise<void> {
    await this.peers.close();
    for (const close of this.#closed) close();
    this.#resources.caches.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
