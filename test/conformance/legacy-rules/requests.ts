import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Request } from '#test/conformance/series/series.ts';

/** A create. */
export function post(path: string, body: JsonValue): Request {
  return { method: 'POST', path, body };
}

/** A merge patch. */
export function patch(path: string, body: JsonValue): Request {
  return { method: 'PATCH', path, body };
}

export function annotate(path: string, annotations: JsonObject): Request {
  return patch(path, { metadata: { annotations } });
}

export function label(path: string, labels: JsonObject): Request {
  return patch(path, { metadata: { labels } });
}
