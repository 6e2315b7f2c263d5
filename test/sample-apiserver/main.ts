// An extension API server with one resource in memory; everything else is the library's.
//   node --import tsx test/sample-apiserver/main.ts URL CA-FILE TOKEN-FILE CERT-FILE KEY-FILE [PORT [HOST]]
import { readFileSync } from 'node:fs';
import { declaredFacts } from '#shared/api/declared-facts.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { invalid, path } from '#shared/apimachinery/errors/field-error.ts';
import { numberAt } from '#shared/apimachinery/object.ts';
import { defineResource } from '#shared/registry/define-resource.ts';
import { startExtensionServer } from '#shared/server/extension/start-extension-server.ts';
import { MemoryStorage } from '#shared/watchcache/testing/memory-storage.ts';

const [url = '', caFile = '', tokenFile = '', certFile = '', keyFile = '', port = '0', host = '127.0.0.1'] =
  process.argv.slice(2);
const group = 'fruits.quarterdeck.example';
const facts = declaredFacts(loadFacts(), {
  group,
  version: 'v1alpha1',
  resource: 'fruits',
  kind: 'Fruit',
  namespaced: true,
  shortNames: ['fr'],
  categories: ['all'],
  types: {
    FruitSpec: [
      ['color', 1, 'string', 'e'],
      ['grams', 2, 'int32', 'e'],
    ],
    FruitStatus: [['ripe', 1, 'bool', 'e']],
  },
});
const fruits = defineResource({
  group,
  resource: 'fruits',
  strategy: {
    validate: (object) => {
      const grams = numberAt(object, 'spec', 'grams') ?? 0;
      return grams < 0 ? [invalid(path('spec', 'grams'), grams, 'must not be negative')] : [];
    },
  },
});
const sample = await startExtensionServer({
  name: 'sample-apiserver',
  api: { url, ca: readFileSync(caFile), token: readFileSync(tokenFile, 'utf8').trim() },
  facts,
  definitions: [fruits],
  storage: new MemoryStorage(),
  listen: { host, port: Number(port), cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') },
});
process.stdout.write(`sample-apiserver listens on ${sample.port}\n`);
process.once('SIGTERM', () => void sample.close().then(() => process.exit(0)));
