import { isObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt } from '#shared/apimachinery/object.ts';
import type { Exchange } from '#test/compare/exchange.ts';

/** Managed fields with the same keys in another order: that of their texts. */
export function orderDifferences(wanted: Exchange, have: Exchange): readonly string[] {
  const others = orders(have);
  return [...orders(wanted)].flatMap(([manager, text]) => {
    const other = others.get(manager);
    const differs = other !== undefined && other !== text && [...other].sort().join('') === [...text].sort().join('');
    return differs ? [`order of the fields of ${manager}: want ${text} have ${other}`] : [];
  });
}

function orders({ body }: Exchange): ReadonlyMap<string, string> {
  const managers = isObject(body) ? objectsAt(objectAt(body, 'metadata'), 'managedFields') : [];
  return new Map(
    managers.map(({ manager, operation, subresource, apiVersion, fieldsV1 }) => [
      JSON.stringify([manager, operation, subresource, apiVersion]),
      JSON.stringify(fieldsV1),
    ]),
  );
}
