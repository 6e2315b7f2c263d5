import type { Handler } from '#shared/request/request-context.ts';
import type { RegisteredVersion } from './api-group-discovery.ts';
import type { DiscoveryHandler } from './discovery-handler.ts';
import { RegisteredDiscovery } from './registered-discovery.ts';

export interface ServedDiscovery {
  readonly handler: DiscoveryHandler;
  /** The versions served now: the same array until a version changes. */
  readonly registered: () => readonly RegisteredVersion[];
  /** Host and port that `/api` advertises; without the address `/api` is not served. */
  readonly serverAddress?: string;
}

/**
 * The versions that a server registered, by the root that lists them: `/api` for the core group, `/apis` for all other
 * groups.
 */
interface Roots {
  readonly of: readonly RegisteredVersion[];
  readonly legacy: RegisteredDiscovery;
  readonly groups: RegisteredDiscovery;
}

/** Answers `/api`, `/apis` and the groups and versions below them; every other request goes to `next`. */
export function serveDiscovery({ handler, registered, serverAddress }: ServedDiscovery, next: Handler): Handler {
  let made: Roots | undefined;
  const roots = (): Roots => {
    const of = registered();
    if (made?.of !== of) made = rootsOf(of);
    return made;
  };
  return (context) => {
    const { info } = context;
    if (info.isResourceRequest || info.path.startsWith('//')) return next(context);
    const [root = '', ...names] = info.path.split('/').filter((part) => part !== '');
    if (root === 'api' && serverAddress !== undefined) {
      const [version = '', ...more] = names;
      if (names.length === 0) return handler.versions(context, roots().legacy, serverAddress);
      const found = more.length === 0 ? roots().legacy.find('', version) : undefined;
      return found === undefined ? next(context) : handler.resources(context, found);
    }
    if (root !== 'apis' || names.length > 2) return next(context);
    const { groups } = roots();
    const [group, version] = names;
    if (group === undefined) return handler.groups(context, groups);
    if (version === undefined) return handler.group(context, groups, group) ? undefined : next(context);
    const found = groups.find(group, version);
    return found === undefined ? next(context) : handler.resources(context, found);
  };
}

function rootsOf(of: readonly RegisteredVersion[]): Roots {
  return {
    of,
    legacy: new RegisteredDiscovery(of.filter(({ group }) => group === '')),
    groups: new RegisteredDiscovery(of.filter(({ group }) => group !== '')),
  };
}
