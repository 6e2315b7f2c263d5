import type { LeveledLogger } from '#shared/observability/logger.ts';
import { tellSlowWork } from '#shared/spans/active-span.ts';
import { slowWorkText } from './slow-work-text.ts';

/** From this level on slow work is logged, and from the other with all of its steps (k8s.io/utils/trace). */
const slowWorkLevel = 2;
const wholeLevel = 4;
/** By which `--vmodule` may ask for it. */
const place = { path: 'shared/tracing/slow-work/log-slow-work.ts', line: 1 };

/** Logs work of requests that was slow, with its steps, as long as the levels of the log say so. */
export function logSlowWork(logger: LeveledLogger): void {
  const { levels } = logger;
  const log = {
    tell(work: Parameters<typeof slowWorkText>[0]): void {
      const id = Math.trunc(Math.random() * 2 ** 31);
      const isWhole = levels.includes(wholeLevel, place);
      logger.plain(slowWorkText(work, { id, isWhole, nowMs: performance.now() }));
    },
  };
  const follow = (): void => tellSlowWork(levels.includes(slowWorkLevel, place) ? log : undefined);
  levels.onChange(follow);
  follow();
}
