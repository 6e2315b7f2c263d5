import { machineAddresses } from './machine-addresses.ts';

/** The flag's address; without the flag, the first address of this machine that is not internal. */
export function advertisedAddress(flag: string): string | undefined {
  if (flag !== '') return flag;
  const all = machineAddresses().filter((address) => !address.internal);
  const reachable =
    all.find((address) => address.family === 'IPv4') ?? all.find((address) => !address.address.startsWith('fe80'));
  return reachable?.address;
}
