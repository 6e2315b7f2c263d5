import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { compareUtf8, goQuote } from '#shared/apimachinery/text/go-format.ts';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { readError } from '#shared/configuration/read-error.ts';
import { splitDocuments } from './split-documents.ts';

/** One document of a manifest file. */
export interface ManifestDocument {
  readonly file: string;
  readonly text: Uint8Array;
}

export interface ManifestFiles {
  readonly documents: readonly ManifestDocument[];
  /** Of the bytes of all files: it changes when one of them does. Empty where there is none. */
  readonly hash: string;
}

const extensions: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json']);

/**
 * Reads the YAML and JSON files of a folder, in the order of their names (apiserver/pkg/admission/plugin/manifest).
 * @throws ConfigurationError
 */
export async function readManifestFiles(folder: string): Promise<ManifestFiles> {
  const hash = createHash('sha256');
  const documents: ManifestDocument[] = [];
  let isEmpty = true;
  for (const name of await namesIn(folder)) {
    const file = join(folder, name);
    const bytes = await readFile(file).catch((error: unknown) => {
      throw new ConfigurationError(`failed to read file ${goQuote(file)}: ${readError(error, file)}`);
    });
    if (bytes.length === 0) continue;
    isEmpty = false;
    hash.update(bytes).update('\0');
    documents.push(...documentsOf(file, bytes));
  }
  return { documents, hash: isEmpty ? '' : `sha256:${hash.digest('hex')}` };
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    const reason = readError(Object.assign(new Error(), error, { syscall: 'open' }), folder);
    throw new ConfigurationError(`failed to read manifest directory ${goQuote(folder)}: ${reason}`);
  });
  return entries
    .filter((entry) => !entry.isDirectory() && extensions.has(extname(entry.name).toLowerCase()))
    .map(({ name }) => name)
    .sort(compareUtf8);
}

function documentsOf(file: string, bytes: Uint8Array): ManifestDocument[] {
  try {
    return splitDocuments(bytes).map((text) => ({ file, text }));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(`failed to split YAML documents in file ${goQuote(file)}: ${error.message}`);
  }
}
