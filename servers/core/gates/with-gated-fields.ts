import type { Strategy } from '../../../shared/registry/strategy.ts';
import { dropDisabledFields, type GatedFields } from './disabled-fields.ts';
import type { Gates } from './gates.ts';

function isOfStatus({ fields }: GatedFields): boolean {
  return fields.every((field) => field.startsWith('status.'));
}

/**
 * A strategy that first takes away what is disabled; the same one where nothing is. `countsAsSent`: its own counting of
 * changes comes before.
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
  // The status is the old one there.
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
