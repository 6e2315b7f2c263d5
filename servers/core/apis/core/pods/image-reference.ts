/** The domain at the start of an image name; only there are upper-case letters allowed. */
const domain =
  /(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[0-9a-fA-F:]+\])(?::\d+)?/;
const part = /[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*/;
const tag = /:(?<tag>\w[\w.-]{0,127})/;
const digest = /@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}/;
const reference = new RegExp(
  `^(?<name>(?:${domain.source}/)?${part.source}(?:/${part.source})*)(?:${tag.source})?(?<digest>${digest.source})?$`,
);
const maxNameLength = 255;

/**
 * The default pull policy: Always for `:latest` and for an image with neither tag nor digest, otherwise IfNotPresent,
 * also for a text that is not an image reference (distribution/reference).
 */
export function pullPolicyFor(image: string): 'Always' | 'IfNotPresent' {
  const found = reference.exec(image)?.groups;
  if (found === undefined || (found['name'] ?? '').length > maxNameLength) return 'IfNotPresent';
  return found['tag'] === 'latest' || (found['tag'] === undefined && found['digest'] === undefined)
    ? 'Always'
    : 'IfNotPresent';
}
