import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The commands of a section of the README: a text for the shell from each indented block. */
export function blocksOf(section: string): string[] {
  const readme = readFileSync(join(import.meta.dirname, '..', '..', '..', 'README.md'), 'utf8');
  const text = readme.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  return text
    .split(/\n(?! {4})/)
    .flatMap((part) => /(?:^|\n)(( {4}.*(\n|$))+)/.exec(part)?.[1] ?? [])
    .map((block) => block.replaceAll(/^ {4}/gm, ''));
}

export interface ServerCommand {
  /** What comes before it in its block. */
  readonly before: string;
  readonly flags: readonly string[];
}

/** A block that ends with `npm start -- …`; its flags hold variables of the shell. */
export function serverCommandOf(block: string): ServerCommand | undefined {
  const at = block.indexOf('npm start -- ');
  if (at < 0) return undefined;
  const words = block
    .slice(at)
    .replaceAll('\\\n', ' ')
    .split(/\s+/)
    .filter((word) => word !== '');
  return { before: block.slice(0, at), flags: words.slice(3) };
}
