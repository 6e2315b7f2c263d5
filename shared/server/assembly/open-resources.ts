import type { Facts } from '#shared/api/facts.ts';
import { reportDamage } from '#shared/observability/process-lines.ts';
import {
  createRestResources,
  type RestResources,
  type RestResourcesOptions,
} from '#shared/registry/create-rest-resources.ts';
import { checksCaches } from '#shared/server/options/feature-gates.ts';
import { malformedObjectsOf } from '#shared/server/options/malformed-objects-of.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { isServed } from '#shared/server/options/serving-choice.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { StorageError } from '#shared/storage/storage.ts';
import { undecodable } from '#shared/storage/undecodable.ts';

export interface OpenResourcesOptions {
  readonly options: ServerOptions;
  readonly facts: Facts;
  readonly storage: Storage;
  /** Default: errors are not reported. */
  readonly reportError?: (message: string, error: unknown) => void;
}

/** The options of resources that a server chooses itself; its flags determine the others. */
export type ResourceRegistration = Pick<RestResourcesOptions, 'definitions' | 'servesGroup' | 'excerptOf'>;

/**
 * The resources of a server. Its flags determine which are served, in which form they are stored, and whether garbage
 * collection is enabled.
 */
export function openResources(
  { options, facts, storage, reportError }: OpenResourcesOptions,
  choice: ResourceRegistration,
): RestResources {
  return createRestResources({
    facts,
    storage,
    storageMediaType: options.storageMediaType,
    isServed: isServed(options, facts),
    garbageCollection: options.enableGarbageCollector,
    malformed: malformedObjectsOf(options),
    checksCaches: checksCaches(options),
    ...choice,
    ...(reportError === undefined
      ? {}
      : {
          reportError,
          reportUndecodable(key: string, error: unknown) {
            const text = undecodable(key, options.etcdPrefix, error);
            reportError(text, error);
            // A KMS plugin that comes later decrypts it: the start goes on.
            if (!(error instanceof StorageError && error.code === 'Unreadable'))
              reportDamage(`${text} (${(error as Error).message})`);
          },
        }),
  });
}
