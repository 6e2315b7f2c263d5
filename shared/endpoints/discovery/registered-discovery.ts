import { discoveryList, groupDiscoveries, type RegisteredVersion } from './api-group-discovery.ts';
import { discoveryETag } from './discovery-etag.ts';
import type { DiscoveryRoot, TaggedDiscovery } from './discovery-handler.ts';
import type { GroupVersions } from './legacy-documents.ts';

/** Discovery of the versions that one server registered; built at the first request. */
export class RegisteredDiscovery implements DiscoveryRoot {
  readonly #versions: readonly RegisteredVersion[];
  #tagged: TaggedDiscovery | undefined;

  constructor(versions: readonly RegisteredVersion[]) {
    this.#versions = versions;
  }

  groups(): GroupVersions[] {
    const groups = new Map<string, string[]>();
    for (const { group, version } of this.#versions) {
      const versions = groups.get(group);
      if (versions === undefined) groups.set(group, [version]);
      else versions.push(version);
    }
    return [...groups].map(([group, versions]) => ({ group, versions }));
  }

  find(group: string, version: string): RegisteredVersion | undefined {
    return this.#versions.find((candidate) => candidate.group === group && candidate.version === version);
  }

  current(): TaggedDiscovery {
    if (this.#tagged === undefined) {
      const list = discoveryList(groupDiscoveries(this.#versions));
      this.#tagged = { list, etag: discoveryETag(list) };
    }
    return this.#tagged;
  }
}
