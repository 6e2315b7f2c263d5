import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { statusLeavesMetadata } from '#servers/core/apis/contract/reset-fields.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import { isExtendedResource } from '#servers/core/validation/resource-names.ts';
import { validateTemplateMetadata } from '#servers/core/validation/template-metadata.ts';
import { validateUnchanged } from '#servers/core/validation/unchanged.ts';
import { invalid, path, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { int64At, type KubeObject, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { setDefaultText } from '#shared/apimachinery/set-default.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { isLongName } from '#shared/apimachinery/validation/names.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { withAdminAccess } from './admin-access.ts';
import { withStatusAuthorization } from './claim-authorization.ts';
import { claimTemplateConversion, claimConversion } from './claim-conversion.ts';
import { claimStatusRules } from './claim-status.ts';
import { validateDeviceClaimSpec, validateDeviceClass } from './claim-validation.ts';
import { gatedClaimStatusFields, gatedClaimFields } from './gated-fields.ts';
import { deviceClassRows, resourceClaimRows, resourceClaimTemplateRows } from './rows.ts';
import { SelectorCompilations, selectorsOfClaim } from './selector-compilations.ts';

/** ResourceClaims (pkg/apis/resource/v1/defaults.go). */
export const resourceClaimStrategy = (dependencies: StrategyDependencies): Strategy => ({
  *validateInSteps(claim, old) {
    if (old !== undefined) return immutableSpec('io.k8s.api.resource.v1.ResourceClaimSpec', claim, old);
    return yield* validateClaim(
      objectAt(claim, 'spec'),
      dependencies.gates,
      path('spec'),
      new SelectorCompilations(dependencies.expressions),
    );
  },
  applyDefaults: (claim) => applyClaimSpecDefaults(objectAt(claim, 'spec')),
});

/** ResourceClaimTemplates. */
const resourceClaimTemplateStrategy = (dependencies: StrategyDependencies): Strategy => ({
  *validateInSteps(template, old) {
    const errors = yield* validateTemplate(template, dependencies, old !== undefined);
    return old === undefined
      ? errors
      : [...errors, ...immutableSpec('io.k8s.api.resource.v1.ResourceClaimTemplateSpec', template, old)];
  },
  applyDefaults: (template) => applyClaimSpecDefaults(objectAt(template, 'spec', 'spec')),
});

/** DeviceClasses. */
const deviceClassStrategy = ({ expressions }: StrategyDependencies): Strategy => ({
  validateName: (name, isPrefix) => (isPrefix ? [] : isLongName(name)),
  *validateInSteps(deviceClass, old) {
    return [...(yield* validateDeviceClass(deviceClass, expressions, old)), ...validateExtendedResource(deviceClass)];
  },
});

/** Pods that ask for the resource of this name get devices of the class (KEP-5004). */
function validateExtendedResource(deviceClass: KubeObject): FieldError[] {
  const name = objectAt(deviceClass, 'spec')?.['extendedResourceName'];
  if (typeof name !== 'string' || isExtendedResource(name)) return [];
  return [invalid(path('spec', 'extendedResourceName'), name, 'must be a valid extended resource name')];
}

function* validateTemplate(
  template: KubeObject,
  { gates, expressions }: StrategyDependencies,
  stored: boolean,
): Steps<FieldError[]> {
  const metadata = validateTemplateMetadata(objectAt(template, 'spec') ?? {}, path('spec', 'metadata'));
  return [
    ...metadata,
    ...(yield* validateClaim(
      objectAt(template, 'spec', 'spec'),
      gates,
      path('spec', 'spec'),
      new SelectorCompilations(expressions, stored),
    )),
  ];
}

function* validateClaim(
  spec: JsonObject | undefined,
  gates: Gates,
  field: Path,
  selectors: SelectorCompilations,
): Steps<FieldError[]> {
  yield* selectors.prepare(selectorsOfClaim(spec));
  return validateDeviceClaimSpec(spec, gates, field, selectors);
}

function immutableSpec(model: string, object: KubeObject, old: KubeObject): FieldError[] {
  const [spec, before] = [objectAt(object, 'spec') ?? {}, objectAt(old, 'spec') ?? {}];
  return validateUnchanged(model, spec, before, path('spec'));
}

function applyClaimSpecDefaults(spec: JsonObject | undefined): void {
  for (const request of objectsAt(spec, 'devices', 'requests')) {
    const exactly = objectAt(request, 'exactly');
    if (exactly) applyCountDefaults(exactly);
    for (const alternative of objectsAt(request, 'firstAvailable')) applyCountDefaults(alternative);
  }
}

function applyCountDefaults(request: JsonObject): void {
  setDefaultText(request, 'allocationMode', 'ExactCount');
  if (stringAt(request, 'allocationMode') === 'ExactCount' && !int64At(request, 'count')) request['count'] = 1;
}

export const deviceClassResource = defineBuiltIn({
  group: 'resource.k8s.io',
  resource: 'deviceclasses',
  rows: deviceClassRows,
  strategy: deviceClassStrategy,
  writes: {
    metadataOnUpdate: 'both',
    generation: 'spec',
  },
  gatedFields: [{ gates: ['DRAExtendedResource'], fields: ['spec.extendedResourceName'] }],
});

export const resourceClaimResource = defineBuiltIn({
  group: 'resource.k8s.io',
  resource: 'resourceclaims',
  rows: resourceClaimRows,
  strategy: (parts) => {
    const strategy = withStatusAuthorization({ ...resourceClaimStrategy(parts), ...claimStatusRules }, parts);
    return withAdminAccess(strategy, parts, (claim) => objectAt(claim, 'spec', 'devices'));
  },
  writes: {
    metadataOnUpdate: 'both',
    resetFields: statusLeavesMetadata,
  },
  gatedFields: [...gatedClaimFields('spec'), ...gatedClaimStatusFields],
  subresources: () => ({ status: { isTable: false } }),
  conversions: { v1beta1: claimConversion },
});

export const resourceClaimTemplateResource = defineBuiltIn({
  group: 'resource.k8s.io',
  resource: 'resourceclaimtemplates',
  rows: resourceClaimTemplateRows,
  strategy: (parts) =>
    withAdminAccess(resourceClaimTemplateStrategy(parts), parts, (template) =>
      objectAt(template, 'spec', 'spec', 'devices'),
    ),
  writes: {
    metadataOnUpdate: 'both',
  },
  gatedFields: gatedClaimFields('spec.spec'),
  conversions: { v1beta1: claimTemplateConversion },
});
