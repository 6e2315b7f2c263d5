import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensureCertificates } from '#servers/launcher/pki/pki.ts';
import { validityAt } from '#servers/launcher/pki/validity.ts';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { countDown, eventTtl } from '#test/robustness/surroundings/durations.ts';
import { faketimeLibrary } from '#test/robustness/surroundings/needs.ts';
import type { Group, Place, Surrounding } from '#test/robustness/surroundings/surrounding.ts';

/** The file whose text is the clock of a server: an offset, or a date. libfaketime reads it anew each second. */
const clockFile = ({ folder }: Place): string => join(folder, 'clock');
const rightClock = '+0';
const setClock = (place: Place, text: string): void => writeFileSync(clockFile(place), `${text}\n`);

const fakedClock = (place: Place): Readonly<Record<string, string>> => ({
  LD_PRELOAD: faketimeLibrary ?? '',
  FAKETIME_TIMESTAMP_FILE: clockFile(place),
  FAKETIME_CACHE_DURATION: '1',
  // As in a machine, setting the clock changes the wall clock only.
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  DONT_FAKE_MONOTONIC: '1',
});
const inFakedClock = (place: Place): readonly string[] => [
  'env',
  ...Object.entries(fakedClock(place)).map(([name, value]) => `${name}=${value}`),
];

/** A clock that is wrong from the beginning, for clients, too. */
const wrong = (name: string, clock: string): Surrounding => ({
  name,
  needs: ['libfaketime'],
  prepare: (place) => setClock(place, clock),
  environment: fakedClock,
  clientWrapper: inFakedClock,
  outcome: 'serves',
});

/** A clock that is wrong at the first start, and put right while the server runs. */
const putRight = (name: string, clock: string): Surrounding => ({
  ...wrong(`whose clock is ${name} at its first start and then put right`, clock),
  meanwhile: async ({ place, request }) => {
    setClock(place, rightClock);
    // libfaketime has looked at its file by then, and the launcher at the clock.
    await pause(8_000);
    await request();
  },
});

/** A clock that is right at the beginning, and set while watches and Events count down. */
const setWhileRunning = (name: string, clock: string): Surrounding => ({
  ...wrong(`whose clock is set ${name} while it runs`, rightClock),
  flags: () => ['--event-ttl', eventTtl],
  meanwhile: ({ place, kubeconfig }) => countDown(kubeconfig, () => setClock(place, clock)),
});

/** Authorities as earlier releases made them by a clock that was wrong: valid from an hour before on. */
const authorityOf = (name: string, days: number): Surrounding => ({
  name: `whose authority ${name}`,
  prepare: ({ dataDir }) => {
    mkdirSync(dataDir, { mode: 0o700 });
    const madeAt = new Date(Date.now() + days * 86_400_000);
    ensureCertificates(pkiPaths(join(dataDir, 'pki')), ['localhost'], madeAt, (now, lasting) =>
      validityAt(now, lasting, now.getTime()),
    );
  },
  outcome: 'ends',
  says: [
    /pki\/ca\.crt is valid from .*, and the clock of this machine shows/,
    /: set the clock; if it is right, remove/,
  ],
});

export const clocks: Group = {
  name: 'clock',
  rows: [
    wrong('whose clock is a day ahead', '+1d'),
    wrong('whose clock is a day behind', '-1d'),
    wrong('whose clock is ten years behind', '-3653d'),
    wrong('whose clock is twenty years ahead, beyond 2038', '+7305d'),
    wrong('whose clock begins at 1970', '@1970-01-02 00:00:00'),
    putRight('a day ahead', '+1d'),
    putRight('ten years ahead', '+3653d'),
    putRight('ten years behind', '-3653d'),
    putRight('at 1970', '@1970-01-02 00:00:00'),
    setWhileRunning('back an hour', '-1h'),
    setWhileRunning('ahead an hour', '+1h'),
    {
      ...wrong('whose clock is set ahead two years while it runs', rightClock),
      meanwhile: ({ place, untilSaid }) => {
        setClock(place, '+730d');
        return untilSaid(/certificates were renewed/);
      },
    },
    authorityOf('is of tomorrow', 1),
    authorityOf('has expired', -3660),
  ],
};
