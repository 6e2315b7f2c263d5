import type { ResourceFacts } from '../../api/facts.ts';
import type { GroupKind } from '../../apimachinery/gvk.ts';
import { quoteJson } from '../../serializer/json/go-text.ts';
import { looseText } from '../../serializer/json/loose.ts';
import { columnDefinitions } from '../../serializer/table/table-row.ts';

const texts = new Map<string, string>();

/** `columnDefinitions` of a kind as JSON. */
export function columnsText(kind: GroupKind, facts: ResourceFacts): string {
  const id = `${kind.group}/${kind.kind}/${facts.version}`;
  let text = texts.get(id);
  if (text === undefined) {
    const keys = ['name', 'type', 'format', 'description', 'priority'];
    const columns = columnDefinitions(kind, facts.columns).map((column) => `{${keys.map((key) => `${quoteJson(key)}:${looseText(column[key])}`).join(',')}}`);
    text = `[${columns.join(',')}]`;
    texts.set(id, text);
  }
  return text;
}

/** Whether nobody wrote a printer for the kind. */
export function hasDefaultColumns(facts: ResourceFacts): boolean {
  return facts.columns.length === 0;
}
