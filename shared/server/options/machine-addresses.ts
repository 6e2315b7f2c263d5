import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';

/** The addresses of this machine; none where the system does not tell, as under systemd's RestrictAddressFamilies. */
export function machineAddresses(): readonly NetworkInterfaceInfo[] {
  try {
    return Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  } catch {
    return [];
  }
}
