import type { Step } from './play.ts';

const mebibyte = 1024 * 1024;
const longestWaitMs = 300;
/** Others get several turns of each process for a GET. */
const longestTurnMs = 100;

export interface JudgeOptions {
  /** What others may wait longer. */
  readonly slackMs: number;
  /** Turns of event loops are judged, and not how long others waited. */
  readonly byTurns: boolean;
}

/** What of a request goes beyond the limits that hold where the reference is not asked: it may do no better. */
export function faultsAlone(step: Step, { slackMs, byTurns }: JudgeOptions): string[] {
  return [
    ...(step.answerBytes > mebibyte + storedBytes(step) ? ['the answer is too large'] : []),
    ...(!byTurns && step.longestWaitMs > longestWaitMs + slackMs ? ['others waited too long'] : []),
    ...heldFaults(step, byTurns),
    ...(step.failures.length > 0 ? [`others failed: ${step.failures[0]}`] : []),
    ...(isUnanswered(step) && !step.message.includes('larger than max')
      ? [`it was not answered: ${step.message}`]
      : []),
  ];
}

/** What goes beyond what the reference does. */
export function faultsBeside(step: Step, their: Step, { slackMs, byTurns }: JudgeOptions): string[] {
  return [
    ...(step.answerBytes > their.answerBytes + mebibyte ? ['the answer is too large'] : []),
    ...(!byTurns && step.longestWaitMs > Math.max(longestWaitMs + slackMs, their.longestWaitMs)
      ? ['others waited too long']
      : []),
    ...heldFaults(step, byTurns),
    ...(step.failures.length > 0 && their.failures.length === 0 ? [`others failed: ${step.failures[0]}`] : []),
    ...(isUnanswered(step) && !isUnanswered(their) ? [`it was not answered: ${step.message}`] : []),
  ];
}

/** What a successful answer tells: the object that is stored. Other answers are a cut list of errors. */
function storedBytes({ status, sentBytes }: Step): number {
  return typeof status === 'number' && status < 300 ? sentBytes : 0;
}

function heldFaults({ longestTurn }: Step, byTurns: boolean): string[] {
  return byTurns && longestTurn !== undefined && longestTurn.ms > longestTurnMs
    ? [`${longestTurn.process} was held for ${Math.round(longestTurn.ms)} ms`]
    : [];
}

/** What is too large for storage is a 500 in other words there, or the end of the request's time. */
function isUnanswered({ status }: Step): boolean {
  return typeof status === 'string' || status >= 500;
}

/** A line about a request. */
export function lineOfStep(step: Step): string {
  const { what, status, answerBytes, tookMs, cpuMs, longestTurn } = step;
  const turn = longestTurn === undefined ? '' : `, turn of ${longestTurn.process} ${Math.round(longestTurn.ms)} ms`;
  return `${what}: ${status}, ${answerBytes} bytes, ${Math.round(tookMs)} ms, CPU ${cpuMs} ms, another waited ${Math.round(step.longestWaitMs)} ms${turn}`;
}
