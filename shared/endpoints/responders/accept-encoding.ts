/**
 * Whether a client takes gzip, as resources see it: it must be named, and a quality is not understood
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
 * Whether a client would rather have gzip than plain text, as `/metrics` sees it: of what is named with the same
 * quality plain text comes first, and names are as they are written (client_golang's
 * httputil.NegotiateContentEncoding).
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

/** Whether a client takes gzip, by RFC 9110 but for `*`: as `/openapi/v2` sees it. */
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
