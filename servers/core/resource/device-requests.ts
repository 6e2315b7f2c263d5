import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { numberAt, objectAt, objectsAt, stringAt } from '../../../shared/apimachinery/object.ts';
import { setDefaultText } from '../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';

/** ResourceClaims (pkg/apis/resource/v1/defaults.go). */
export const resourceClaimStrategy: Strategy = {
  applyDefaults: (claim) => applyClaimSpecDefaults(objectAt(claim, 'spec')),
};

/** ResourceClaimTemplates. */
export const resourceClaimTemplateStrategy: Strategy = {
  applyDefaults: (template) => applyClaimSpecDefaults(objectAt(template, 'spec', 'spec')),
};

function applyClaimSpecDefaults(spec: JsonObject | undefined): void {
  for (const request of objectsAt(spec, 'devices', 'requests')) {
    const exactly = objectAt(request, 'exactly');
    if (exactly) applyCountDefaults(exactly);
    for (const alternative of objectsAt(request, 'firstAvailable')) applyCountDefaults(alternative);
  }
}

function applyCountDefaults(request: JsonObject): void {
  setDefaultText(request, 'allocationMode', 'ExactCount');
  if (stringAt(request, 'allocationMode') === 'ExactCount' && !numberAt(request, 'count')) request['count'] = 1;
}
