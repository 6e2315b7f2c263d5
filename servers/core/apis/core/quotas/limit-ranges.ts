import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { roundAmounts } from '#servers/core/defaults/round-amounts.ts';
import { drawUuid } from '#shared/apimachinery/chance/draw.ts';
import { setKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { validateLimitRange } from './limit-range-validation.ts';

/**
 * LimitRanges (pkg/apis/core/v1/defaults.go): for containers, limits follow the maximum and requests the limits or the
 * minimum.
 */
const limitRangeStrategy: Strategy = {
  prepareForCreate(range) {
    range.metadata.name ||= drawUuid('limit ranges');
  },
  validate: validateLimitRange,
  validateUpdate: validateLimitRange,
  applyDefaults(range) {
    for (const item of objectsAt(range, 'spec', 'limits')) {
      if (stringAt(item, 'type') === 'Container') fillContainer(item);
      for (const list of ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'])
        roundAmounts(objectAt(item, list));
    }
  },
};

function fillContainer(item: JsonObject): void {
  const limits = ensureObject(item, 'default');
  const requests = ensureObject(item, 'defaultRequest');
  fillFrom(limits, objectAt(item, 'max'));
  fillFrom(requests, limits);
  fillFrom(requests, objectAt(item, 'min'));
  // Empty lists are dropped. The reference keeps them in all objects that it compares, so they are no change there, and
  // it does not print them.
  for (const list of ['default', 'defaultRequest'])
    if (Object.keys(objectAt(item, list) ?? {}).length === 0) delete item[list];
}

function fillFrom(target: JsonObject, source: JsonObject | undefined): void {
  for (const [name, amount] of Object.entries(source ?? {})) {
    if (!Object.hasOwn(target, name)) setKey(target, name, amount);
  }
}

export const limitRangeResource = defineBuiltIn({
  group: '',
  resource: 'limitranges',
  strategy: limitRangeStrategy,
  writes: {
    allowCreateOnUpdate: true,
    metadataOnUpdate: 'whole',
  },
});
