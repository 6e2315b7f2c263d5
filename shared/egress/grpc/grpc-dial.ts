import { randomBytes } from 'node:crypto';
import { dialSignal, EgressError, type EgressDial } from '#shared/egress/dial/egress-dial.ts';
import { openProxyCall } from './grpc-connection.ts';
import { closeDial, dialRequest, type Id, type ReceivedPacket } from './packets.ts';
import { TunnelSocket } from './tunnel-socket.ts';

/** Connections through a proxy on a Unix socket that speaks the protocol of konnectivity-client over gRPC. */
export function grpcDial(path: string): EgressDial {
  return async (address, signal) => {
    const over = dialSignal(signal);
    const call = await openProxyCall(path, over);
    const random = BigInt.asUintN(62, randomBytes(8).readBigUInt64BE());
    const made = Promise.withResolvers<void>();
    const socket = new TunnelSocket(call, (packet) => {
      try {
        const connectId = connectionOf(packet, random);
        // At once: bytes of the connection may come with the packet.
        if (connectId === undefined) return;
        socket.begin(connectId);
        made.resolve();
      } catch (error) {
        made.reject(error);
      }
    });
    const onAbort = (): void => made.reject(failed(signal?.aborted === true ? 'context' : 'backstop'));
    over.addEventListener('abort', onAbort, { once: true });
    if (over.aborted) onAbort();
    try {
      socket.send(dialRequest(address, random));
      await made.promise;
      return socket;
    } catch (error) {
      socket.send(closeDial(random));
      socket.destroy();
      throw error;
    } finally {
      over.removeEventListener('abort', onAbort);
    }
  };
}

/**
 * The connection that a packet tells of; undefined for packets of other types. The reference gives a call up whose
 * proxy answers another request than that which was made.
 * @throws EgressError with the message of konnectivity-client if there is none, and the call is over
 */
function connectionOf(packet: ReceivedPacket | undefined, random: Id): Id | undefined {
  if (packet === undefined) throw new EgressError('proxy', 'tunnel closed');
  if (packet.type !== 'dialResponse' && packet.type !== 'dialClosed') return undefined;
  if (packet.random !== random) throw new EgressError('proxy', 'tunnel closed');
  if (packet.type === 'dialClosed') throw new EgressError('proxy', 'dial closed');
  if (packet.error !== '') throw new EgressError('proxy', packet.error);
  return packet.connectId;
}

function failed(reason: string): EgressError {
  return new EgressError('proxy', `dial timeout, ${reason}`);
}
