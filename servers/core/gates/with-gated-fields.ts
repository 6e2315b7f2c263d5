import type { Strategy } from '#shared/registry/strategy.ts';
import { dropDisabledFields, type GatedFields } from './disabled-fields.ts';
import type { Gates } from './gates.ts';

function isOfStatus({ fields }: GatedFields): boolean {
  return fields.every((field) => field.startsWith('status.'));
}

/**
 * Adds the removal of disabled fields to a strategy; returns the same strategy if no field is disabled. With
 * `countsAsSent`, updates run the strategy before the removal, so that it raises the generation for removed fields too.
 */
export function withGatedFields(
  strategy: Strategy,
  table: readonly GatedFields[],
  gates: Gates,
  countsAsSent: boolean,
): Strategy {
  const all = dropDisabledFields(table, gates);
  if (all === undefined) return strategy;
  const ofStatus = dropDisabledFields(
    table.filter((rule) => isOfStatus(rule) && rule.keptInStatus !== true),
    gates,
  );
  // In an update of the object, the status is the old one and is left as it is.
  const ofOthers = dropDisabledFields(
    table.filter((rule) => !isOfStatus(rule)),
    gates,
  );
  return {
    ...strategy,
    prepareForCreate(object, context) {
      all(object, undefined);
      strategy.prepareForCreate?.(object, context);
    },
    prepareForUpdate(object, old, context) {
      if (!countsAsSent) ofOthers?.(object, old);
      strategy.prepareForUpdate?.(object, old, context);
      if (countsAsSent) ofOthers?.(object, old);
    },
    prepareForStatusUpdate(object, old, context) {
      ofStatus?.(object, old);
      strategy.prepareForStatusUpdate?.(object, old, context);
    },
  };
}
