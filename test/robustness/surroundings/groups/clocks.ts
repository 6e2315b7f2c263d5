import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { faketimeLibrary } from '#test/robustness/surroundings/needs.ts';
import type { Group, Place, Surrounding } from '#test/robustness/surroundings/surrounding.ts';

/** The file whose text is the clock of a server: an offset, or a date. libfaketime reads it anew each second. */
const clockFile = ({ folder }: Place): string => join(folder, 'clock');
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

export const clocks: Group = {
  name: 'clock',
  rows: [
    wrong('whose clock is a day ahead', '+1d'),
    wrong('whose clock is a day behind', '-1d'),
    wrong('whose clock is ten years behind', '-3653d'),
    wrong('whose clock is twenty years ahead, beyond 2038', '+7305d'),
    wrong('whose clock begins at 1970', '@1970-01-02 00:00:00'),
  ],
};
