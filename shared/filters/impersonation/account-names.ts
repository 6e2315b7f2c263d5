import { isDNS1123Label, isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';

/** Splits `system:serviceaccount:<namespace>:<name>`; undefined for other names. */
export function splitServiceAccount(username: string): { namespace: string; name: string } | undefined {
  const prefix = 'system:serviceaccount:';
  if (!username.startsWith(prefix)) return undefined;
  const parts = username.slice(prefix.length).split(':');
  const [namespace = '', name = ''] = parts;
  if (parts.length !== 2 || isDNS1123Label(namespace).length > 0 || isDNS1123Subdomain(name).length > 0)
    return undefined;
  return { namespace, name };
}

/** The node of `system:node:<name>`; undefined for other names. */
export function nodeOfUser(username: string): string | undefined {
  const prefix = 'system:node:';
  if (!username.startsWith(prefix)) return undefined;
  const name = username.slice(prefix.length);
  return isDNS1123Subdomain(name).length === 0 ? name : undefined;
}

export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}
