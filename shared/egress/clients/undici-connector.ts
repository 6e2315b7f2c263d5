import type { buildConnector } from 'undici';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import { addressOf } from './secure-socket.ts';

type ConnectOptions = Parameters<typeof buildConnector>[0];

/**
 * The option `connect` of an agent of undici: with `dial`, its connections go through a proxy. `build` is undici's
 * `buildConnector`, since users load undici when they need it.
 */
export function connectBy(
  dial: EgressDial | undefined,
  options: ConnectOptions & object,
  build: typeof buildConnector,
): buildConnector.connector | (ConnectOptions & object) {
  if (dial === undefined) return options;
  const connect = build(options);
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
