/** Whether a client takes gzip, as resources see it: it must be named, and a quality is not understood (responsewriters/writers.go). */
export function acceptsGzip(header: string | readonly string[] | undefined): boolean {
  return header !== undefined && String(header).split(',').some((token) => token.trim() === 'gzip');
}

/** Whether a client takes gzip, by RFC 9110 but for `*`: as `/openapi/v2` and `/metrics` see it. */
export function prefersGzip(header: string | readonly string[] | undefined): boolean {
  return header !== undefined && String(header).split(',').some((clause) => {
    const [coding = '', ...parameters] = clause.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((part) => part.startsWith('q='));
    return coding === 'gzip' && (quality === undefined || Number(quality.slice(2)) > 0);
  });
}
