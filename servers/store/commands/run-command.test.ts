import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StoreFlagError } from '#servers/store/start/options.ts';
import { runCommand } from './run-command.ts';

/** Nothing of this may be left aside in silence: who writes it means something by it. */
const refused: readonly (readonly [line: string, says: RegExp])[] = [
  ['verify --take-older', /^verify takes no --take-older$/],
  ['verify --bump-revision 5', /^verify takes no --bump-revision$/],
  ['verify extra', /Unexpected argument 'extra'/],
  ['compact --revision -5', /ambiguous|is no number from 0 on/],
  ['compact --revision 1e3', /^--revision: "1e3" is no number from 0 on$/],
  ['repair --data-dir x', /^repair needs --new-data-dir$/],
  ['repair --new-data-dir x --bump-revision 0', /^--bump-revision: "0" is no number from 1 on$/],
  ['alarm disarm --revision 5', /^alarm disarm takes no --revision$/],
  ['alarm clear', /^alarm clear: the commands are/],
  ['copy --data-dir x', /^copy needs --etcd-servers$/],
  ['copy --etcd-servers 127.0.0.1', /^--etcd-servers: "127.0.0.1" is no address of an etcd: give scheme:/],
  ['copy --etcd-servers=', /^copy needs --etcd-servers$/],
  ['snapshot', /^snapshot: the commands are/],
  ['snapshot save', /^snapshot save takes one FILE$/],
  ['snapshot save a b', /^snapshot save takes one FILE$/],
  ['snapshot status a --with-pki', /^snapshot status takes no --with-pki$/],
  ['snapshot restore a --data-dir=', /^--data-dir "" names nothing/],
  ['repair --new-data-dir=', /^--new-data-dir "" names nothing/],
  ['snapshot restore a', /^snapshot restore needs --data-dir$/],
];

describe('runCommand', () => {
  for (const [line, says] of refused) {
    test(`refuses "${line}"`, async () => {
      await assert.rejects(
        () => runCommand(line.split(' ')),
        (error) => error instanceof StoreFlagError && says.test(error.message),
      );
    });
  }

  test('returns undefined for flags without a command', async () => {
    assert.equal(await runCommand(['--data-dir', 'x']), undefined);
  });
});
