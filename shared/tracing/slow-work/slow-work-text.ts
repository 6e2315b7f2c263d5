import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { formatDuration } from '#shared/apimachinery/values/duration.ts';
import { epochMicroseconds } from '#shared/apimachinery/values/epoch-clock.ts';
import type { SpanAttributes } from '#shared/spans/request-span.ts';
import { StepList } from '#shared/spans/step-list.ts';

/** How slow work is told. */
export interface SlowWorkText {
  /** By which the lines of one piece of work are known. */
  readonly id: number;
  /** With all steps, however fast they were. */
  readonly isWhole: boolean;
  /** By the clock of `performance.now`. */
  readonly nowMs: number;
}

/** The text of k8s.io/utils/trace: a line for the work, for each step that took its share, and for the end. */
export function slowWorkText(work: StepList, how: SlowWorkText): string {
  const head = `Trace[${how.id}]: `;
  const tookMs = (work.endMs ?? how.nowMs) - work.startMs;
  const start = `(${dayText(work.startMs)} ${timeText(work.startMs)})`;
  const took = formatDuration(BigInt(Math.round(tookMs * 1e6)));
  return [
    `${head}${goQuote(work.name)} ${fieldsText(work.attributes())}${start} (total time: ${Math.trunc(tookMs)}ms):`,
    new StepTexts(head, how).below(work, stepThreshold(work), ''),
    `\n${head}[${took}] [${took}] END\n`,
  ].join('');
}

/** Each begins with a line feed, and the texts of work below end with a bracket. */
class StepTexts {
  readonly #head: string;
  readonly #how: SlowWorkText;

  constructor(head: string, how: SlowWorkText) {
    this.#head = `\n${head}`;
    this.#how = how;
  }

  /** `shareMs` is how long a step takes at least to be told; `indent` has a space for each level below the first. */
  below(work: StepList, shareMs: number, indent: string): string {
    let lastMs = work.startMs;
    const texts: string[] = [];
    for (const step of work.steps()) {
      if (step instanceof StepList) {
        texts.push(this.#nested(step, shareMs, indent));
        lastMs = step.endMs ?? step.startMs;
        continue;
      }
      const tookMs = step.atMs - lastMs;
      lastMs = step.atMs;
      if (tookMs < shareMs && !this.#how.isWhole) continue;
      texts.push(`${this.#head}${indent}---${summary(step.name, step.attributes ?? {}, tookMs, step.atMs)}`);
    }
    return texts.join('');
  }

  /** Of work that was fast, only what was slow below it. */
  #nested(work: StepList, shareMs: number, indent: string): string {
    const { isWhole, nowMs } = this.#how;
    if (!isSlow(work) && !isWhole)
      return work
        .steps()
        .map((step) => (step instanceof StepList ? this.#nested(step, shareMs, indent) : ''))
        .join('');
    const own = work.endMs === undefined ? shareMs : stepThreshold(work);
    const text = summary(work.name, work.attributes(), nowMs - work.startMs, work.startMs);
    return `${this.#head}${indent}[${text}${this.below(work, own, `${indent} `)}]`;
  }
}

function isSlow({ startMs, endMs, thresholdMs }: StepList): boolean {
  return endMs !== undefined && endMs - startMs >= thresholdMs;
}

/**
 * What each step may take without being told: the threshold of the work without those of the work below it, divided
 * among the steps and the end; a quarter of the threshold is divided at least.
 */
function stepThreshold(work: StepList): number {
  const steps = work.steps();
  const below = steps.filter((step) => step instanceof StepList && step.endMs !== undefined) as StepList[];
  const left = below.reduce((sum, { thresholdMs }) => sum - thresholdMs, work.thresholdMs);
  const least = work.thresholdMs / 4;
  return left < least ? least / (steps.length + 1) : left / (steps.length + 1 - below.length);
}

function summary(name: string, attributes: SpanAttributes, tookMs: number, atMs: number): string {
  return `${goQuote(name)} ${fieldsText(attributes)}${Math.trunc(tookMs)}ms (${timeText(atMs)})`;
}

/** With a space after them; nothing where there are none. What a client chose gets no line of its own. */
function fieldsText(attributes: SpanAttributes): string {
  const fields = Object.entries(attributes).map(([key, value]) => `${key}:${value}`);
  return fields.length === 0 ? '' : `${fields.join(',').replaceAll(/\p{Cc}/gu, escaped)} `;
}

function escaped(character: string): string {
  return goQuote(character).slice(1, -1);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `02-Jan-2006`, in local time. */
function dayText(atMs: number): string {
  const date = dateOf(atMs);
  return `${pad(date.getDate(), 2)}-${months[date.getMonth()]}-${date.getFullYear()}`;
}

/** `15:04:05.000`, in local time. */
function timeText(atMs: number): string {
  const date = dateOf(atMs);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => pad(part, 2));
  return `${parts.join(':')}.${pad(date.getMilliseconds(), 3)}`;
}

function dateOf(atMs: number): Date {
  return new Date(Math.trunc(epochMicroseconds(atMs) / 1000));
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}
