import { readFile } from 'node:fs/promises';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { readError } from '#shared/configuration/read-error.ts';

/** @throws ConfigurationError */
export async function readEncryptionFile(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new ConfigurationError(
      `error while parsing file: error while loading file: error reading encryption provider configuration file ${goQuote(path)}: ${readError(error, path)}`,
    );
  }
}
