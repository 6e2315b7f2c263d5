/** All that OpenID Connect has, but for those that need no key of the provider (`none`, HMAC). */
export const signingAlgorithms: readonly string[] = ['ES', 'PS', 'RS'].flatMap((family) =>
  ['256', '384', '512'].map((bits) => family + bits),
);
