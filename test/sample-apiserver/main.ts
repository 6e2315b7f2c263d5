// node --import tsx test/sample-apiserver/main.ts URL CA-FILE TOKEN-FILE CERT-FILE KEY-FILE [PORT [HOST]]
import { readFileSync } from 'node:fs';
import { startSample } from './start-sample.ts';

const [url = '', caFile = '', tokenFile = '', certFile = '', keyFile = '', port = '0', host = '127.0.0.1'] =
  process.argv.slice(2);
const sample = await startSample({
  api: { url, ca: readFileSync(caFile), token: readFileSync(tokenFile, 'utf8').trim() },
  cert: readFileSync(certFile, 'utf8'),
  key: readFileSync(keyFile, 'utf8'),
  port: Number(port),
  host,
});
process.stdout.write(`sample-apiserver listens on ${sample.port}\n`);
process.once('SIGTERM', () => void sample.close().then(() => process.exit(0)));
