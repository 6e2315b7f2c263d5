import type { UserInfo } from '#shared/request/user.ts';

const prefix = 'system:node:';

/** The name of the node if the user is a node; undefined for other users, empty for a node without a name. */
export function nodeIdentity({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(prefix) && groups.includes('system:nodes') ? name.slice(prefix.length) : undefined;
}
