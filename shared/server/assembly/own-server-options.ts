import { remoteIdentity } from '#shared/authentication/hop-identity.ts';
import { apiServerUser } from '#shared/request/user.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import type { CreateWebhookClientOptions } from '#shared/webhooks/create-webhook-client.ts';

/** How a server calls this cluster's own API server, by its flags. `socket` is the internal one of a gateway. */
export function ownServerOptions(options: ServerOptions, socket: string): CreateWebhookClientOptions['ownServer'] {
  return {
    socket,
    headers: ownHeaders(options),
    distant: {
      certFile: options.proxyClientCertFile,
      keyFile: options.proxyClientKeyFile,
      servingCertFile: options.tlsCertFile,
      caFile: options.clientCaFile,
    },
  };
}

/** Sockets take the names of the hop between servers, public listeners those of the flags. */
function ownHeaders({
  requestheaderUsernameHeaders,
  requestheaderGroupHeaders,
}: ServerOptions): Record<string, string[]> {
  const own = remoteIdentity(apiServerUser);
  const headers = new Map<string, string[]>();
  for (let at = 0; at < own.length; at += 2) {
    const name = own[at]?.toLowerCase() ?? '';
    headers.set(name, [...(headers.get(name) ?? []), own[at + 1] ?? '']);
  }
  const [userHeader = ''] = requestheaderUsernameHeaders;
  const [groupHeader = ''] = requestheaderGroupHeaders;
  if (userHeader !== '') headers.set(userHeader.toLowerCase(), [apiServerUser.name]);
  if (groupHeader !== '') headers.set(groupHeader.toLowerCase(), [...apiServerUser.groups]);
  return Object.fromEntries(headers);
}
