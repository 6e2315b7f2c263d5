import { apiServiceDefinition } from '#gateway/apiservices/api-service-strategy.ts';
import { builtInResources } from '#servers/core/apis/index.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { GroupKind } from '#shared/apimachinery/gvk.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';
import { defaultRows, scaleRows } from '#shared/serializer/table/table-row.ts';

const resources = new Map(
  [...builtInResources, apiServiceDefinition].map(({ group, resource, rows }) => [`${group}/${resource}`, rows]),
);

const kinds = new Map<string, KindRows>([['autoscaling/Scale', scaleRows]]);
for (const { group, resource, kind } of loadFacts()
  .groups()
  .flatMap(({ versions }) => versions)
  .flatMap((version) => version.resources))
  kinds.set(`${group}/${kind}`, resources.get(`${group}/${resource}`) ?? defaultRows);

/** The rows of a kind, as the definition of its resource says. */
export function rowsOfKind({ group, kind }: GroupKind): KindRows {
  return kinds.get(`${group}/${kind}`) ?? defaultRows;
}
