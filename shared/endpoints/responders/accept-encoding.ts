/**
 * Whether a client accepts gzip on resource paths: the header must name it, without a quality parameter
 * (responsewriters/writers.go).
 */
export function acceptsGzip(header: string | readonly string[] | undefined): boolean {
  return (
    header !== undefined &&
    String(header)
      .split(',')
      .some((token) => token.trim() === 'gzip')
  );
}

interface Coding {
  readonly name: string;
  readonly quality: number;
}

/**
 * Whether a client prefers gzip to plain text on `/metrics`: among codings of equal quality plain text comes first, and
 * names are case-sensitive (client_golang's httputil.NegotiateContentEncoding).
 */
export function choosesGzip(header: string | readonly string[] | undefined): boolean {
  const codings = String(header ?? '')
    .split(',')
    .map((clause): Coding => {
      const [name = '', ...parameters] = clause.split(';').map((part) => part.trim());
      const quality = parameters.find((part) => part.startsWith('q='));
      return { name, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
    });
  const best = (offer: string): number =>
    Math.max(-1, ...codings.filter(({ name }) => name === offer || name === '*').map(({ quality }) => quality));
  return best('gzip') > 0 && best('gzip') > best('identity');
}

/** Whether a client accepts gzip on `/openapi/v2`: by RFC 9110, except that `*` is not supported. */
export function prefersGzip(header: string | readonly string[] | undefined): boolean {
  return (
    header !== undefined &&
    String(header)
      .split(',')
      .some((clause) => {
        const [coding = '', ...parameters] = clause.split(';').map((part) => part.trim().toLowerCase());
        const quality = parameters.find((part) => part.startsWith('q='));
        return coding === 'gzip' && (quality === undefined || Number(quality.slice(2)) > 0);
      })
  );
}
