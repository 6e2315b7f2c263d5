import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import type { FlowControl } from '#shared/flowcontrol/flow-control.ts';
import { readPriorityLevel } from '#shared/flowcontrol/levels/priority-level-configuration.ts';
import { readFlowSchema } from '#shared/flowcontrol/schemas/flow-schema.ts';
import { CacheFollower } from '#shared/follow/cache-follower.ts';
import { Reconciler } from '#shared/follow/reconciler.ts';
import type { ResourceCaches } from '#shared/registry/resource-caches.ts';
import { ReadObjects } from './read-objects.ts';

const group = 'flowcontrol.apiserver.k8s.io';

export interface FollowedConfiguration {
  /** Resolves when the stored objects were taken in. */
  ready(): Promise<void>;
  close(): void;
}

/** Gives flow control the stored FlowSchemas and PriorityLevelConfigurations, at first and after each change. */
export function followConfiguration(
  flowControl: FlowControl,
  stored: ResourceCaches,
  onError: (error: unknown) => void,
): FollowedConfiguration {
  const levelCache = stored.cache(group, 'prioritylevelconfigurations');
  const schemaCache = stored.cache(group, 'flowschemas');
  const levels = new ReadObjects(levelCache, readPriorityLevel);
  const schemas = new ReadObjects(schemaCache, readFlowSchema);
  const configure = new Reconciler({
    async round() {
      if (!levelCache.isReady() || !schemaCache.isReady()) return;
      const readLevels = await inSlices(levels.all());
      const readSchemas = await inSlices(schemas.all());
      flowControl.configure(
        readLevels.filter((level) => level !== undefined),
        readSchemas,
      );
    },
    onError,
  });
  const followers = [levelCache, schemaCache].map(
    (cache) => new CacheFollower({ cache, onState: () => configure.request(), onEvents: () => configure.request() }),
  );
  return {
    async ready() {
      await Promise.all(followers.map((follower) => follower.ready()));
      await configure.run();
    },
    close() {
      for (const follower of followers) follower.close();
      void configure.close();
    },
  };
}
