import { DiscoveryHandler } from '../../shared/endpoints/discovery/discovery-handler.ts';
import { RegisteredDiscovery } from '../../shared/endpoints/discovery/registered-discovery.ts';
import { registeredVersions } from '../../shared/endpoints/discovery/registered-versions.ts';
import type { RestResources } from '../../shared/registry/create-rest-resources.ts';
import type { MediaType } from '../../shared/serializer/negotiate.ts';
import type { Handler } from '../../shared/request/request-context.ts';

/** The API of this server: resources, and discovery of what is registered. `serverAddress` is shown at `/api`. */
export function coreHandler(
  resources: RestResources,
  resourceHandler: Handler,
  serverAddress: string,
  mediaTypes: readonly MediaType[],
  showsHashes: boolean,
): Handler {
  const served = registeredVersions(resources.facts, ({ group, version, resource }) =>
    resources.serves(group, version, resource),
  );
  const legacy = new RegisteredDiscovery(served.filter(({ group }) => group === ''));
  const groups = new RegisteredDiscovery(served.filter(({ group }) => group !== ''));
  const discovery = new DiscoveryHandler(resources.facts, mediaTypes, showsHashes);
  return (context) => {
    const { info } = context;
    if (info.isResourceRequest || info.path.startsWith('//')) return resourceHandler(context);
    const [root = '', group = '', version = '', ...more] = info.path.split('/').filter((part) => part !== '');
    if (more.length > 0) return resourceHandler(context);
    if (root === 'api' && group === '') return discovery.versions(context, legacy, serverAddress);
    if (root === 'apis' && group === '') return discovery.groups(context, groups);
    const found =
      root === 'api' && version === ''
        ? legacy.find('', group)
        : root === 'apis'
          ? groups.find(group, version)
          : undefined;
    if (found) return discovery.resources(context, found);
    if (root === 'apis' && version === '' && discovery.group(context, groups, group)) return;
    return resourceHandler(context);
  };
}
