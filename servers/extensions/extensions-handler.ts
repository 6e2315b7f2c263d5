import type { RegisteredVersion } from '../../shared/endpoints/discovery/api-group-discovery.ts';
import { DiscoveryHandler } from '../../shared/endpoints/discovery/discovery-handler.ts';
import { RegisteredDiscovery } from '../../shared/endpoints/discovery/registered-discovery.ts';
import { registeredVersions } from '../../shared/endpoints/discovery/registered-versions.ts';
import type { RestResources } from '../../shared/registry/create-rest-resources.ts';
import type { MediaType } from '../../shared/serializer/negotiate.ts';
import type { Handler } from '../../shared/request/request-context.ts';
import { extensionsGroup } from './facts/extension-facts.ts';

/** What serves the custom resources, as far as it matters here. */
interface CustomResourcesPart {
  readonly handler: Handler;
  /** The same array until something changes. */
  registered(): readonly RegisteredVersion[];
}

/** Definitions by one handler, their custom resources by another; discovery of both. */
export function extensionsHandler(
  resources: RestResources,
  definitions: Handler,
  customResources: CustomResourcesPart,
  mediaTypes: readonly MediaType[],
  showsHashes: boolean,
): Handler {
  const own = registeredVersions(resources.facts, ({ group, version, resource }) =>
    resources.serves(group, version, resource),
  );
  const discovery = new DiscoveryHandler(resources.facts, mediaTypes, showsHashes);
  let made: { readonly of: readonly RegisteredVersion[]; readonly document: RegisteredDiscovery } | undefined;
  const registered = (): RegisteredDiscovery => {
    const of = customResources.registered();
    if (made?.of !== of) made = { of, document: new RegisteredDiscovery([...own, ...of]) };
    return made.document;
  };
  return (context) => {
    const { info } = context;
    if (info.isResourceRequest)
      return info.apiGroup === extensionsGroup ? definitions(context) : customResources.handler(context);
    const [root = '', group = '', version = '', ...more] = info.path.split('/').filter((part) => part !== '');
    if (root !== 'apis' || more.length > 0) return customResources.handler(context);
    if (group === '') return discovery.groups(context, registered());
    const found = registered().find(group, version);
    if (found !== undefined) return discovery.resources(context, found);
    if (version === '' && discovery.group(context, registered(), group)) return;
    return group === extensionsGroup ? definitions(context) : customResources.handler(context);
  };
}
