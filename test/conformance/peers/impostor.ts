import { createServer } from 'node:https';
import { createTestCa } from '#shared/server/testing/certificates.ts';

/** A server at the address of a peer, with a certificate of an authority that nobody trusts. */
export interface Impostor {
  /** How many requests it got. */
  requests(): number;
  close(): Promise<void>;
}

export async function startImpostor(port: number): Promise<Impostor> {
  const pair = await (await createTestCa('CN=impostors')).issue('CN=127.0.0.1', 'server');
  let requests = 0;
  const server = createServer(pair, (_request, response) => {
    requests++;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"kind":"JobList","items":[]}');
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return {
    requests: () => requests,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
