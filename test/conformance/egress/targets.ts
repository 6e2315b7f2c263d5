import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestCa } from '#shared/server/testing/certificates.ts';

/** The servers to which connections lead through proxies, whatever address was asked for. */
export interface Targets {
  /** Etcd's own address is left as it is; port 80 is plain HTTP. */
  readonly lead: (address: string) => number;
  /** Those that were kept alive. */
  closeConnections(): void;
  close(): void;
}

const names = ['hook.default.svc', 'hook.example'] as const;

/** All of them answer any request with its path. */
export async function startTargets(ca: TestCa): Promise<Targets> {
  const [service, url] = await Promise.all(names.map((name) => ca.issue(`CN=${name}`, 'server', undefined, name)));
  const answer = ({ url: path }: IncomingMessage, response: ServerResponse): void =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify({ message: `target of ${path}` }));
  const plain = createServer(answer).listen(0, '127.0.0.1');
  const ofService = createTlsServer({ ...service }, answer).listen(0, '127.0.0.1');
  const ofUrl = createTlsServer({ ...url }, answer).listen(0, '127.0.0.1');
  const servers = [plain, ofService, ofUrl];
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;
  return {
    lead(address) {
      const [host = '', port = ''] = address.split(':');
      if (host === '127.0.0.1') return Number(port);
      if (port === '80') return portOf(plain);
      return portOf(host === 'hook.example' ? ofUrl : ofService);
    },
    closeConnections: () => servers.forEach((server) => server.closeAllConnections()),
    close: () => servers.forEach((server) => server.close()),
  };
}
