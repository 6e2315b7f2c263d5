import type { EgressDial } from './egress-dial.ts';
import { dialSignal } from './egress-dial.ts';
import { connectToProxy } from './proxy-socket.ts';

/** For users that need a way of their own where the configuration says `Direct`. */
export const directDial: EgressDial = (address, signal) => connectToProxy({ address }, dialSignal(signal));
