import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { withDataDirectoryDefaults } from '#shared/process/data-directory.ts';
import { parseServerOptions } from './parse-server-options.ts';
import { resolveServerOptions, serverHelp } from './server-options.ts';

describe('parseServerOptions', () => {
  test('reads values in every form that pflag accepts', () => {
    const { options, given, errors } = parseServerOptions([
      '--etcd_servers=http://a:1,http://b:2',
      '--etcd-servers',
      'http://c:3',
      '--anonymous-auth=false',
      '--allow-privileged',
      '-v=4',
      '--request-timeout=1m30s',
      '--runtime-config=api/all=true',
      '--runtime-config',
      'batch/v1=false,apps/v1',
      '--service-account-issuer=https://a,b',
      '--service-node-port-range=100+10',
    ]);
    assert.deepEqual(errors, []);
    assert.deepEqual(options.etcdServers, ['http://a:1', 'http://b:2', 'http://c:3']);
    assert.equal(options.anonymousAuth, false);
    assert.equal(options.allowPrivileged, true);
    assert.equal(options.v, 4);
    assert.equal(options.requestTimeout, 90_000);
    assert.deepEqual(options.runtimeConfig, { 'api/all': 'true', 'batch/v1': 'false', 'apps/v1': '' });
    assert.deepEqual(options.serviceAccountIssuer, ['https://a,b']);
    assert.deepEqual(options.serviceNodePortRange, { first: 100, last: 110 });
    assert.ok(given.has('etcdServers') && !given.has('securePort'));
  });

  test('reports all errors together', () => {
    const { errors } = parseServerOptions([
      '--nope',
      '-z',
      '--secure-port=x',
      '--authorization-mode=Foo',
      '--max-requests-inflight=-1',
      '--etcd-prefix',
    ]);
    assert.deepEqual(errors, [
      'unknown flag: --nope',
      "unknown shorthand flag: 'z' in -z",
      'invalid argument "x" for "--secure-port" flag: strconv.ParseInt: parsing "x": invalid syntax',
      'flag needs an argument: --etcd-prefix',
      '--max-requests-inflight can not be negative value',
      'authorization-mode "Foo" is not a valid mode',
    ]);
  });

  test('refuses flow control without seats, and takes no limits without flow control', () => {
    const noSeats = ['--max-requests-inflight=0', '--max-mutating-requests-inflight=0'];
    assert.match(parseServerOptions(noSeats).errors.join(), /must add up to something positive/);
    assert.deepEqual(parseServerOptions(noSeats.slice(1)).errors, []);
    assert.deepEqual(parseServerOptions([...noSeats, '--enable-priority-and-fairness=false']).errors, []);
  });

  test('reads one claim and its whole value from --oidc-required-claim', () => {
    const { options } = parseServerOptions([
      '--oidc-required-claim=groups=a,b=c',
      '--oidc-required-claim= hd = x.org ',
    ]);
    assert.deepEqual(options.oidcRequiredClaim, { groups: 'a,b=c', hd: 'x.org' });
    const { errors } = parseServerOptions(['--oidc-required-claim=hd']);
    assert.equal(
      errors[0],
      'invalid argument "hd" for "--oidc-required-claim" flag: malformed pair, expect string=string',
    );
  });

  test('accepts an empty --storage-media-type, and refuses an unknown one', () => {
    assert.deepEqual(parseServerOptions(['--storage-media-type=']).errors, []);
    assert.deepEqual(parseServerOptions(['--storage-media-type=application/cbor']).errors, [
      '--storage-media-type "application/cbor" invalid, allowed values: application/json, application/vnd.kubernetes.protobuf, application/yaml',
    ]);
  });

  test('takes --requestheader-uid-headers only while RemoteRequestHeaderUID is on', () => {
    const off = parseServerOptions(['--feature-gates=RemoteRequestHeaderUID=false']);
    assert.deepEqual(withDataDirectoryDefaults(off.options, off.given).requestheaderUidHeaders, []);
    const on = parseServerOptions([]);
    assert.deepEqual(withDataDirectoryDefaults(on.options, on.given).requestheaderUidHeaders, ['X-Remote-Uid']);
    assert.deepEqual(
      parseServerOptions(['--feature-gates=RemoteRequestHeaderUID=false', '--requestheader-uid-headers=X-Remote-Uid'])
        .errors,
      ['--requestheader-uid-headers requires the "RemoteRequestHeaderUID" feature to be enabled'],
    );
  });
});

describe('serverHelp', () => {
  test('lists flags by section, with type and default', () => {
    const help = serverHelp();
    assert.match(help, /\nSecure serving flags:\n/);
    assert.match(help, /\n {6}--secure-port int {2,}\S.*\(default 6443\)\n/);
    assert.match(help, /\n {2}-v, --v Level /);
  });
});

describe('resolveServerOptions', () => {
  test('returns options that survive JSON unchanged', () => {
    const options = resolveServerOptions({ securePort: 1 });
    assert.deepEqual(JSON.parse(JSON.stringify(options)), options);
    assert.equal(options.securePort, 1);
  });
});
