import type { CollectedSpan } from './go-collector.ts';

/** The span of the client, which no collector gets. */
export const clientSpan = 'b7ad6b7169203331';

/** The name of a span with those of the spans below it, in alphabetical order, since spans may begin side by side. */
export interface SpanNode {
  readonly name: string;
  readonly span: CollectedSpan;
  readonly below: readonly SpanNode[];
}

/** The spans of a trace as a tree, and those whose parent is not in the trace. */
export function treeOf(all: readonly CollectedSpan[], traceId: string): { roots: SpanNode[]; orphans: string[] } {
  const spans = all.filter((span) => span.traceId === traceId);
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const orphans = spans.filter(({ parentId }) => parentId !== clientSpan && !ids.has(parentId));
  return { roots: below(spans, clientSpan), orphans: orphans.map(({ name }) => name) };
}

function below(spans: readonly CollectedSpan[], parentId: string): SpanNode[] {
  return spans
    .filter((span) => span.parentId === parentId)
    .flatMap((span) => {
      const nodes = below(spans, span.spanId);
      // The hop to core or extensions, which is a call within the process of the reference.
      const isHop = span.attributes['peer.service'] === 'kube-apiserver';
      return isHop ? nodes : [{ name: span.name, span, below: nodes }];
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** One line for each span, indented by its depth. */
export function linesOf(nodes: readonly SpanNode[], depth = 0): string[] {
  return nodes.flatMap((node) => [`${'  '.repeat(depth)}${node.name}`, ...linesOf(node.below, depth + 1)]);
}

/** Events and names of attributes of each span, by the line of the span. */
export function detailsOf(nodes: readonly SpanNode[]): Map<string, string> {
  const details = new Map<string, string>();
  for (const { name, span, below: under } of nodes) {
    const names = Object.keys(span.attributes).toSorted().join(' ');
    details.set(name, `${span.events.join(' | ')}\n      attributes: ${names}`);
    for (const [key, value] of detailsOf(under)) details.set(key, value);
  }
  return details;
}
