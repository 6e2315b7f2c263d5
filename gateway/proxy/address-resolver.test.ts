import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatBackendAddress, type BackendAddress } from '#shared/server/options/backend-address.ts';
import { AddressResolver } from './address-resolver.ts';

const socket: BackendAddress = { kind: 'unix', path: '/run/core.sock' };
const name: BackendAddress = { kind: 'tcp', host: 'core', port: 7443 };

describe('AddressResolver', () => {
  test('looks a host name up again and again, and keeps its addresses while the lookup fails', async () => {
    let answer: () => Promise<string[]> = async () => ['10.0.0.2', '10.0.0.1'];
    const reported: string[][] = [];
    const errors: unknown[] = [];
    const resolver = new AddressResolver({
      addresses: [socket, name, { kind: 'tcp', host: '10.0.0.1', port: 7443 }],
      lookup: () => answer(),
      onAddresses: (addresses) => reported.push(addresses.map(formatBackendAddress)),
      onError: (error) => errors.push(error),
    });
    await resolver.resolve();
    answer = () => Promise.reject(new Error('SERVFAIL'));
    await resolver.resolve();
    answer = async () => ['10.0.0.3'];
    await resolver.resolve();
    resolver.close();
    assert.deepEqual(reported, [
      ['unix:///run/core.sock', '10.0.0.1:7443'],
      ['unix:///run/core.sock', '10.0.0.1:7443', '10.0.0.2:7443'],
      ['unix:///run/core.sock', '10.0.0.3:7443', '10.0.0.1:7443'],
    ]);
    assert.equal(errors.length, 1);
  });
});
