/** The error for an invalid document, in the words of go-yaml. */
export class YamlFailure extends Error {
  override readonly name = 'YamlError';
}
