import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { connect } from 'node:tls';
import { parseServerOptions } from '#shared/server/options/parse-server-options.ts';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import recorded from './testdata/key-exchanges.json' with { type: 'json' };
import { listenTls } from './tls-listener.ts';

const ca = await createTestCa();
const serving = await ca.issue('CN=server');

function accepts(port: number, group: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(
      { host: '127.0.0.1', port, ca: [ca.cert], ecdhCurve: group, checkServerIdentity: () => undefined },
      () => {
        resolve(true);
        socket.destroy();
      },
    );
    socket.on('error', () => resolve(false));
  });
}

describe('--tls-curve-preferences', () => {
  test('accepts the key exchanges that the reference accepts, with and without the flag', async () => {
    for (const { flag, groups } of recorded.taken) {
      const { options, errors } = parseServerOptions(flag === '' ? [] : ['--tls-curve-preferences', flag]);
      assert.deepEqual(errors, []);
      const listener = await listenTls(
        { host: '127.0.0.1', port: 0, ...serving, keyExchanges: options.tlsCurvePreferences },
        () => undefined,
      );
      try {
        const answers = await Promise.all(recorded.offered.map((group) => accepts(listener.port, group)));
        assert.deepEqual(
          recorded.offered.filter((_, at) => answers[at]),
          groups,
          flag,
        );
      } finally {
        listener.destroy();
      }
    }
  });

  for (const { flag, error } of recorded.refused) {
    test(`refuses ${flag} with the reference's error`, () =>
      assert.deepEqual(parseServerOptions([`--tls-curve-preferences=${flag}`]).errors, [error]));
  }
});
