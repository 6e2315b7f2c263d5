import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';

const openSsl = 'req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=kept -keyout'.split(' ');

/** The objects of objects.yaml, with a fresh certificate request in its place. `folder` takes the key of that. */
export function storedManifests(folder: string): unknown[] {
  const text = readFileSync(join(import.meta.dirname, 'objects.yaml'), 'utf8');
  const request = execFileSync('openssl', [...openSsl, join(folder, 'csr.key')], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return loadAll(text.replace('$csr', request.toString('base64')));
}
