/** The object of an operation: a kind, or a subresource of it. */
export interface OperationObject {
  readonly kind: string;
  readonly subresource?: string;
  readonly watchable?: boolean;
}

const instead = "deprecated: use the 'watch' parameter with a list operation instead";

/**
 * What an operation does, by its `x-kubernetes-action`, in the words that apiserver/pkg/endpoints/installer.go makes of
 * kinds and subresources.
 */
export function describeOperation(
  action: string,
  method: string,
  { kind, subresource, watchable = false }: OperationObject,
): string {
  const of = subresource === undefined ? '' : `${subresource} of `;
  switch (action) {
    case 'get':
      return `read ${of}the specified ${kind}`;
    case 'put':
      return `replace ${of}the specified ${kind}`;
    case 'patch':
      return `partially update ${of}the specified ${kind}`;
    case 'post':
      return `create ${of}${withArticle(kind)}`;
    case 'delete':
      return `delete ${of}${withArticle(kind)}`;
    case 'deletecollection':
      return `delete collection of ${kind}`;
    case 'list':
      return `list ${watchable ? 'or watch ' : ''}objects of kind ${kind}`;
    case 'watch':
      return `watch changes to an object of kind ${kind}. ${instead}, filtered to a single item with the 'fieldSelector' parameter.`;
    case 'watchlist':
      return `watch individual changes to a list of ${kind}. ${instead}.`;
    default:
      return `connect ${method.toUpperCase()} requests to ${of}${kind}`;
  }
}

/** A plural has no article; `Ingress` is none. */
function withArticle(kind: string): string {
  if (kind.endsWith('s') && !kind.endsWith('ss')) return kind;
  return `${/^[aeiou]/i.test(kind) ? 'an' : 'a'} ${kind}`;
}
