import type { EVENT_MAPPING, EVENT_SCALAR, EVENT_SEQUENCE, Event } from 'js-yaml';

/** Tag handles that the directives of a document declare, with their prefixes. */
export type TagHandles = ReadonlyMap<string, string>;

type Tagged = Extract<Event, { type: typeof EVENT_SCALAR | typeof EVENT_MAPPING | typeof EVENT_SEQUENCE }>;

/** The full tag of a node; `!` is returned as it is, since it names no type. Undefined without a tag. */
export function yamlTagOf(source: string, node: Tagged, handles: TagHandles): string | undefined {
  if (node.tagStart < 0) return undefined;
  const text = source.slice(node.tagStart, node.tagEnd);
  if (text === '!') return '!';
  if (text.startsWith('!<')) return unescaped(text.slice(2, -1));
  const end = text.indexOf('!', 1);
  const [handle, suffix] = end < 0 ? ['!', text.slice(1)] : [text.slice(0, end + 1), text.slice(end + 1)];
  return `${handles.get(handle) ?? (handle === '!!' ? 'tag:yaml.org,2002:' : handle)}${unescaped(suffix)}`;
}

function unescaped(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
  );
}
