/** Which document a request at `/api` or `/apis` gets, and in which encoding. */
export type DiscoveryForm =
  | { readonly form: 'legacy' }
  | {
      readonly form: 'aggregated';
      readonly version: 'v2' | 'v2beta1';
      readonly encoding: Encoding;
      readonly contentType: string;
      /** Whether the document shall be without what other API servers of the cluster serve (`profile=nopeer`). */
      readonly isLocal: boolean;
    };

export type Encoding = 'json' | 'yaml' | 'protobuf';

interface Clause {
  readonly mediaType: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
  /** A higher number is more exact; `*` in type or subtype lowers it. */
  readonly exactness: number;
}

const encodings: Readonly<Record<string, Encoding>> = {
  'application/json': 'json',
  'application/yaml': 'yaml',
  'application/vnd.kubernetes.protobuf': 'protobuf',
  // A wildcard selects the type that a server lists first.
  'application/*': 'json',
  '*/*': 'json',
};

/**
 * Decides by the Accept header. The first acceptable clause wins: a clause with `as=APIGroupDiscoveryList` of a served
 * version selects the aggregated form, a clause without `as` the legacy form; any other clause is skipped. Without an
 * acceptable clause the legacy handler answers 406. v2beta1 is gone unless AggregatedDiscoveryRemoveBetaType is off.
 */
export function negotiateDiscovery(accept: string | undefined, { betaType = false } = {}): DiscoveryForm {
  for (const { mediaType, parameters } of clausesOf(accept ?? '')) {
    const encoding = Object.hasOwn(encodings, mediaType) ? encodings[mediaType] : undefined;
    if (encoding === undefined) continue;
    const as = parameters.get('as');
    if (as === undefined) return { form: 'legacy' };
    const version = parameters.get('v');
    if (as !== 'APIGroupDiscoveryList' || parameters.get('g') !== 'apidiscovery.k8s.io') continue;
    if (version !== 'v2' && !(betaType && version === 'v2beta1')) continue;
    const isLocal = parameters.get('profile') === 'nopeer';
    return { form: 'aggregated', version, encoding, contentType: contentTypeOf(encoding, version), isLocal };
  }
  return { form: 'legacy' };
}

function contentTypeOf(encoding: Encoding, version: string): string {
  const base = encoding === 'protobuf' ? 'application/vnd.kubernetes.protobuf' : `application/${encoding}`;
  return `${base};g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
}

function clausesOf(accept: string): Clause[] {
  const clauses = accept.split(',').flatMap((text): Clause[] => {
    const [mediaType = '', ...rest] = text.split(';').map((part) => part.trim());
    if (mediaType === '') return [];
    const parameters = new Map(rest.map((part) => splitOnce(part)));
    const quality = Number(parameters.get('q') ?? 1);
    const exactness = mediaType === '*/*' ? 0 : mediaType.endsWith('/*') ? 1 : 2;
    return [{ mediaType, parameters, quality: Number.isNaN(quality) ? 1 : quality, exactness }];
  });
  return clauses.toSorted((a, b) => b.quality - a.quality || b.exactness - a.exactness);
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
