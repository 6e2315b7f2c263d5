import type { JsonObject } from '#shared/apimachinery/json/json.ts';

/** A template of one container; `more` goes into its spec. */
export const template = (more: JsonObject): JsonObject => ({
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i' }], ...more },
});
