/** A document that cannot be read, in the words of go-yaml. */
export class YamlFailure extends Error {
  override readonly name = 'YamlError';
}
