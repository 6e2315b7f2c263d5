// Starts a bundle on the embedded store with the flags of a test that names an etcd:
//   node on-embedded-store.mjs BUNDLE FLAGS…
// Servers with the same --etcd-prefix have the same data, below the folder EMBEDDED_DATA.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , bundle = '', ...flags] = process.argv;
const prefix = flags.find((flag) => flag.startsWith('--etcd-prefix='))?.slice('--etcd-prefix='.length) ?? '';
const data = join(process.env['EMBEDDED_DATA'] ?? '', createHash('sha256').update(prefix).digest('hex').slice(0, 16));
process.argv.splice(
  1,
  process.argv.length,
  bundle,
  ...flags.filter((flag) => !flag.startsWith('--etcd-')),
  '--data-dir',
  data,
);
await import(pathToFileURL(bundle).href);
