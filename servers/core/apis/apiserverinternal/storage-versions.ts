import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { statusLeavesMetadata } from '#servers/core/apis/contract/reset-fields.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { validateObjectMeta } from '#shared/apimachinery/validation/meta-validation.ts';
import { isDNS1035Label, isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';
import { validateFinalizerNames } from '#shared/registry/finalizer-names.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { storageVersionRows } from './rows.ts';
import { validateStorageVersionStatus } from './storage-version-status.ts';

/**
 * StorageVersions (pkg/registry/apiserverinternal/storageversion): named by their resource, with nothing but a status.
 * Updates have no validation of their own.
 */
export const storageVersionStrategy: Strategy = {
  validate: (version) => [
    ...atOnce(validateObjectMeta(version.metadata, false, nameErrors, path('metadata'))),
    ...validateFinalizerNames(version),
  ],
  validateStatusUpdate: validateStorageVersionStatus,
};

/** `<group>.<resource>`. */
function nameErrors(name: string): string[] {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...isDNS1123Subdomain(name.slice(0, dot)).map((text) => `the group segment ${text}`),
    ...isDNS1035Label(name.slice(dot + 1)).map((text) => `the resource segment ${text}`),
  ];
}

export const storageVersionResource = defineBuiltIn({
  group: 'internal.apiserver.k8s.io',
  resource: 'storageversions',
  rows: storageVersionRows,
  strategy: storageVersionStrategy,
  writes: {
    allowUnconditionalUpdate: false,
    metadataOnUpdate: 'none',
    resetFields: statusLeavesMetadata,
  },
});
