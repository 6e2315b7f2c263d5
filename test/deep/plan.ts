import { areas, type Area } from './areas.ts';
import { touchedAreas, type ChangedLines } from './change.ts';
import { gateForm, type Suite } from './suite.ts';

export interface Plan {
  /** Areas that the change touches, the most lines first. */
  readonly touched: ReadonlyMap<Area, number>;
  /** The area whose turn it is, besides. Undefined where all are touched. */
  readonly turn: Area | undefined;
  /** In the order in which they are played. */
  readonly chosen: readonly Suite[];
  /** Of the same areas, for which no time is left. */
  readonly leftOut: readonly Suite[];
}

/** Minutes of the suites' table, which the gate spends on what the change touches, and on the area by turns. */
export interface Budget {
  readonly touchedMinutes: number;
  readonly turnMinutes: number;
}

/** Days since 1970 in UTC: the area by turns changes with it. */
export function dayOf(now: Date): number {
  return Math.floor(now.getTime() / 86_400_000);
}

export function planGate(suites: readonly Suite[], lines: ChangedLines, day: number, budget: Budget): Plan {
  const live = suites.filter((suite) => suite.isRecorded === undefined && gateForm(suite) !== undefined);
  const touched = touchedAreas(lines, suites);
  const untouched = areas.filter((area) => !touched.has(area));
  const turn = untouched[day % untouched.length];
  const ofTouched = choose(inTurns([...touched.keys()], live), budget.touchedMinutes);
  const ofTurn = choose(
    inTurns(turn === undefined ? [] : [turn], live).filter((suite) => !ofTouched.chosen.includes(suite)),
    budget.turnMinutes,
  );
  const chosen = [...ofTouched.chosen, ...ofTurn.chosen];
  const leftOut = new Set([...ofTouched.leftOut, ...ofTurn.leftOut].filter((suite) => !chosen.includes(suite)));
  return { touched, turn, chosen, leftOut: [...leftOut] };
}

/** The first suite of each area, then the second of each: a change that touches all of them has each looked at. */
function inTurns(named: readonly Area[], suites: readonly Suite[]): readonly Suite[] {
  // Of suites that several areas have in common, an area has those first that name it first.
  const ofAreas = named.map((area) =>
    suites.filter((suite) => suite.areas.includes(area)).sort((a, b) => a.areas.indexOf(area) - b.areas.indexOf(area)),
  );
  const longest = Math.max(0, ...ofAreas.map((list) => list.length));
  const ordered = new Set<Suite>();
  for (let at = 0; at < longest; at++)
    for (const list of ofAreas) {
      const suite = list[at];
      if (suite !== undefined) ordered.add(suite);
    }
  return [...ordered];
}

function choose(suites: readonly Suite[], minutes: number): { chosen: readonly Suite[]; leftOut: readonly Suite[] } {
  const chosen: Suite[] = [];
  const leftOut: Suite[] = [];
  let left = minutes;
  for (const suite of suites) {
    const takes = gateForm(suite)?.minutes ?? 0;
    if (takes > left) leftOut.push(suite);
    else {
      chosen.push(suite);
      left -= takes;
    }
  }
  return { chosen, leftOut };
}
