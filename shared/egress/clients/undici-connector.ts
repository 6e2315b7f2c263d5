import type { buildConnector } from 'undici';
import { verifiedConnector, verifiedLater, type Verification } from '#shared/egress/certificates/verified-connector.ts';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import { outsideSpans } from '#shared/spans/active-span.ts';
import { addressOf } from './secure-socket.ts';

type ConnectOptions = Parameters<typeof buildConnector>[0];

/**
 * The option `connect` of an agent of undici, which verifies certificates as Go does: with `dial`, its connections go
 * through a proxy. A connection is no part of the request that needs it first, as it outlives that. `build` is undici's
 * `buildConnector`, since users load undici when they need it.
 */
export function connectVerified(
  dial: EgressDial | undefined,
  options: ConnectOptions & object,
  verification: Verification,
  build: typeof buildConnector,
): buildConnector.connector {
  const verified = verifiedConnector(build({ ...options, ...verifiedLater }), verification);
  const connect: buildConnector.connector = (...asked) => outsideSpans(() => verified(...asked));
  return dial === undefined ? connect : through(dial, connect);
}

function through(dial: EgressDial, connect: buildConnector.connector): buildConnector.connector {
  return (asked, onConnected) => {
    const { hostname, protocol, port } = asked;
    const isSecure = protocol === 'https:';
    dial(addressOf(hostname, port === '' ? (isSecure ? 443 : 80) : port)).then(
      (socket) =>
        isSecure ? connect({ ...asked, httpSocket: socket as never }, onConnected) : onConnected(null, socket as never),
      (error: Error) => onConnected(error, null),
    );
  };
}
