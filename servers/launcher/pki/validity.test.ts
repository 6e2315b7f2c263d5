import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { pkiPaths, type PkiPaths } from '#shared/process/data-directory.ts';
import { ensureCertificates, nextRenewal } from './pki.ts';
import { validityAt, validityOf } from './validity.ts';

const dayMs = 86_400_000;
const right = new Date('2027-06-01T00:00:00Z');
const shifted = (ms: number): Date => new Date(right.getTime() + ms);
/** As earlier releases made certificates: valid from an hour before on. */
const unadjusted = (now: Date, days: number) => validityAt(now, days, now.getTime());

describe('validity of the launcher certificates', () => {
  let folder: string;
  let paths: PkiPaths;
  const leaves = (): string[] => [paths.servingCert, paths.adminCert, paths.frontProxyClientCert, paths.backendCert];
  const ensure = (now: Date, validity = validityAt): string[] =>
    ensureCertificates(paths, ['localhost'], now, validity);
  const areAllValid = (now: Date): boolean =>
    [paths.caCert, paths.frontProxyCaCert, ...leaves()].every((file) => {
      const { from, to } = validityOf(new X509Certificate(readFileSync(file)));
      return from <= now && now <= to;
    });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'validity-'));
    paths = pkiPaths(join(folder, 'pki'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  for (const [clock, ms] of [
    ['a day ahead', dayMs],
    ['twenty years ahead', 7305 * dayMs],
    ['ten years behind', -3653 * dayMs],
    ['at 1970', -right.getTime()],
  ] as const)
    test(`includes the right time where the clock was ${clock} when they were made`, () => {
      ensure(shifted(ms));
      assert.ok(areAllValid(shifted(ms)), 'by the wrong clock');
      assert.deepEqual(ensure(shifted(ms)), [], 'made once');
      ensure(right);
      assert.ok(areAllValid(right), 'by the right clock');
      assert.ok(nextRenewal(paths) > right.getTime());
      assert.ok(nextRenewal(paths) < right.getTime() + 366 * dayMs, 'none lasts longer than a new one');
    });

  test('makes certificates anew that are not valid yet', () => {
    ensure(shifted(-2 * dayMs), unadjusted);
    rmSync(paths.servingCert);
    ensure(shifted(-dayMs), unadjusted);
    assert.deepEqual(ensure(shifted(-1.5 * dayMs)), [paths.servingCert]);
    assert.ok(areAllValid(shifted(-1.5 * dayMs)));
  });

  for (const [state, days] of [
    ['not valid yet', -1],
    ['expired', 3651],
  ] as const)
    test(`refuses an authority that is ${state}, with the times, the clock and what to do`, () => {
      ensure(right, unadjusted);
      const before = readFileSync(paths.caCert, 'utf8');
      assert.throws(() => ensure(shifted(days * dayMs)), {
        name: 'UnusableFileError',
        message: new RegExp(
          `^${paths.caCert} is valid from 2027-05-31T23:00:00.000Z to 2037-05-29T00:00:00.000Z, and the clock of this machine shows ${shifted(days * dayMs).toISOString()}: set the clock; if it is right, remove ${paths.caCert} and ${paths.caKey}, and both are made anew`,
        ),
      });
      assert.equal(readFileSync(paths.caCert, 'utf8'), before);
    });

  test('ends certificates with their authority, and does not renew those that end with it', () => {
    ensure(right, unadjusted);
    const late = shifted(3600 * dayMs);
    assert.equal(ensure(late).length, 6);
    assert.ok(areAllValid(late));
    assert.deepEqual(ensure(shifted(3640 * dayMs)), []);
    assert.equal(nextRenewal(paths), Number.POSITIVE_INFINITY);
  });
});
