import { opendir } from 'node:fs/promises';
import { inSlices, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { byCodeUnit, sortInSteps } from '#shared/apimachinery/slices/sort-in-steps.ts';
import { htmlEscapes } from '#shared/apimachinery/text/html-escapes.ts';
import { encodePathBytes } from '#shared/request/request-path.ts';

const head = '<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n';
const entriesPerRead = 256;

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** A page with a link for each entry of a folder, by name, as Go's http.FileServer has it. */
export async function directoryPage(folder: Buffer): Promise<Buffer[]> {
  const entries: Entry[] = [];
  // One character per byte: names need not be UTF-8, and are sorted by their bytes.
  const opened = await opendir(folder, { encoding: 'latin1', bufferSize: entriesPerRead });
  for await (const entry of opened) entries.push({ name: entry.name, isFolder: entry.isDirectory() });
  return inSlices(pageOf(entries));
}

function* pageOf(entries: Entry[]): Steps<Buffer[]> {
  const pieces = [Buffer.from(head)];
  for (const { name, isFolder } of yield* sortInSteps(entries, byName)) {
    pieces.push(Buffer.from(link(isFolder ? `${name}/` : name), 'latin1'));
    if (sliceIsOver()) yield;
  }
  return [...pieces, Buffer.from('</pre>\n')];
}

function byName(one: Entry, other: Entry): number {
  return byCodeUnit(one.name, other.name);
}

function link(name: string): string {
  return `<a href="${relativeUrl(name)}">${name.replace(/[&<>"']/g, (char) => htmlEscapes.get(char) ?? '')}</a>\n`;
}

/** As Go's net/url writes a relative path: a colon in its first segment would make it a scheme. */
function relativeUrl(name: string): string {
  if (name === '*') return name;
  const path = encodePathBytes(name);
  const slash = path.indexOf('/');
  return (slash < 0 ? path : path.slice(0, slash)).includes(':') ? `./${path}` : path;
}
