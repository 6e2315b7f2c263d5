import { Buffer } from 'node:buffer';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';

const separator = '---';

/**
 * The documents of a YAML or JSON file without blank ones. Lines that begin with `---` separate them and hold nothing
 * else but a comment (apimachinery/pkg/util/yaml, `YAMLReader`).
 * @throws ConfigurationError
 */
export function splitDocuments(bytes: Uint8Array): Uint8Array[] {
  // Latin-1 keeps each byte as it is, whatever the encoding of the file is.
  const documents: string[][] = [[]];
  for (const line of Buffer.from(bytes)
    .toString('latin1')
    .split(/(?<=\n)/)) {
    if (line.startsWith(separator)) {
      const rest = line.slice(separator.length).trim();
      if (rest !== '' && !rest.startsWith('#'))
        throw new ConfigurationError(
          `invalid Yaml document separator: ${Buffer.from(rest, 'latin1').toString('utf8')}`,
        );
      documents.push([]);
    } else documents.at(-1)?.push(line);
  }
  return documents
    .map((lines) => lines.join('').trim())
    .filter((text) => text !== '')
    .map((text) => Buffer.from(text, 'latin1'));
}
