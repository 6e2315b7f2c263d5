import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { objectAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { eventConversion } from './event-conversion.ts';
import { validateEvent, validateEventUpdate } from './event-validation.ts';
import { coreEventRows, eventRows } from './rows.ts';

/** Events (pkg/registry/core/event) of the core group and of events.k8s.io. They expire. */
function eventStrategy(ttlSeconds: number): Strategy {
  return {
    validate: (event, context) => validateEvent(event, context.resource?.group === 'events.k8s.io'),
    validateUpdate: (event, old, context) =>
      validateEventUpdate(event, old, context.resource?.group === 'events.k8s.io'),
    defaultGarbageCollection: 'unsupported',
    ttlSeconds: () => ttlSeconds,
    selectableFields(event) {
      const involved = objectAt(event, 'involvedObject');
      const reason = stringAt(event, 'reason');
      return {
        'involvedObject.kind': stringAt(involved, 'kind'),
        'involvedObject.namespace': stringAt(involved, 'namespace'),
        'involvedObject.name': stringAt(involved, 'name'),
        'involvedObject.uid': stringAt(involved, 'uid'),
        'involvedObject.apiVersion': stringAt(involved, 'apiVersion'),
        'involvedObject.resourceVersion': stringAt(involved, 'resourceVersion'),
        'involvedObject.fieldPath': stringAt(involved, 'fieldPath'),
        reason,
        reportingComponent: stringAt(event, 'reportingComponent'),
        source: stringAt(event, 'source', 'component') || stringAt(event, 'reportingComponent'),
        type: stringAt(event, 'type'),
      };
    },
  };
}

export const coreEventResource = defineBuiltIn({
  group: '',
  resource: 'events',
  rows: coreEventRows,
  strategy: ({ eventTtlSeconds }) => eventStrategy(eventTtlSeconds),
  writes: {
    allowCreateOnUpdate: true,
    metadataOnUpdate: 'none',
  },
});

export const eventResource = defineBuiltIn({
  group: 'events.k8s.io',
  resource: 'events',
  rows: eventRows,
  strategy: ({ eventTtlSeconds }) => eventStrategy(eventTtlSeconds),
  writes: {
    allowCreateOnUpdate: true,
    metadataOnUpdate: 'none',
  },
  conversions: { v1: eventConversion },
});
