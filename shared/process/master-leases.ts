/** Below the prefix of storage: one key an API server, with a time to live, as the reference keeps them. */
export const masterLeasesPrefix = '/masterleases/';

export function masterLeaseKey(address: string): string {
  return masterLeasesPrefix + address;
}
