// Starts this project and the reference with an egress selector, with each protocol of proxies, and sends both the same
// requests, whose connections lead through the proxies to one target: the proxies are asked for the same addresses, and
// clients see the same codes and texts, also of proxies that fail.
//   node --import tsx test/conformance/egress/run.ts
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestCa, type TestCa } from '#shared/server/testing/certificates.ts';
import { startOurs, startTheirs, type Side } from '#test/compare/pair.ts';
import { referenceProgram, startEtcd } from '#test/reference.ts';
import { egressConfiguration, protocols, startProxy, type Behaviour, type Protocol, type Proxy } from './proxies.ts';
import { prepare, requests } from './requests.ts';
import { startTargets } from './targets.ts';

interface Seen {
  readonly name: string;
  readonly status: number;
  readonly text: string;
  readonly asked: string;
}

const ca: TestCa = await createTestCa('CN=egress');
const targets = await startTargets(ca);

async function seenBy(protocol: Protocol, start: typeof startSide): Promise<Seen[]> {
  const folder = mkdtempSync(join(tmpdir(), 'egress-'));
  const etcd = await startEtcd(referenceProgram('etcd') ?? '', join(folder, 'etcd'));
  const tls = await ca.issue('CN=proxy');
  const files = { caBundle: 'ca.pem', clientCert: 'cert.pem', clientKey: 'key.pem' };
  for (const [file, pem] of Object.entries({ 'ca.pem': ca.cert, 'cert.pem': tls.cert, 'key.pem': tls.key }))
    writeFileSync(join(folder, file), pem);
  const named = Object.fromEntries(Object.entries(files).map(([key, file]) => [key, join(folder, file)]));
  const proxies = new Map<string, Proxy>();
  for (const network of ['cluster', 'controlplane', 'etcd'])
    proxies.set(
      network,
      await startProxy(protocol, { folder, network, lead: targets.lead, tls: { ...tls, files: named } }),
    );
  const file = egressConfiguration(folder, proxies);
  const side = await start(
    [`--egress-selector-config-file=${file}`, '--kubelet-certificate-authority=', '--enable-aggregator-routing=true'],
    etcd.url,
  );
  try {
    const seen = await ask(side, proxies);
    const etcdAsked = new Set(proxies.get('etcd')?.asked);
    const isOnlyEtcd = etcdAsked.size === 1 && `http://${[...etcdAsked][0]}` === etcd.url;
    const normal = (text: string): string => text.replaceAll(folder, 'FOLDER').replaceAll(/127\.0\.0\.1:\d+/g, 'LOCAL');
    return [
      ...seen.map((one) => ({ ...one, text: normal(one.text) })),
      { name: 'etcd', status: 0, text: '', asked: String(isOnlyEtcd) },
    ];
  } finally {
    await side.close();
    await etcd.close();
    for (const proxy of proxies.values()) proxy.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function startSide(flags: string[], etcdUrl: string): Promise<Side> {
  // The reference takes no empty value for the authority, and needs none.
  return startTheirs(
    flags.filter((flag) => !flag.startsWith('--kubelet-certificate') && !flag.startsWith('--enable')),
    etcdUrl,
  );
}

async function ask({ json }: Side, proxies: ReadonlyMap<string, Proxy>): Promise<Seen[]> {
  await prepare(json, Buffer.from(ca.cert).toString('base64'));
  const seen: Seen[] = [];
  for (const behaviour of ['dials', 'refuses', 'hangs up', 'talks nonsense'] satisfies Behaviour[]) {
    for (const network of ['cluster', 'controlplane']) (proxies.get(network) as Proxy).behaviour = behaviour;
    // Connections that were kept alive need no proxy.
    targets.closeConnections();
    for (const { name, method, path, object } of requests(behaviour)) {
      for (const proxy of proxies.values()) if (proxy !== proxies.get('etcd')) proxy.asked.length = 0;
      const { status, body } = await json.call(method, path, object);
      const asked = ['cluster', 'controlplane'].flatMap((network) =>
        [...new Set(proxies.get(network)?.asked)].map((address) => `${network} ${address}`),
      );
      const text = typeof body === 'string' ? body : ((body as { message?: string }).message ?? '');
      seen.push({ name: `${behaviour}: ${name}`, status, text, asked: asked.join(', ') });
    }
  }
  return seen;
}

let differences = 0;
let compared = 0;
for (const protocol of protocols) {
  const theirs = await seenBy(protocol, startSide);
  const ours = await seenBy(protocol, (flags, etcdUrl) => startOurs({ flags, etcdUrl }));
  for (const [at, there] of theirs.entries()) {
    compared++;
    if (JSON.stringify(ours[at]) === JSON.stringify(there)) continue;
    differences++;
    console.log(`${protocol}\n  reference ${JSON.stringify(there)}\n  here      ${JSON.stringify(ours[at])}`);
  }
}
console.log(`egress: ${compared} compared, ${differences} differ`);
targets.close();
process.exitCode = differences === 0 ? 0 : 1;
